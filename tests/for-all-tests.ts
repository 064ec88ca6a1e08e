import { afterAll, beforeAll } from 'vitest';

type Opened = { close(): unknown } | { end(): unknown } | { stop(): unknown };

const close = (opened: Opened) => ('close' in opened ? opened.close() : 'end' in opened ? opened.end() : opened.stop());

/** Opens a fixture before the first test of the surrounding `describe` and closes it after the last. Its members exist while tests run. */
export function forAllTests<T extends Opened>(open: () => Promise<T>): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened && close(opened));
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(opened!, name),
    set: (_, name, value) => Reflect.set(opened!, name, value),
  });
}

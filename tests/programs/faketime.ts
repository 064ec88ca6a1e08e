import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './debian-packages.ts';

const LIBRARIES = '/usr/lib';

export const findFaketime = (): string | null =>
  findProgram('faketime', 'machines whose clocks differ', '/usr/bin/faketime');

/**
 * Environment of a process whose clock is `seconds` ahead, or behind when negative; timers are not affected.
 * Loads the library directly, because the `faketime` program would intercept signals.
 */
export function withClockAhead(seconds: number): Record<string, string> {
  const [library] = readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime', 'libfaketime.so.1'))
    .filter((path) => existsSync(path));
  const offset = `${seconds < 0 ? '' : '+'}${seconds}`;
  return { LD_PRELOAD: library!, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
}

import { useLayoutEffect, useMemo, useRef } from 'react';

export type FocusTargets = ReturnType<typeof useFocusTargets>;

/** Elements by name, to move the focus to them: `ref={targets.ref('title')}`, then `targets.focus('title')`. */
export function useFocusTargets() {
  const elements = useRef(new Map<string, HTMLElement>());
  const awaited = useRef<readonly (string | HTMLElement)[]>([]);
  const targets = useMemo(
    () => ({
      ref: (name: string) => (element: HTMLElement | null) => {
        if (element) elements.current.set(name, element);
        else elements.current.delete(name);
      },
      get: (name: string) => elements.current.get(name),
      /** Focuses the first that is rendered and enabled. */
      focus(...wanted: (string | HTMLElement)[]): boolean {
        const found = wanted
          .map((one) => (typeof one === 'string' ? elements.current.get(one) : one))
          .find((one) => one && !one.matches(':disabled'));
        found?.focus();
        return found !== undefined;
      },
      /** As `focus`, as soon as one is rendered, so that no keystroke is lost. */
      focusNext(...wanted: (string | HTMLElement)[]): void {
        awaited.current = wanted;
      },
    }),
    [],
  );
  useLayoutEffect(() => {
    if (awaited.current.length > 0 && targets.focus(...awaited.current)) awaited.current = [];
  });
  return targets;
}

import { useMemo, useRef } from 'react';

export type FocusTargets = ReturnType<typeof useFocusTargets>;

/** Named elements that can receive the focus: `ref={targets.ref('title')}`, then `targets.focus('title')`. */
export function useFocusTargets() {
  const elements = useRef(new Map<string, HTMLElement>());
  return useMemo(
    () => ({
      ref: (name: string) => (element: HTMLElement | null) => {
        if (element) elements.current.set(name, element);
        else elements.current.delete(name);
      },
      get: (name: string) => elements.current.get(name),
      /** Focuses the first that is rendered and enabled. */
      focus: (...wanted: (string | HTMLElement)[]): void =>
        wanted
          .map((one) => (typeof one === 'string' ? elements.current.get(one) : one))
          .find((one) => one && !one.matches(':disabled'))
          ?.focus(),
    }),
    [],
  );
}

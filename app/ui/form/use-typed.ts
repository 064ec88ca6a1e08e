import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Rerenders only when the value changes; null before the form is mounted. @param read returns JSON */
export function useTyped<Value>(form: HTMLFormElement | null, read: (typed: FormData) => Value): Value | null {
  const subscribe = useCallback(
    (changed: () => void) => {
      const look = ({ target }: Event) => form?.contains(target as Node) && changed();
      // On the window, so that other listeners run first.
      addEventListener('input', look);
      return () => removeEventListener('input', look);
    },
    [form],
  );
  const said = useSyncExternalStore(
    subscribe,
    () => form && JSON.stringify(read(new FormData(form))),
    () => null,
  );
  return useMemo(() => said && JSON.parse(said), [said]);
}

export function typeInto(form: HTMLFormElement, texts: Record<string, string | boolean>): void {
  for (const [name, value] of Object.entries(texts)) {
    const field = form.elements.namedItem(name) as HTMLInputElement;
    if (typeof value === 'boolean') field.checked = value;
    else field.value = value;
  }
  form.dispatchEvent(new Event('input', { bubbles: true }));
}

import { useCallback, useMemo, useSyncExternalStore } from 'react';

/**
 * What `read` makes of the fields of a form, drawn anew only when that changes; null until the form is there.
 * @param read answers what can be written as JSON
 */
export function useTyped<Value>(form: HTMLFormElement | null, read: (typed: FormData) => Value): Value | null {
  const subscribe = useCallback(
    (changed: () => void) => {
      const look = ({ target }: Event) => form?.contains(target as Node) && changed();
      // At the window: whatever else hears of it has then been told before.
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

/** Writes into fields by their names, as if somebody had typed it. */
export function typeInto(form: HTMLFormElement, texts: Record<string, string | boolean>): void {
  for (const [name, value] of Object.entries(texts)) {
    const field = form.elements.namedItem(name) as HTMLInputElement;
    if (typeof value === 'boolean') field.checked = value;
    else field.value = value;
  }
  form.dispatchEvent(new Event('input', { bubbles: true }));
}

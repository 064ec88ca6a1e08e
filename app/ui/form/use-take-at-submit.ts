import { type RefObject, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { focusField } from './use-submit.ts';

/** `take` adds what was typed before the form of `field` is sent; when it returns false, `name` is focused instead. */
export function useTakeAtSubmit(
  field: RefObject<HTMLInputElement | HTMLFieldSetElement | null>,
  take: () => unknown,
  name?: string,
) {
  // Renders first, because the form's own handler sends what was rendered.
  const takeNow = useEffectEvent((event: Event) => {
    if (flushSync(take) !== false) return;
    event.preventDefault();
    event.stopPropagation();
    focusField(field.current!.form, name);
  });
  useEffect(() => {
    const form = field.current!.form!;
    form.addEventListener('submit', takeNow, true);
    return () => form.removeEventListener('submit', takeNow, true);
  }, [field]);
}

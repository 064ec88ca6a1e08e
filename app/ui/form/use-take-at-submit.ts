import { type RefObject, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/** Before the form of `field` is sent, `take` adds what was typed there and not added. */
export function useTakeAtSubmit(field: RefObject<HTMLInputElement | HTMLFieldSetElement | null>, take: () => void) {
  // Renders first, because the form's own handler sends what was rendered.
  const takeNow = useEffectEvent(() => flushSync(take));
  useEffect(() => {
    const form = field.current!.form!;
    form.addEventListener('submit', takeNow, true);
    return () => form.removeEventListener('submit', takeNow, true);
  }, [field]);
}

import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { useHydrated } from './use-hydrated.ts';

/** Sends its form. Until the page has come to life it cannot be pressed: the browser alone would send the form nowhere. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, 'type'>) {
  const alive = useHydrated();
  return <Button {...props} type="submit" disabled={!alive || props.disabled} />;
}

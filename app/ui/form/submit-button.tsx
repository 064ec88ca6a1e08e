import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { useHydrated } from './use-hydrated.ts';

export function SubmitButton(props: Omit<ComponentProps<typeof Button>, 'type'>) {
  const hydrated = useHydrated();
  return <Button {...props} type="submit" disabled={!hydrated || props.disabled} />;
}

import { useEffect, useState } from 'react';
import { arrival } from '#session/browser.ts';
import { arrivalMessage } from './model/identity-error.ts';

/** Result of a provider or an e-mail link in this address: an error message, or an empty object; null without one. */
export function useArrival(): { error: string | null } | null {
  const [brought, setBrought] = useState<{ error: string | null } | null>(null);
  useEffect(() => {
    void arrival().then((answer) => answer && setBrought({ error: answer.error && arrivalMessage(answer.error) }));
  }, []);
  return brought;
}

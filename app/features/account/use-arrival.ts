import { useEffect, useState } from 'react';
import { arrival } from '#session/browser.ts';
import { arrivalMessage } from './model/identity-error.ts';

/** Result of a provider or an e-mail link in this address, with an error message if it failed; null without one. */
export function useArrival() {
  const [brought, setBrought] = useState<{ error: string | null; byMail: boolean } | null>(null);
  useEffect(() => {
    void arrival().then((one) => one && setBrought({ ...one, error: one.error && arrivalMessage(one.error) }));
  }, []);
  return brought;
}

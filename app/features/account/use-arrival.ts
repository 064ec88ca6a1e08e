import { useEffect, useState } from 'react';
import { arrival } from '#session/browser.ts';
import { arrivalMessage } from './model/identity-error.ts';

/** What a provider or a mail link brought to this address, an error message or none; null for an ordinary address. */
export function useArrival(): { error: string | null } | null {
  const [brought, setBrought] = useState<{ error: string | null } | null>(null);
  useEffect(() => {
    void arrival().then((answer) => answer && setBrought({ error: answer.error && arrivalMessage(answer.error) }));
  }, []);
  return brought;
}

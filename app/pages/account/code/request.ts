import { useState } from 'react';
import { messages } from '../../../copy/messages.ts';
import { identityMessage } from '../../../models/account/identity-error.ts';

/**
 * Asking for a code: where it went, that it is on its way, or why not.
 * @param send answers the seconds until the next one may be asked for, if the server said so
 */
export function useCodeRequest(send: (to: string) => Promise<number | null | undefined>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [sent, setSent] = useState<{ to: string; wait: number | undefined } | null>(null);

  async function ask(to: string) {
    setBusy(true);
    setFailure(null);
    try {
      setSent({ to, wait: (await send(to)) ?? undefined });
    } catch (error) {
      setFailure(identityMessage(error, messages.anErrorOccurred));
    }
    setBusy(false);
  }

  return { busy, failure, setFailure, sent, ask, startOver: () => setSent(null) };
}

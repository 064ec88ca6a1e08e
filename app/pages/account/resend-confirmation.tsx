import { useState } from 'react';
import { resendConfirmation } from '../../models/account.ts';
import { clients } from '../../session/browser.ts';
import { Button } from '../../ui/button.tsx';

/** Sends the confirmation link again, and says so. */
export function ResendConfirmation({ email }: { email: string }) {
  const [state, setState] = useState<'ready' | 'busy' | 'sent' | { failure: string }>('ready');
  async function send() {
    setState('busy');
    const { error } = await resendConfirmation(clients().auth, email, location.origin);
    setState(error ? { failure: error.message } : 'sent');
  }
  return (
    <div className="mt-4">
      <Button variant="secondary" size="admin" busy={state === 'busy'} busyLabel="Sending..." onClick={send}>
        Send the confirmation link again
      </Button>
      <p className="mt-2" aria-live="polite">
        {state === 'sent' && 'Sent. Check your email inbox.'}
        {typeof state === 'object' && state.failure}
      </p>
    </div>
  );
}

import { useState } from 'react';
import { RESEND_AFTER } from '../../../copy/accounts.ts';
import { messages } from '../../../copy/messages.ts';
import { identityMessage } from '../../../models/account/identity-error.ts';
import { waitIn } from '../../../models/account/one-time-code.ts';
import { Button } from '../../../ui/form/button.tsx';
import { useCountdown } from '../../../ui/form/use-countdown.ts';

/** Sends a code or a link once more, not before the service would. */
export function CodeResend({
  wait,
  missing,
  label = 'Send it again',
  onResend,
}: {
  /** Seconds until it can be asked for. */
  wait: number;
  /** What may help when nothing came. */
  missing: string;
  label?: string;
  /** Answers with the seconds left to wait when the service has just sent one. */
  onResend: () => Promise<unknown>;
}) {
  const [left, begin] = useCountdown(wait);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');

  async function again() {
    setBusy(true);
    setSaid('');
    try {
      const early = await onResend();
      const wait = typeof early === 'number' ? early : null;
      setSaid(wait === null ? 'Sent again.' : 'The last one was sent a moment ago.');
      begin(wait ?? RESEND_AFTER);
    } catch (error) {
      const seconds = waitIn((error as Error).message ?? '');
      setSaid(seconds === null ? identityMessage(error, messages.anErrorOccurred) : '');
      begin(seconds ?? 0);
    }
    setBusy(false);
  }

  return (
    <div className="code-resend">
      <p aria-live="polite">{said}</p>
      <p>{missing}</p>
      {/* It keeps its focus while it waits. */}
      <Button
        variant="secondary"
        size="admin"
        className="amount"
        busy={busy}
        busyLabel="Sending..."
        aria-disabled={left > 0 || undefined}
        onClick={() => left === 0 && void again()}
      >
        {left > 0 ? `${label} in ${left} s` : label}
      </Button>
    </div>
  );
}

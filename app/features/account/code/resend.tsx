import { RESEND_AFTER } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { Button } from '#ui/form/button.tsx';
import { useCountdown } from '#ui/form/use-countdown.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { identityMessage } from '../model/identity-error.ts';
import { waitIn } from '../model/one-time-code.ts';

export function CodeResend({
  wait,
  missing,
  onResend,
}: {
  wait: number;
  missing: string;
  onResend: () => Promise<unknown>;
}) {
  const [left, begin] = useCountdown(wait);
  const { busy, done, failure, run, say } = useSubmit(messages.anErrorOccurred, identityMessage);

  async function resend() {
    try {
      const early = await onResend();
      if (typeof early === 'number') return { said: 'The last one was sent a moment ago.', wait: early };
      return { said: 'Sent again.', wait: RESEND_AFTER };
    } catch (error) {
      const seconds = waitIn((error as Error).message ?? '');
      if (seconds !== null) return { said: '', wait: seconds };
      begin(0);
      throw error;
    }
  }
  const again = () =>
    run(resend, ({ said, wait }) => {
      say(said);
      begin(wait);
    });

  return (
    <div className="code-resend">
      <p aria-live="polite">{failure ?? done}</p>
      <p>{missing}</p>
      {/* It stays focusable while disabled. */}
      <Button
        variant="secondary"
        size="admin"
        className="amount"
        busy={busy}
        busyLabel="Sending..."
        aria-disabled={left > 0 || undefined}
        onClick={() => left === 0 && void again()}
      >
        {left > 0 ? `Send it again in ${left} s` : 'Send it again'}
      </Button>
    </div>
  );
}

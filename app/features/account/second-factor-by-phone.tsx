import { useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { CodeEntry } from './code/entry.tsx';
import { identityMessage } from './model/identity-error.ts';
import { type SecondFactor, sendFactorCode } from './model/second-factor.ts';

/** Sends the code only on request: messages cost money, and the phone may not be at hand. */
export function SecondFactorByPhone({
  factor,
  onCode,
}: {
  factor: SecondFactor & { kind: 'phone' };
  onCode: (code: string, challengeId: string) => Promise<unknown>;
}) {
  const [challenge, setChallenge] = useState<string | null>(null);
  const { busy, failure, run } = useSubmit(messages.anErrorOccurred, identityMessage);
  const send = async () => setChallenge(await sendFactorCode(clients().auth, factor.id));

  if (challenge) {
    return (
      <CodeEntry
        submitLabel="Go on"
        missing={accounts.noMessageYet}
        onCode={(code) => onCode(code, challenge)}
        onResend={send}
      >
        <p>We sent a code to {nameOf(factor)}.</p>
      </CodeEntry>
    );
  }
  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      <p>Your account asks for a code that we send to {nameOf(factor)}.</p>
      <div className="button-row">
        <Button busy={busy} busyLabel="Sending..." onClick={() => void run(send)}>
          Text me a code
        </Button>
      </div>
    </>
  );
}

const nameOf = ({ name }: { name: string }) => (name ? <strong>{name}</strong> : 'your phone');

import { useEffect, useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin, signOut } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { LEAVING, useSubmit, WrongFields } from '#ui/form/use-submit.ts';
import { CodeEntry } from './code/entry.tsx';
import { identityMessage } from './model/identity-error.ts';
import {
  type SecondFactor as Factor,
  proveFactor,
  type SecondFactor,
  secondFactors,
  sendFactorCode,
} from './model/own-factors.ts';

export function ProveSecondFactor({ onProven }: { onProven: () => Promise<unknown> }) {
  const [factors, setFactors] = useState<Factor[] | null>(null);
  const [chosen, setChosen] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    secondFactors(clients().auth).then(setFactors, (error: unknown) =>
      setFailure(identityMessage(error, messages.anErrorOccurred)),
    );
  }, []);

  async function prove(factor: Factor, code: string, challengeId?: string) {
    await proveFactor(clients().auth, factor, code, challengeId);
    // Rights can depend on the second factor.
    forgetAdmin();
    await onProven();
  }

  const factor = factors?.[chosen];
  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      {!factors && !failure && <Spinner label="Looking for your second factor" />}
      {factor?.kind === 'totp' && (
        <CodeEntry
          key={factor.id}
          label="Code from your app"
          submitLabel="Go on"
          onCode={(code) => prove(factor, code)}
        >
          <p>
            Open {factor.name ? <strong>{factor.name}</strong> : 'your authenticator app'} and type the six digits it
            shows for this site.
          </p>
        </CodeEntry>
      )}
      {factor?.kind === 'phone' && (
        <SecondFactorByPhone
          key={factor.id}
          factor={factor}
          onCode={(code, challenge) => prove(factor, code, challenge)}
        />
      )}
      {factor?.kind === 'recovery' && <SecondFactorRecovery onCode={(code) => prove(factor, code)} />}
      <div className="work-links">
        {factors?.map(
          (other, at) =>
            at !== chosen && (
              <Button
                key={other.kind === 'recovery' ? 'recovery' : other.id}
                variant="quiet"
                onClick={() => setChosen(at)}
              >
                {wordsFor(other)}
              </Button>
            ),
        )}
        <Button variant="quiet" onClick={() => void signOut().catch(() => null)}>
          Use another account
        </Button>
      </div>
    </>
  );
}

function wordsFor(factor: Factor): string {
  if (factor.kind === 'recovery') return 'Use a recovery code';
  if (factor.kind === 'phone') return factor.name ? `Text a code to ${factor.name}` : 'Text me a code';
  return factor.name ? `Use ${factor.name}` : 'Use an authenticator app';
}

const RecoveryForm = defineForm({
  fields: {
    recovery: {
      label: 'Recovery code',
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      enterKeyHint: 'go',
      required: true,
      autoFocus: true,
    },
  },
  failed: messages.anErrorOccurred,
});

const SecondFactorRecovery = ({ onCode }: { onCode: (code: string) => Promise<unknown> }) => (
  <RecoveryForm
    save={async ({ recovery }) => {
      await onCode(recovery).catch((error: unknown) => {
        throw new WrongFields({ recovery: identityMessage(error, messages.anErrorOccurred) });
      });
      return LEAVING;
    }}
    submitLabel="Go on"
    busyLabel="Checking..."
  >
    <p>Take one of the codes you kept when you set up the second factor. Cross it out: it works once.</p>
  </RecoveryForm>
);

/** Sends the code only on request: messages cost money, and the phone may not be at hand. */
function SecondFactorByPhone({
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

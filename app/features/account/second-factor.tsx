import { useEffect, useState } from 'react';
import { clients } from '#session/browser.ts';
import { forgetRole, signOut } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { verbatim } from '#ui/form/confirm-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { NAVIGATING } from '#ui/form/use-submit.ts';
import { CodeEntry, PhoneCodeEntry } from './code/entry.tsx';
import { identityErrors, identityMessage } from './model/identity-error.ts';
import { type OwnFactor, proveFactor, type SecondFactor, secondFactors, sendFactorCode } from './model/own-factors.ts';
import { useIdentitySubmit } from './use-identity-submit.ts';

export function ProveSecondFactor({ onProven }: { onProven: () => Promise<unknown> }) {
  const [factors, setFactors] = useState<SecondFactor[] | null>(null);
  const [chosen, setChosen] = useState<SecondFactor | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    secondFactors(clients().auth).then(setFactors, (error: unknown) => setFailure(identityMessage(error)));
  }, []);

  const factor = chosen ?? factors?.[0];
  const others = factors?.filter((other) => other !== factor);
  async function prove(code: string, challengeId?: string) {
    await proveFactor(clients().auth, factor!, code, challengeId);
    forgetRole();
    await onProven();
  }
  const proveRecovery = ({ recovery }: { recovery: string }) => prove(recovery).then(() => NAVIGATING);

  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      {!factors && !failure && <Spinner label="Looking for your second factor" />}
      {factor?.kind === 'app' && (
        <CodeEntry key={factor.id} label="Code from your app" submitLabel="Continue" onCode={prove}>
          <p>
            Open <strong>{factor.name}</strong> and type the six digits it shows for this site.
          </p>
        </CodeEntry>
      )}
      {factor?.kind === 'phone' && <SecondFactorByPhone key={factor.id} factor={factor} onCode={prove} />}
      {factor?.kind === 'recovery' && (
        <RecoveryForm save={proveRecovery} submitLabel="Continue" busyLabel="Checking...">
          <p>Enter one of your recovery codes. Each code works once, so cross it out.</p>
        </RecoveryForm>
      )}
      <div className="work-links">
        {others?.map((other) => (
          <Button key={other.id} variant="quiet" onClick={() => setChosen(other)}>
            {wordsFor(other)}
          </Button>
        ))}
        <Button variant="quiet" onClick={() => void signOut().catch((error) => setFailure(identityMessage(error)))}>
          Use another account
        </Button>
      </div>
    </>
  );
}

function wordsFor(factor: SecondFactor): string {
  if (factor.kind === 'recovery') return 'Use a recovery code';
  return factor.kind === 'phone' ? `Text a code to ${factor.name}` : `Use ${factor.name}`;
}

const RecoveryForm = defineForm({
  fields: { recovery: { label: 'Recovery code', ...verbatim, enterKeyHint: 'go', required: true, autoFocus: true } },
  ...identityErrors,
  fieldOf: () => 'recovery',
});

type ByPhoneProps = { factor: OwnFactor; onCode: (code: string, challengeId: string) => Promise<unknown> };

/** Sends the code only on request: messages cost money, and the phone may not be at hand. */
function SecondFactorByPhone({ factor, onCode }: ByPhoneProps) {
  const [challenge, setChallenge] = useState<string | null>(null);
  const { busy, failure, run } = useIdentitySubmit();
  const send = async () => setChallenge(await sendFactorCode(clients().auth, factor.id));

  if (challenge) {
    const prove = (code: string) => onCode(code, challenge);
    return <PhoneCodeEntry label="Code" submitLabel="Continue" to={factor.name} onCode={prove} onResend={send} />;
  }
  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      <p>
        Your account needs a code that we send to <strong>{factor.name}</strong>.
      </p>
      <div className="button-row">
        <Button busy={busy} busyLabel="Sending..." onClick={() => void run(send)}>
          Text me a code
        </Button>
      </div>
    </>
  );
}

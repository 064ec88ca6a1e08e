import { useEffect, useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin, signOut } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { CodeEntry } from './code/entry.tsx';
import { identityMessage } from './model/identity-error.ts';
import { type SecondFactor as Factor, proveFactor, secondFactors } from './model/second-factor.ts';
import { SecondFactorByPhone } from './second-factor-by-phone.tsx';
import { SecondFactorRecovery } from './second-factor-recovery.tsx';

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

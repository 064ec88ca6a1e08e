import { useCallback, useEffect, useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import {
  accountMessage,
  listOwnFactors,
  type OwnFactor,
  type RecoveryState,
  recoveryState,
} from '../../model/own-factors.ts';
import { accountPage as words } from '../../words.ts';
import { AccountPart } from '../part.tsx';
import { useOffers } from '../use-offers.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactors } from './second-factors.tsx';

export function Security() {
  const offers = useOffers();
  const [factors, setFactors] = useState<OwnFactor[] | null>(null);
  const [codes, setCodes] = useState<RecoveryState>('unknown');
  const [failure, setFailure] = useState<string | null>(null);
  const [fresh, setFresh] = useState(false);

  const load = useCallback(async () => {
    const { auth } = clients();
    try {
      const found = await listOwnFactors(auth);
      const state = found.length > 0 ? await recoveryState(auth) : 'unknown';
      // When the state is unknown, the previous one stays: new codes may be on the screen, shown only once.
      setCodes((known) => (state === 'unknown' && found.length > 0 ? known : state));
      setFactors(found);
      setFailure(null);
    } catch (error) {
      setFailure(accountMessage(error, messages.anErrorOccurred));
    }
  }, []);
  useEffect(() => void load(), [load]);

  if (!factors || !offers) {
    return (
      <AccountPart title="Second factor" failure={failure}>
        {failure ? (
          <div className="button-row">
            <Button variant="secondary" onClick={() => void load()}>
              Try again
            </Button>
          </div>
        ) : (
          <Spinner label="Looking for your second factors" />
        )}
      </AccountPart>
    );
  }
  if (factors.length === 0 && !offers.app && !offers.phone) return null;
  return (
    <>
      <SecondFactors
        factors={factors}
        offers={offers}
        intro={words.factorsIntro}
        onChange={load}
        onAdded={() => setFresh(true)}
      />
      {codes !== 'unknown' && <RecoveryCodes state={codes} next={fresh && codes === 'none'} onMade={setCodes} />}
    </>
  );
}

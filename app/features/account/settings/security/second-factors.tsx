import { useState } from 'react';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Button } from '#ui/form/button.tsx';
import { useFocusTargets } from '#ui/form/use-focus-targets.ts';
import { localDay } from '#ui/time.tsx';
import type { AccountOffers } from '../../model/offers.ts';
import { APP_NAME, type OwnFactor, removeFactor } from '../../model/own-factors.ts';
import { accountPage as words } from '../../words.ts';
import { AccountPart, useAccountSubmit } from '../part.tsx';
import { AddApp } from './add-app.tsx';
import { AddPhone } from './add-phone.tsx';

export function SecondFactors({
  factors,
  offers,
  intro,
  onChange,
  onAdded,
}: {
  factors: OwnFactor[];
  offers: AccountOffers;
  intro: string;
  onChange: () => Promise<void>;
  onAdded: () => void;
}) {
  const act = useAccountSubmit();
  const [adding, setAdding] = useState<'app' | 'phone' | null>(null);
  const [leaving, setLeaving] = useState<OwnFactor | null>(null);
  const targets = useFocusTargets();

  function close() {
    setAdding(null);
    setTimeout(() => targets.focus('app', 'phone'));
  }

  async function added() {
    // Rights can depend on the second factor.
    forgetAdmin();
    act.say(words.factorAdded);
    close();
    await onChange();
    onAdded();
  }

  async function remove(factor: OwnFactor) {
    await act.run(async () => {
      await removeFactor(clients().auth, factor.id);
      forgetAdmin();
      await onChange();
    }, words.factorRemoved(factor.name));
    setLeaving(null);
  }

  return (
    <AccountPart title="Second factor" done={act.done} failure={act.failure}>
      <p className="account-small">{intro}</p>
      {factors.length === 0 && !adding && <p>{words.noFactors}</p>}
      {factors.length > 0 && (
        <ul className="stack gap-0 account-list">
          {factors.map((factor) => (
            <li className="cluster gap-2 gap-x-4 pad-y-3" key={factor.id}>
              <span className="stack gap-0 account-item shrink">
                <strong>{factor.name}</strong>
                <span>{kindOf(factor)}</span>
              </span>
              <Button variant="quiet" onClick={() => setLeaving(factor)}>
                Remove<span className="hidden-text"> {factor.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding === 'app' && <AddApp factors={factors} onAdded={added} onCancel={close} />}
      {adding === 'phone' && <AddPhone factors={factors} onAdded={added} onCancel={close} />}
      {!adding && (
        <div className="button-row">
          {offers.app && (
            <Button
              ref={targets.ref('app')}
              variant={factors.length === 0 ? 'primary' : 'secondary'}
              onClick={() => setAdding('app')}
            >
              Add an authenticator app
            </Button>
          )}
          {offers.phone && (
            <Button ref={targets.ref('phone')} variant="secondary" onClick={() => setAdding('phone')}>
              Add a phone
            </Button>
          )}
        </div>
      )}
      <ConfirmDialog
        open={leaving !== null}
        title="Remove this second factor?"
        confirmLabel="Remove"
        busyLabel="Removing..."
        busy={act.busy}
        onCancel={() => setLeaving(null)}
        onConfirm={() => leaving && void remove(leaving)}
      >
        <p>{leaving && words.removeQuestion(leaving.name)}</p>
        {factors.length === 1 && <p className="gap-above">{words.removeLast}</p>}
      </ConfirmDialog>
    </AccountPart>
  );
}

function kindOf({ kind, phone, added, name }: OwnFactor): string {
  const since = `added ${localDay(added)}`;
  if (kind === 'app') return name.startsWith(APP_NAME) ? sentence(since) : `${APP_NAME}, ${since}`;
  return name.startsWith(`+${phone}`) ? `Phone, ${since}` : `Phone +${phone}, ${since}`;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

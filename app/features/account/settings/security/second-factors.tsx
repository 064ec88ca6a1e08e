import { useRef, useState } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { localDay } from '#ui/time.tsx';
import { CodeEntry, PhoneCodeEntry } from '../../code/entry.tsx';
import { phoneNumber } from '../../model/account.ts';
import { identityErrors } from '../../model/identity-error.ts';
import {
  APP_NAME,
  beginApp,
  beginPhone,
  forgetBegun,
  grouped,
  type NewApp,
  type OwnFactor,
  proveFactor,
  removeFactor,
  sendFactorCode,
  unusedName,
} from '../../model/own-factors.ts';
import type { AccountOffers } from '../../model/sign-in-methods.ts';
import { PhoneForm } from '../../sign-in-form.ts';
import { useIdentitySubmit } from '../../use-identity-submit.ts';
import { AccountList, AccountNote, AccountPart } from '../part.tsx';

interface SecondFactorsProps {
  factors: OwnFactor[];
  offers: AccountOffers;
  onChange: () => Promise<unknown>;
  onAdded: () => void;
}

export function SecondFactors({ factors, offers, onChange, onAdded }: SecondFactorsProps) {
  const submission = useIdentitySubmit();
  const [adding, setAdding] = useState<'app' | 'phone' | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const isFirst = factors.length === 0;

  function close() {
    setAdding(null);
    setTimeout(() => addButton.current?.focus());
  }

  function cancel() {
    // An abandoned enrollment would otherwise expire later.
    void forgetBegun(clients().auth);
    close();
  }

  async function prove(id: string, code: string, challenge?: string) {
    await proveFactor(clients().auth, { id, kind: challenge ? 'phone' : 'app' }, code, challenge);
    forgetRole();
    submission.say('Your second factor is set up. Other devices that had not shown one are signed out.');
    close();
    await onChange();
    onAdded();
  }

  const remove = (factor: OwnFactor) =>
    submission.run(async () => {
      await removeFactor(clients().auth, factor.id);
      forgetRole();
      await onChange();
    }, `“${factor.name}” is removed.`);

  return (
    <AccountPart title="Second factor" done={submission.done} failure={submission.failure}>
      <AccountNote>Two-step sign-in: besides your password you enter a code from your phone.</AccountNote>
      {isFirst && !adding && <p>You have none yet.</p>}
      <AccountList
        items={factors}
        rowOf={(factor) => ({ id: factor.id, name: factor.name, detail: kindOf(factor) })}
        title="Remove this second factor?"
        removeLabel="Remove"
        busyLabel="Removing..."
        question={(name) => (
          <>
            <p>“{name}” will no longer be needed when you sign in.</p>
            {factors.length === 1 && (
              <p className="gap-above">
                This is your only second factor. Without it, your password alone opens the account, and your recovery
                codes stop working.
              </p>
            )}
          </>
        )}
        busy={submission.busy}
        onRemove={remove}
      />
      {adding === 'app' && <AddApp factors={factors} onProve={prove} onCancel={cancel} />}
      {adding === 'phone' && <AddPhone factors={factors} onProve={prove} onCancel={cancel} />}
      {!adding && (
        <div className="button-row">
          {offers.app && (
            <Button ref={addButton} variant={isFirst ? 'primary' : 'secondary'} onClick={() => setAdding('app')}>
              Add an authenticator app
            </Button>
          )}
          {offers.phone && (
            <Button ref={offers.app ? undefined : addButton} variant="secondary" onClick={() => setAdding('phone')}>
              Add a phone
            </Button>
          )}
        </div>
      )}
    </AccountPart>
  );
}

function kindOf({ kind, phone, added, name }: OwnFactor): string {
  const day = localDay(added);
  if (kind === 'app') return name.startsWith(APP_NAME) ? `Added ${day}` : `${APP_NAME}, added ${day}`;
  return name.startsWith(`+${phone}`) ? `Phone, added ${day}` : `Phone +${phone}, added ${day}`;
}

const AppForm = defineForm({
  fields: {
    'factor-name': {
      label: 'Name of the app or device',
      hint: 'Helps you tell several devices apart.',
      autoComplete: 'off',
      maxLength: 60,
      autoFocus: true,
    },
  },
  ...identityErrors,
});

interface NewFactorProps {
  factors: OwnFactor[];
  onProve: (id: string, code: string, challenge?: string) => Promise<void>;
  onCancel: () => void;
}

function AddApp({ factors, onProve, onCancel }: NewFactorProps) {
  const { agency } = useFacts();
  const [app, setApp] = useState<NewApp | null>(null);

  if (!app)
    return (
      <AppForm
        start={{ 'factor-name': unusedName(APP_NAME, factors) }}
        save={({ 'factor-name': name }) => beginApp(clients().auth, name || unusedName(APP_NAME, factors), agency.name)}
        onSaved={setApp}
        onCancel={onCancel}
        submitLabel="Continue"
        busyLabel="One moment..."
      />
    );
  const turnOn = (code: string) => onProve(app.id, code);
  return (
    <div className="stack">
      <p>Scan this with an authenticator app, such as the one in your password manager.</p>
      <img
        className="account-qr framed"
        src={app.qrCode}
        alt="QR code for your authenticator app"
        width={220}
        height={220}
      />
      <p className="account-here">
        <a className="tap" href={app.uri}>
          On this phone? Open your authenticator app with one tap.
        </a>
      </p>
      <p>No camera? Type this key into the app instead.</p>
      <div className="cluster account-secret">
        <code>{grouped(app.secret)}</code>
        <CopyButton text={app.secret} label="Copy the key" />
      </div>
      <CodeEntry label="Code from your app" submitLabel="Turn on" onCode={turnOn} onCancel={onCancel}>
        <p>Then type the six digits the app shows.</p>
      </CodeEntry>
    </div>
  );
}

const PHONE = { label: 'Phone number', hint: 'We send a code to this number whenever you sign in.', autoFocus: true };

function AddPhone({ factors, onProve, onCancel }: NewFactorProps) {
  const [sent, setSent] = useState<{ id: string; phone: string; challenge: string } | null>(null);

  async function enroll(values: { phone: string }) {
    const phone = phoneNumber(values.phone)!;
    const { auth } = clients();
    const id = await beginPhone(auth, unusedName(phone, factors), phone);
    return { id, phone, challenge: await sendFactorCode(auth, id) };
  }

  if (!sent)
    return (
      <PhoneForm
        more={{ phone: PHONE }}
        save={enroll}
        onSaved={setSent}
        onCancel={onCancel}
        submitLabel="Send a code"
        busyLabel="Sending..."
      />
    );
  const { id, phone, challenge } = sent;
  const turnOn = (code: string) => onProve(id, code, challenge);
  const resend = async () => setSent({ ...sent, challenge: await sendFactorCode(clients().auth, id) });
  return <PhoneCodeEntry submitLabel="Turn on" to={phone} onCode={turnOn} onResend={resend} onCancel={onCancel} />;
}

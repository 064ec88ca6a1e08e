import { useState } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { CodeEntry } from '../../code/entry.tsx';
import {
  APP_NAME,
  accountMessage,
  beginApp,
  forgetBegun,
  freeName,
  grouped,
  type NewApp,
  type OwnFactor,
  proveNewFactor,
} from '../../model/own-factors.ts';
import { accountPage as words } from '../../words.ts';

const AppForm = defineForm({
  fields: {
    'factor-name': {
      label: 'Name of the app or device',
      hint: 'So that you know it again when there are several.',
      autoComplete: 'off',
      maxLength: 60,
      autoFocus: true,
    },
  },
  failed: messages.anErrorOccurred,
  inWords: accountMessage,
});

export function AddApp({
  factors,
  onAdded,
  onCancel,
}: {
  factors: OwnFactor[];
  onAdded: () => Promise<void>;
  onCancel: () => void;
}) {
  const { agency } = useFacts();
  const [app, setApp] = useState<NewApp | null>(null);

  async function prove(code: string) {
    await proveNewFactor(clients().auth, app!.id, code).catch((error: unknown) => {
      throw new Error(accountMessage(error, messages.anErrorOccurred));
    });
    await onAdded();
  }

  function cancel() {
    // An abandoned enrollment would otherwise expire later.
    void forgetBegun(clients().auth);
    onCancel();
  }

  if (!app)
    return (
      <AppForm
        start={{ 'factor-name': freeName(APP_NAME, factors) }}
        save={({ 'factor-name': name }) => beginApp(clients().auth, name || freeName(APP_NAME, factors), agency.name)}
        onSaved={setApp}
        onCancel={onCancel}
        submitLabel="Go on"
        busyLabel="One moment..."
      />
    );
  return (
    <div className="stack">
      <p>{words.scan}</p>
      <img
        className="account-qr framed"
        src={app.qrCode}
        alt="QR code for your authenticator app"
        width={220}
        height={220}
      />
      <p className="account-here">
        <a href={app.uri}>{words.scanHere}</a>
      </p>
      <p>{words.secret}</p>
      <div className="cluster account-secret">
        <code>{grouped(app.secret)}</code>
        <CopyButton text={app.secret} label="Copy the key" />
      </div>
      <CodeEntry label="Code from your app" submitLabel="Turn on" onCode={prove}>
        <p>{words.appCode}</p>
      </CodeEntry>
      <Button variant="quiet" className="account-cancel" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}

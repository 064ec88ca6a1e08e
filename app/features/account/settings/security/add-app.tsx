import { useState } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { textIn } from '#ui/form/use-submit.ts';
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
import { PartForm, useAccountSubmit } from '../part.tsx';

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
  const act = useAccountSubmit();
  const [app, setApp] = useState<NewApp | null>(null);

  const begin = (typed: FormData) =>
    beginApp(clients().auth, textIn(typed, 'factor-name') || freeName(APP_NAME, factors), agency.name);

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

  if (!app) {
    return (
      <>
        {act.failure && <Banner kind="error">{act.failure}</Banner>}
        <PartForm
          submitLabel="Go on"
          busyLabel="One moment..."
          busy={act.busy}
          onSubmit={act.submit(begin, setApp)}
          onCancel={onCancel}
        >
          <TextField
            label="Name of the app or device"
            name="factor-name"
            hint="So that you know it again when there are several."
            autoComplete="off"
            maxLength={60}
            defaultValue={freeName(APP_NAME, factors)}
            autoFocus
          />
        </PartForm>
      </>
    );
  }
  return (
    <div className="account-steps">
      <p>{words.scan}</p>
      <img className="account-qr" src={app.qrCode} alt="QR code for your authenticator app" width={220} height={220} />
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

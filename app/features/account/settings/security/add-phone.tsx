import { useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { phoneIn } from '../../code/by-phone.tsx';
import { CodeEntry } from '../../code/entry.tsx';
import {
  accountMessage,
  beginPhone,
  forgetBegun,
  freeName,
  type OwnFactor,
  proveNewFactor,
} from '../../model/own-factors.ts';
import { sendFactorCode } from '../../model/second-factor.ts';
import { accountPage as words } from '../../words.ts';
import { PartForm, useAccountSubmit } from '../part.tsx';

export function AddPhone({
  factors,
  onAdded,
  onCancel,
}: {
  factors: OwnFactor[];
  onAdded: () => Promise<void>;
  onCancel: () => void;
}) {
  const act = useAccountSubmit();
  const [sent, setSent] = useState<{ id: string; phone: string; challenge: string } | null>(null);

  async function begin(typed: FormData) {
    const phone = phoneIn(typed);
    const { auth } = clients();
    const id = await beginPhone(auth, freeName(phone, factors), phone);
    return { id, phone, challenge: await sendFactorCode(auth, id) };
  }

  const inWords = (error: unknown) => {
    throw new Error(accountMessage(error, messages.anErrorOccurred));
  };
  async function prove(code: string) {
    await proveNewFactor(clients().auth, sent!.id, code, sent!.challenge).catch(inWords);
    await onAdded();
  }
  async function again() {
    const challenge = await sendFactorCode(clients().auth, sent!.id);
    setSent((known) => known && { ...known, challenge });
  }

  function cancel() {
    void forgetBegun(clients().auth);
    onCancel();
  }

  if (!sent) {
    return (
      <>
        {act.failure && <Banner kind="error">{act.failure}</Banner>}
        <PartForm
          submitLabel="Send a code"
          busyLabel="Sending..."
          busy={act.busy}
          onSubmit={act.submit(begin, setSent)}
          onCancel={cancel}
        >
          <TextField
            label="Phone number"
            name="phone"
            type="tel"
            autoComplete="tel"
            hint={words.phoneIntro}
            error={act.wrong['phone']}
            required
            autoFocus
          />
        </PartForm>
      </>
    );
  }
  return (
    <div className="account-steps">
      <CodeEntry
        label="Code from the message"
        submitLabel="Turn on"
        missing={accounts.noMessageYet}
        onCode={prove}
        onResend={again}
      >
        <p>
          We sent a code to <strong>{sent.phone}</strong>.
        </p>
      </CodeEntry>
      <Button variant="quiet" className="account-cancel" onClick={cancel}>
        Cancel
      </Button>
    </div>
  );
}

import { useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { WrongFields } from '#ui/form/use-submit.ts';
import { CodeEntry } from '../../code/entry.tsx';
import { phoneNumber } from '../../model/one-time-code.ts';
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

const PhoneForm = defineForm({
  fields: {
    phone: {
      label: 'Phone number',
      kind: 'tel',
      autoComplete: 'tel',
      hint: words.phoneIntro,
      required: true,
      autoFocus: true,
    },
  },
  failed: messages.anErrorOccurred,
  inWords: accountMessage,
});

export function AddPhone({
  factors,
  onAdded,
  onCancel,
}: {
  factors: OwnFactor[];
  onAdded: () => Promise<void>;
  onCancel: () => void;
}) {
  const [sent, setSent] = useState<{ id: string; phone: string; challenge: string } | null>(null);

  async function begin(values: { phone: string }) {
    const phone = phoneNumber(values.phone);
    if (phone === null) throw new WrongFields({ phone: accounts.phoneFormat });
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

  if (!sent)
    return (
      <PhoneForm save={begin} onSaved={setSent} onCancel={cancel} submitLabel="Send a code" busyLabel="Sending..." />
    );
  return (
    <div className="stack">
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

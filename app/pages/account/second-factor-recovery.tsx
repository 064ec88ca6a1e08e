import { type FormEvent, useState } from 'react';
import { messages } from '../../copy/messages.ts';
import { identityMessage } from '../../models/account/identity-error.ts';
import { TextField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';

/** A code from paper, for the day the phone is lost. */
export function SecondFactorRecovery({ onCode }: { onCode: (code: string) => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const code = String(new FormData(event.currentTarget).get('recovery')).trim();
    setBusy(true);
    setFailure(null);
    try {
      await onCode(code);
    } catch (error) {
      setFailure(identityMessage(error, messages.anErrorOccurred));
      setBusy(false);
    }
  }

  return (
    <form className="form-stack" method="post" onSubmit={send}>
      <p>Take one of the codes you kept when you set up the second factor. Cross it out: it works once.</p>
      <TextField
        label="Recovery code"
        name="recovery"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        error={failure}
        required
        autoFocus
      />
      <SubmitButton busy={busy} busyLabel="Checking...">
        Go on
      </SubmitButton>
    </form>
  );
}

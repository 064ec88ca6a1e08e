import { messages } from '#lib/words/messages.ts';
import { TextField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { LEAVING, textIn, useSubmit } from '#ui/form/use-submit.ts';
import { identityMessage } from './model/identity-error.ts';

export function SecondFactorRecovery({ onCode }: { onCode: (code: string) => Promise<unknown> }) {
  const { busy, failure, submit } = useSubmit(messages.anErrorOccurred, identityMessage);

  async function send(typed: FormData) {
    await onCode(textIn(typed, 'recovery'));
    return LEAVING;
  }

  return (
    <form className="form-stack" method="post" onSubmit={submit(send)}>
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

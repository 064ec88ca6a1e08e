import { accounts } from '#lib/words/accounts.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn, WrongFields } from '#ui/form/use-submit.ts';
import { phoneNumber, sendPhoneCode } from '../model/account.ts';
import { CodeEntry, signInWithCode, useCodeRequest } from './entry.tsx';

export function CodeByPhone({ onSignedIn }: { onSignedIn: () => Promise<unknown> }) {
  const { busy, failure, wrong, sent, ask } = useCodeRequest((to) => sendPhoneCode(clients().auth, to), phoneIn);

  async function signIn(code: string) {
    await signInWithCode({ phone: sent!.to, token: code, type: 'sms' });
    await onSignedIn();
  }

  if (sent) {
    return (
      <CodeEntry
        label="Code from the message"
        submitLabel="Go on"
        wait={sent.wait}
        missing={accounts.noMessageYet}
        onCode={signIn}
        onResend={() => sendPhoneCode(clients().auth, sent.to)}
      >
        <p>
          We sent a code to <strong>{sent.to}</strong>.
        </p>
      </CodeEntry>
    );
  }
  return (
    <form className="form-stack" method="post" onSubmit={ask}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <TextField
        label="Phone"
        name="phone"
        type="tel"
        autoComplete="tel"
        enterKeyHint="send"
        hint={wrong['phone'] ? undefined : accounts.phoneFormat}
        error={wrong['phone']}
        required
      />
      <SubmitButton busy={busy} busyLabel="Sending...">
        Text me a code
      </SubmitButton>
    </form>
  );
}

function phoneIn(typed: FormData): string {
  const phone = phoneNumber(textIn(typed, 'phone'));
  if (phone === null) throw new WrongFields({ phone: accounts.phoneFormat });
  return phone;
}

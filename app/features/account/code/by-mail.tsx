import { HOME } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { nextPath } from '#session/next-path.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { EmailField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { sendMailCode } from '../model/account.ts';
import { CodeEntry, signInWithCode, useCodeRequest } from './entry.tsx';

export function CodeByMail({
  email,
  next,
  onSignedIn,
}: {
  email: string;
  next: string | null;
  onSignedIn: () => Promise<unknown>;
}) {
  const mail = (to: string) =>
    sendMailCode(clients().auth, to, location.origin + nextPath(next, location.origin, HOME));

  const { busy, failure, sent, ask } = useCodeRequest(mail, (typed) => textIn(typed, 'email'));

  async function signIn(code: string) {
    await signInWithCode({ email: sent!.to, token: code, type: 'email' });
    await onSignedIn();
  }

  if (sent) {
    return (
      <CodeEntry
        label="Code from the mail"
        submitLabel="Sign In"
        wait={sent.wait}
        onCode={signIn}
        onResend={() => mail(sent.to)}
      >
        <p>
          If <strong>{sent.to}</strong> has an account here, a mail with a code is on its way. It works for ten minutes.
        </p>
      </CodeEntry>
    );
  }
  return (
    <form className="form-stack" method="post" onSubmit={ask}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <EmailField
        enterKeyHint="send"
        defaultValue={email}
        hint="We mail you a code that signs you in. No password needed."
      />
      <SubmitButton busy={busy} busyLabel="Sending...">
        Email me a code
      </SubmitButton>
    </form>
  );
}

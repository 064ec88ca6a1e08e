import { clients } from '#session/browser.ts';
import { noteConfirmed, resendConfirmation } from '../model/account.ts';
import { CodeEntry } from './entry.tsx';
import { signInWithCode } from './request.ts';

export function CodeConfirm({
  email,
  wait,
  onSignedIn,
}: {
  email: string;
  wait?: number | undefined;
  onSignedIn: () => Promise<unknown>;
}) {
  async function confirm(code: string) {
    await signInWithCode({ email, token: code, type: 'signup' });
    await noteConfirmed(clients().auth);
    await onSignedIn();
  }

  return (
    <CodeEntry
      label="Code from the mail"
      submitLabel="Confirm my email address"
      wait={wait}
      onCode={confirm}
      onResend={() => resendConfirmation(clients().auth, email, location.origin)}
    >
      <p>
        We sent a mail to <strong>{email}</strong>. Enter its code here, or click the button in it on any device.
      </p>
    </CodeEntry>
  );
}

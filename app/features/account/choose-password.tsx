import { type ReactNode, useState } from 'react';
import { clients } from '#session/browser.ts';
import { defineForm } from '#ui/form/define-form.tsx';
import { CodeEntry, PhoneCodeEntry } from './code/entry.tsx';
import { sentBefore } from './model/account.ts';
import { identityErrors, requireSuccess } from './model/identity-error.ts';

const PasswordForm = defineForm({
  fields: {
    current_password: { label: 'Current password', kind: 'password', required: true, autoFocus: true },
    password: { label: 'New password', kind: 'newPassword', required: true },
  },
  ...identityErrors,
});

type NewPassword = { password: string; current_password?: string };

interface ChoosePasswordProps {
  email: string;
  hasPassword?: boolean;
  children?: ReactNode;
  onSaved: () => unknown;
  onCancel?: () => void;
}

/** Sets a new password, with a code from a mail when the sign-in was a while ago. */
export function ChoosePassword({ email, hasPassword = false, children, onSaved, onCancel }: ChoosePasswordProps) {
  // The password stays in memory until the code is entered, never in the address or in storage.
  const [waiting, setWaiting] = useState<NewPassword | null>(null);
  const sendCode = () => sentBefore(clients().auth.reauthenticate());

  async function set(wanted: NewPassword, nonce?: string) {
    requireSuccess(await clients().auth.updateUser({ ...wanted, ...(nonce && { nonce }) }));
    await onSaved();
  }

  async function save({ password, current_password }: Required<NewPassword>) {
    const attributes = { password, ...(current_password && { current_password }) };
    await set(attributes).catch(async (error: { code?: string }) => {
      if (error.code !== 'reauthentication_needed') throw error;
      await sendCode();
      setWaiting(attributes);
    });
  }

  if (waiting) {
    const onCode = (code: string) => set(waiting, code);
    const entry = { submitLabel: 'Save the new password', onCode, onResend: sendCode, onCancel };
    if (!email) return <PhoneCodeEntry {...entry} to="your phone" />;
    return (
      <CodeEntry {...entry}>
        <p>
          You signed in a while ago, so we sent a code to <strong>{email}</strong> to be sure that it is you.
        </p>
      </CodeEntry>
    );
  }
  return (
    <PasswordForm save={save} onCancel={onCancel} submitLabel="Save the new password" busyLabel="Saving...">
      {(field) => (
        <>
          {children}
          {/* Password managers store the new password under this name. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          {hasPassword && field('current_password')}
          {field('password', { autoFocus: onCancel !== undefined && !hasPassword })}
        </>
      )}
    </PasswordForm>
  );
}

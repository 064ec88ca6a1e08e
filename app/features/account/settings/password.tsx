import type { User } from '@supabase/auth-js';
import { useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { CodeEntry } from '../code/entry.tsx';
import { accountMessage } from '../model/own-factors.ts';
import { accountPage as words } from '../words.ts';
import { AccountFact, checked } from './part.tsx';

const PasswordForm = defineForm({
  fields: {
    current_password: { label: 'Current password', kind: 'password', required: true, autoFocus: true },
    password: { label: 'New password', kind: 'newPassword', required: true },
  },
  failed: messages.anErrorOccurred,
  inWords: accountMessage,
});

interface Wish {
  password: string;
  current_password?: string;
}

export function AccountPassword({ user }: { user: User }) {
  const [done, setDone] = useState<string | null>(null);
  // In memory until the code is entered; never in the address or in storage.
  const [waiting, setWaiting] = useState<Wish | null>(null);
  const hasPassword = user.identities?.some(({ provider }) => provider === 'email' || provider === 'phone') ?? false;

  const set = async (wish: Wish, nonce?: string) =>
    checked(await clients().auth.updateUser({ ...wish, ...(nonce && { nonce }) }));
  const sendCode = async () => void checked(await clients().auth.reauthenticate());

  /** @returns whether a code is needed first */
  async function save({ password, current_password }: Required<Wish>): Promise<boolean> {
    setDone(null);
    const wish = { password, ...(current_password && { current_password }) };
    try {
      await set(wish);
      return false;
    } catch (error) {
      if ((error as { code?: string }).code !== 'reauthentication_needed') throw error;
      await sendCode();
      setWaiting(wish);
      return true;
    }
  }

  return (
    <AccountFact
      title="Password"
      fact={hasPassword ? 'Set' : 'Not set'}
      change={hasPassword ? 'Change' : 'Choose'}
      what="your password"
      done={done}
      form={(close) => {
        const cancel = () => {
          setWaiting(null);
          close();
        };
        const finish = () => {
          setDone(words.passwordSaved);
          cancel();
        };
        if (!waiting)
          return (
            <PasswordForm
              save={save}
              onSaved={(needsCode) => needsCode || finish()}
              onCancel={close}
              submitLabel="Save the new password"
              busyLabel="Saving..."
            >
              {(field) => (
                <>
                  {/* Password managers store the new password under this name. */}
                  <input type="text" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
                  {hasPassword && field('current_password')}
                  {field('password', { autoFocus: !hasPassword })}
                </>
              )}
            </PasswordForm>
          );
        const prove = async (code: string) => {
          // The form shows the refusal with this message.
          await set(waiting, code).catch((error: unknown) => {
            throw new Error(accountMessage(error, messages.anErrorOccurred));
          });
          finish();
        };
        return (
          <>
            <CodeEntry
              label="Code from the mail"
              submitLabel="Save the new password"
              onCode={prove}
              onResend={sendCode}
            >
              <p>
                You signed in a while ago, so we sent a code to <strong>{user.email}</strong> to be sure that it is you.
              </p>
            </CodeEntry>
            <Button variant="quiet" className="self-start" onClick={cancel}>
              Cancel
            </Button>
          </>
        );
      }}
    />
  );
}

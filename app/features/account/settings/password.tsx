import type { User } from '@supabase/auth-js';
import { useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Button } from '#ui/form/button.tsx';
import { PasswordField } from '#ui/form/password-field.tsx';
import { CodeEntry } from '../code/entry.tsx';
import { accountMessage } from '../model/own-factors.ts';
import { accountPage as words } from '../words.ts';
import { AccountPart, checked, PartForm, useAccountSubmit, useOpener } from './part.tsx';

interface Wish {
  password: string;
  current_password?: string;
}

export function AccountPassword({ user }: { user: User }) {
  const form = useOpener();
  const act = useAccountSubmit();
  // In memory until the code is entered; never in the address or in storage.
  const [waiting, setWaiting] = useState<Wish | null>(null);
  const hasPassword = user.identities?.some(({ provider }) => provider === 'email' || provider === 'phone') ?? false;

  const set = async (wish: Wish, nonce?: string) =>
    checked(await clients().auth.updateUser({ ...wish, ...(nonce && { nonce }) }));
  const sendCode = async () => void checked(await clients().auth.reauthenticate());

  function finish() {
    setWaiting(null);
    form.hide();
  }

  async function save(typed: FormData): Promise<boolean> {
    const current = typed.get('current_password');
    const wish = { password: String(typed.get('password')), ...(current && { current_password: String(current) }) };
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
  function saved(asksForCode: boolean) {
    if (asksForCode) return;
    act.say(words.passwordSaved);
    finish();
  }

  async function prove(code: string) {
    // The form shows the refusal with this message.
    await set(waiting!, code).catch((error: unknown) => {
      throw new Error(accountMessage(error, messages.anErrorOccurred));
    });
    saved(false);
  }

  return (
    <AccountPart title="Password" done={act.done} failure={act.failure}>
      {waiting ? (
        <>
          <CodeEntry label="Code from the mail" submitLabel="Save the new password" onCode={prove} onResend={sendCode}>
            <p>
              You signed in a while ago, so we sent a code to <strong>{user.email}</strong> to be sure that it is you.
            </p>
          </CodeEntry>
          <Button variant="quiet" className="account-cancel" onClick={finish}>
            Cancel
          </Button>
        </>
      ) : form.open ? (
        <PartForm
          submitLabel="Save the new password"
          busy={act.busy}
          onSubmit={act.submit(save, saved)}
          onCancel={form.hide}
        >
          {/* Password managers store the new password under this name. */}
          <input type="text" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
          {hasPassword && (
            <PasswordField
              label="Current password"
              name="current_password"
              autoComplete="current-password"
              required
              autoFocus
            />
          )}
          <PasswordField
            label="New password"
            autoComplete="new-password"
            minLength={accounts.minimumPassword}
            hint={accounts.tooShort(accounts.minimumPassword)}
            required
            autoFocus={!hasPassword}
          />
        </PartForm>
      ) : (
        <div className="cluster apart account-fact">
          <p>{hasPassword ? 'Set' : 'Not set'}</p>
          <Button ref={form.button} variant="quiet" onClick={form.show}>
            {hasPassword ? 'Change' : 'Choose'}
            <span className="hidden-text"> your password</span>
          </Button>
        </div>
      )}
    </AccountPart>
  );
}

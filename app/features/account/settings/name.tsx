import type { User } from '@supabase/auth-js';
import { useState } from 'react';
import { LONGEST_LINE } from '#lib/data/limits.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { defineForm } from '#ui/form/define-form.tsx';
import { accountMessage } from '../model/own-factors.ts';
import { accountPage as words } from '../words.ts';
import { AccountFact, checked } from './part.tsx';

const NameForm = defineForm({
  fields: { name: { label: 'Your name', autoComplete: 'name', maxLength: LONGEST_LINE, autoFocus: true } },
  failed: messages.anErrorOccurred,
  inWords: accountMessage,
});

export function AccountName({ user, onChange }: { user: User; onChange: () => Promise<void> }) {
  const name = String(user.user_metadata['name'] ?? '');
  const [done, setDone] = useState<string | null>(null);

  async function save(values: { name: string }) {
    setDone(null);
    checked(await clients().auth.updateUser({ data: values }));
    await onChange();
    setDone(words.nameSaved);
  }

  return (
    <AccountFact
      title="Name"
      fact={name || 'Not set'}
      what="your name"
      done={done}
      form={(close) => (
        <NameForm
          start={{ name }}
          save={save}
          onSaved={close}
          onCancel={close}
          submitLabel="Save the name"
          busyLabel="Saving..."
        />
      )}
    />
  );
}

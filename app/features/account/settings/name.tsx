import type { User } from '@supabase/auth-js';
import { LONGEST_LINE } from '#lib/data/limits.ts';
import { clients } from '#session/browser.ts';
import { Button } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { textIn } from '#ui/form/use-submit.ts';
import { accountPage as words } from '../words.ts';
import { AccountPart, checked, PartForm, useAccountSubmit, useOpener } from './part.tsx';

export function AccountName({ user, onChange }: { user: User; onChange: () => Promise<void> }) {
  const name = String(user.user_metadata['name'] ?? '');
  const form = useOpener();
  const act = useAccountSubmit();

  async function save(typed: FormData) {
    checked(await clients().auth.updateUser({ data: { name: textIn(typed, 'name') } }));
    await onChange();
  }
  function close() {
    act.say(words.nameSaved);
    form.hide();
  }

  return (
    <AccountPart title="Name" done={act.done} failure={act.failure}>
      {form.open ? (
        <PartForm submitLabel="Save the name" busy={act.busy} onSubmit={act.submit(save, close)} onCancel={form.hide}>
          <TextField
            label="Your name"
            name="name"
            autoComplete="name"
            maxLength={LONGEST_LINE}
            defaultValue={name}
            autoFocus
          />
        </PartForm>
      ) : (
        <div className="cluster apart account-fact">
          <p>{name || 'Not set'}</p>
          <Button ref={form.button} variant="quiet" onClick={form.show}>
            Change<span className="hidden-text"> your name</span>
          </Button>
        </div>
      )}
    </AccountPart>
  );
}

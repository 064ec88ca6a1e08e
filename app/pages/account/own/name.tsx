import type { User } from '@supabase/auth-js';
import { accountPage as words } from '../../../copy/account-page.ts';
import { clients } from '../../../session/browser.ts';
import { Button } from '../../../ui/form/button.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { AccountPart, checked, PartForm, useAct, useOpener } from './part.tsx';

export function AccountName({ user, onChange }: { user: User; onChange: () => Promise<void> }) {
  const name = String(user.user_metadata['name'] ?? '');
  const form = useOpener();
  const act = useAct();

  async function save(typed: FormData) {
    const changed = await act.act(async () => {
      checked(await clients().auth.updateUser({ data: { name: String(typed.get('name')).trim() } }));
      await onChange();
    }, words.nameSaved);
    if (changed) form.hide();
  }

  return (
    <AccountPart title="Name" done={act.done} failure={act.failure}>
      {form.open ? (
        <PartForm
          submitLabel="Save the name"
          busy={act.busy}
          onSubmit={(typed) => void save(typed)}
          onCancel={form.hide}
        >
          <TextField label="Your name" name="name" autoComplete="name" maxLength={200} defaultValue={name} autoFocus />
        </PartForm>
      ) : (
        <div className="cluster apart account-fact" ref={form.button}>
          <p>{name || 'Not set'}</p>
          <Button variant="quiet" onClick={form.show}>
            Change<span className="hidden-text"> your name</span>
          </Button>
        </div>
      )}
    </AccountPart>
  );
}

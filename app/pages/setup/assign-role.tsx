import { type FormEvent, useState } from 'react';
import { help } from '../../copy/admin/setup.ts';
import { messages } from '../../copy/messages.ts';
import { assignAdminRole } from '../../models/account/role.ts';
import { messageOf } from '../../models/data/api-error.ts';
import { clients } from '../../session/browser.ts';
import { forgetAdmin } from '../../session/current-user.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';
import { SetupKeyField, setupKeyIn } from './setup-key-field.tsx';

/** Assigns the admin role by address: as an admin, or with the setup key. The server decides. */
export function AssignRole() {
  const [state, setState] = useState<'ready' | 'busy' | 'done'>('ready');
  const [failure, setFailure] = useState<string | null>(null);

  async function assign(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const key = setupKeyIn(fields);
    setState('busy');
    setFailure(null);
    try {
      const data = clients().data(key ? { 'x-setup-key': key } : undefined);
      await assignAdminRole(data, String(fields.get('email')).trim());
      forgetAdmin();
      setState('done');
    } catch (error) {
      setFailure(messageOf(error, messages.unknownError));
      setState('ready');
    }
  }

  return (
    <form className="form-stack" method="post" onSubmit={assign}>
      <div aria-live="polite">{state === 'done' && <Banner kind="success">{help.roleAssigned}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      <TextField
        label="Email of the new admin"
        name="email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        required
      />
      <SetupKeyField />
      <SubmitButton busy={state === 'busy'} busyLabel="Assigning...">
        Assign admin role
      </SubmitButton>
    </form>
  );
}

import { assignAdminRole } from '#features/account/model/role.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextField } from '#ui/form/field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { textIn, useSubmit } from '#ui/form/use-submit.ts';
import { SetupKeyField, setupKeyIn } from './setup-key-field.tsx';
import { help } from './words/setup.ts';

export function AssignRole() {
  const { busy, done, failure, submit } = useSubmit(messages.unknownError);

  async function assign(typed: FormData) {
    const key = setupKeyIn(typed);
    await assignAdminRole(clients().data(key ? { 'x-setup-key': key } : undefined), textIn(typed, 'email'));
    forgetAdmin();
  }

  return (
    <form className="form-stack" method="post" onSubmit={submit(assign, help.roleAssigned)}>
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
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
      <SubmitButton busy={busy} busyLabel="Assigning...">
        Assign admin role
      </SubmitButton>
    </form>
  );
}

import { accounts } from '#lib/words/accounts.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextField } from '#ui/form/field.tsx';
import { PasswordField } from '#ui/form/password-field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { type Submit, textIn, WrongFields } from '#ui/form/use-submit.ts';
import type { SetupMethod, SetupRequest } from './model/admin-setup.ts';

const METHODS: { value: SetupMethod; label: string; note: string }[] = [
  {
    value: 'direct',
    label: 'Direct API Method',
    note: 'The server creates the account, already confirmed.',
  },
  { value: 'email', label: 'Email Signup Method', note: 'You sign up and confirm your address by email.' },
];

export function SetupForm({
  defaultKey,
  form,
  onRun,
}: {
  defaultKey: string | null;
  form: Submit;
  onRun: (method: SetupMethod, request: SetupRequest) => Promise<unknown>;
}) {
  const { busy, pressed, failure, wrong, submit } = form;
  const short = wrong['password'];

  async function send(typed: FormData, pressed: string) {
    const password = String(typed.get('password'));
    if ([...password].length < accounts.minimumPassword)
      throw new WrongFields({ password: accounts.tooShort(accounts.minimumPassword) });
    const method = pressed === 'email' ? 'email' : 'direct';
    await onRun(method, { key: textIn(typed, 'key'), email: textIn(typed, 'email'), password });
  }

  return (
    <form className="form-stack" method="post" onSubmit={submit(send)}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <p>
        This creates the first admin. The setup key was printed when the server first started. It works once, and only
        while there is no admin.
      </p>
      <TextField
        label="Setup key"
        name="key"
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={defaultKey ?? ''}
        required
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={accounts.tooShort(accounts.minimumPassword)}
        error={short}
        required
      />
      <ul className="grid gap-5 setup-methods" aria-label="Methods">
        {METHODS.map(({ value, label, note }, index) => (
          <li className="stack gap-3 rule pad-top-3" key={value}>
            <p className="quiet" id={`${value}-note`}>
              {note}
            </p>
            <SubmitButton
              name="method"
              value={value}
              variant={index === 0 ? 'primary' : 'secondary'}
              aria-describedby={`${value}-note`}
              busy={busy}
              busyLabel={pressed === value ? 'Processing...' : undefined}
            >
              {label}
            </SubmitButton>
          </li>
        ))}
      </ul>
    </form>
  );
}

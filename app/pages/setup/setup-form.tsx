import { type FormEvent, useState } from 'react';
import { accounts } from '../../copy/accounts.ts';
import type { SetupMethod, SetupRequest } from '../../models/account/admin-setup.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SubmitButton } from '../../ui/form/submit-button.tsx';

const METHODS: { value: SetupMethod; label: string; note: string }[] = [
  {
    value: 'direct',
    label: 'Direct API Method',
    note: 'The server creates the account, already confirmed. Nothing to wait for.',
  },
  { value: 'email', label: 'Email Signup Method', note: 'You sign up and confirm your address by mail.' },
];

/** Key, e-mail, password, and a button for each method. */
export function SetupForm({
  defaultKey,
  failure,
  busy,
  onRun,
}: {
  /** Only in development. */
  defaultKey: string | null;
  failure: string | null;
  busy: boolean;
  onRun: (method: SetupMethod, request: SetupRequest) => Promise<void>;
}) {
  const [short, setShort] = useState(false);
  const [running, setRunning] = useState<SetupMethod>('direct');

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // Enter in a field presses the first button.
    const { submitter } = event.nativeEvent as SubmitEvent;
    const method: SetupMethod = submitter?.getAttribute('value') === 'email' ? 'email' : 'direct';
    const form = event.currentTarget;
    const fields = new FormData(form);
    const password = String(fields.get('password'));
    const tooShort = [...password].length < accounts.minimumPassword;
    setShort(tooShort);
    if (tooShort) {
      form.querySelector<HTMLElement>('[name="password"]')?.focus();
      return;
    }
    setRunning(method);
    await onRun(method, {
      key: String(fields.get('key')).trim(),
      email: String(fields.get('email')).trim(),
      password,
    });
  }

  return (
    <form className="form-stack" method="post" onSubmit={submit}>
      {failure && <Banner kind="error">{failure}</Banner>}
      <p>
        This makes the first admin. The key was printed when the server started for the first time; it works once, and
        only while there is no admin.
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
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint={short ? undefined : accounts.tooShort(accounts.minimumPassword)}
        error={short && accounts.tooShort(accounts.minimumPassword)}
        required
      />
      <ul className="setup-methods" aria-label="Methods">
        {METHODS.map(({ value, label, note }, index) => (
          <li key={value}>
            <p id={`${value}-note`}>{note}</p>
            <SubmitButton
              name="method"
              value={value}
              variant={index === 0 ? 'primary' : 'secondary'}
              aria-describedby={`${value}-note`}
              busy={busy}
              busyLabel={running === value ? 'Processing...' : undefined}
            >
              {label}
            </SubmitButton>
          </li>
        ))}
      </ul>
    </form>
  );
}

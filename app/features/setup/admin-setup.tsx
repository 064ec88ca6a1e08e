import { useRef, useState } from 'react';
import { href } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { privatePage } from '#session/private-page.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { type Submit, textIn, useSubmit, WrongFields } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/admin-setup';
import {
  type SetupMethod,
  type SetupOutcome,
  type SetupRequest,
  setUpByEmail,
  setUpDirectly,
} from './model/admin-setup.ts';
import { SETUP_REDIRECT, setup } from './words/setup.ts';
import './setup.css';
import { accounts } from '#lib/words/accounts.ts';
import { TextField } from '#ui/form/field.tsx';
import { PasswordField } from '#ui/form/password-field.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) => pageTags(page, { title: setup.title, noindex: true });

export const loader = ({ context }: Route.LoaderArgs) => ({
  key: context.get(siteContext).settings.developmentSetupKey,
});

export default function AdminSetup({ loaderData }: Route.ComponentProps) {
  const [state, setState] = useState<'form' | SetupOutcome | 'failed'>('form');
  const form = useSubmit(messages.unknownError);
  const [lines, setLines] = useState<SetupLogLine[]>([]);
  const number = useRef(0);
  const log = (text: string, kind: SetupLogLine['kind'] = 'step') => {
    const line: SetupLogLine = { number: number.current++, at: new Date(), text, kind };
    setLines((known) => [...known, line]);
  };

  async function run(method: SetupMethod, request: SetupRequest) {
    setState('form');
    log(method === 'direct' ? 'Direct API Method started.' : 'Email Signup Method started.');
    const means = { ...clients(), origin: location.origin, log };
    try {
      const outcome = await (method === 'direct' ? setUpDirectly : setUpByEmail)(means, request);
      forgetAdmin();
      log(outcome === 'complete' ? setup.complete : 'Setup is not finished yet; see the instructions.');
      setState(outcome);
    } catch (error) {
      log(messageOf(error, messages.unknownError), 'error');
      setState('failed');
      throw error;
    }
  }

  const again = () => {
    form.reset();
    setState('form');
  };
  const manual = state === 'manual' || state === 'failed';
  const aside = (lines.length > 0 || manual) && (
    <div className="stack work-aside panel pad-5">
      {manual && <ManualInstructions pending={state === 'manual'} onTryAgain={again} />}
      <SetupLog lines={lines} />
    </div>
  );

  return (
    <WorkSheet title={setup.title} aside={aside}>
      {state === 'complete' ? (
        <RedirectNotice
          message={setup.complete}
          to={href('/admin')}
          after={SETUP_REDIRECT}
          label="Open the admin area"
        />
      ) : (
        <SetupForm defaultKey={loaderData.key} form={form} onRun={run} />
      )}
      <div className="work-links">
        <a href={href('/admin')}>Admin Login</a>
        <a href={href('/')}>Return to Home</a>
      </div>
    </WorkSheet>
  );
}

interface SetupLogLine {
  number: number;
  at: Date;
  text: string;
  kind: 'step' | 'warning' | 'error';
}

const SetupLog = ({ lines }: { lines: SetupLogLine[] }) => (
  <section aria-labelledby="setup-log">
    <h2 className="size-1" id="setup-log">
      Setup log
    </h2>
    <div role="log" aria-labelledby="setup-log">
      <ol className="setup-log above-3 stack gap-2 mono anywhere">
        {lines.map(({ number, at, text, kind }) => (
          <li className="stack gap-3" key={number} data-kind={kind}>
            <time className="quiet" dateTime={at.toISOString()}>
              {at.toTimeString().slice(0, 8)}
            </time>
            <span>
              {kind !== 'step' && <strong>{kind === 'error' ? 'Failed: ' : 'Note: '}</strong>}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  </section>
);

const ManualInstructions = ({ pending, onTryAgain }: { pending: boolean; onTryAgain: () => void }) => (
  <section aria-labelledby="manual">
    <h2 className="size-1" id="manual">
      Manual instructions
    </h2>
    {pending && (
      <div className="gap-above">
        <Banner kind="warning">{setup.confirmFirst}</Banner>
        <p className="gap-above-small">{setup.assignByHand}</p>
      </div>
    )}
    <ol className="work-list gap-above">
      {pending && <li>Open the link in the email and confirm the address.</li>}
      <li>Check the setup key. It's printed when the server first starts; the person who set up the server has it.</li>
      <li>If there's an admin already, the key no longer works. Ask that admin to give you the role.</li>
      <li>
        {pending
          ? 'Then come back and run the Email Signup Method again with the same key, address and password.'
          : 'Fix what the message says, then try again.'}
      </li>
    </ol>
    <div className="button-row gap-above">
      <LinkButton href={href('/admin')}>Go to Admin Login</LinkButton>
      <Button variant="secondary" onClick={onTryAgain}>
        Try Again
      </Button>
    </div>
  </section>
);

const METHODS: { value: SetupMethod; label: string; note: string }[] = [
  {
    value: 'direct',
    label: 'Direct API Method',
    note: 'The server creates the account, already confirmed.',
  },
  { value: 'email', label: 'Email Signup Method', note: 'You sign up and confirm your address by email.' },
];

function SetupForm({
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

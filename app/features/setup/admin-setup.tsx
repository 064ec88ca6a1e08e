import { type ComponentProps, type ReactNode, useState } from 'react';
import { href } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { emailField } from '#features/account/sign-in-form.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { privatePage } from '#lib/page-headers.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RedirectNotice } from '#ui/feedback/redirect-notice.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { verbatim } from '#ui/form/confirm-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/admin-setup';
import { type SetupOutcome, type SetupRequest, setUpByEmail, setUpDirectly } from './model/admin-setup.ts';
import { setup } from './words/setup.ts';
import './setup.css';

export const headers = () => privatePage;
export const meta = privateTags(setup.title);

export const loader = ({ context }: Route.LoaderArgs) => ({
  key: context.get(siteContext).settings.developmentSetupKey,
});

export default function AdminSetup({ loaderData }: Route.ComponentProps) {
  const [outcome, setOutcome] = useState<SetupOutcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [lines, setLines] = useState<SetupLogLine[]>([]);
  const log = (text: string, kind: SetupLogLine['kind'] = 'step') => {
    const at = new Date();
    setLines((known) => [...known, { number: known.length, at, text, kind }]);
  };

  function restart() {
    setFailure(null);
    setOutcome(null);
  }
  async function run(request: SetupRequest, method: string) {
    restart();
    const isDirect = method !== 'email';
    log(`${METHODS[isDirect ? 0 : 1].label} started.`);
    const services = { ...clients(), origin: location.origin, log };
    try {
      const outcome = await (isDirect ? setUpDirectly : setUpByEmail)(services, request);
      forgetRole();
      log(outcome === 'complete' ? setup.complete : 'Setup is not finished yet; see the instructions.');
      setOutcome(outcome);
    } catch (error) {
      const message = messageOf(error, messages.unknownError);
      log(message, 'error');
      setFailure(message);
    }
  }

  const manual = outcome === 'manual' || failure !== null;
  const aside = (lines.length > 0 || manual) && (
    <div className="stack work-aside panel pad-5">
      {manual && <ManualInstructions pending={outcome === 'manual'} onTryAgain={restart} />}
      <SetupLog lines={lines} />
    </div>
  );

  return (
    <WorkSheet title={setup.title} aside={aside}>
      {outcome === 'complete' ? (
        <RedirectNotice message={setup.complete} />
      ) : (
        <>
          <p>
            This creates the first admin. The setup key was printed when the server first started. It works once, and
            only while there is no admin.
          </p>
          <SetupForm start={{ key: loaderData.key ?? '' }} notice={failure} save={run} actions={setupMethods} />
        </>
      )}
      <div className="work-links">
        <a href={href('/admin')}>Admin Login</a>
        <a href={href('/')}>Return to Home</a>
      </div>
    </WorkSheet>
  );
}

type SetupLogLine = { number: number; at: Date; text: string; kind: 'step' | 'warning' | 'error' };

const SetupLog = ({ lines }: { lines: SetupLogLine[] }) => (
  <TitledSection titleId="setup-log" heading="size-1" title="Setup log">
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
  </TitledSection>
);

const ManualInstructions = ({ pending, onTryAgain }: { pending: boolean; onTryAgain: () => void }) => (
  <TitledSection titleId="manual" heading="size-1" title="Manual instructions">
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
  </TitledSection>
);

const METHODS = [
  { value: 'direct', label: 'Direct API Method', note: 'The server creates the account, already confirmed.' },
  { value: 'email', label: 'Email Signup Method', note: 'You sign up and confirm your address by email.' },
] as const;

const SetupForm = defineForm({
  fields: {
    key: { label: 'Setup key', ...verbatim, required: true },
    email: { ...emailField, autoComplete: 'email' },
    password: { label: 'Password', kind: 'newPassword', required: true },
  },
  failed: messages.unknownError,
});

const setupMethods = (button: (button: ComponentProps<typeof Button>) => ReactNode) => (
  <ul className="grid gap-5 setup-methods" aria-label="Methods">
    {METHODS.map(({ value, label, note }, index) => (
      <li className="stack gap-3 rule pad-top-3" key={value}>
        <p className="quiet" id={`${value}-note`}>
          {note}
        </p>
        {button({
          value,
          children: label,
          variant: index === 0 ? 'primary' : 'secondary',
          'aria-describedby': `${value}-note`,
          busyLabel: 'Processing...',
        })}
      </li>
    ))}
  </ul>
);

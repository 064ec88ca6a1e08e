import { useQuery } from '@tanstack/react-query';
import { href, useSearchParams } from 'react-router';
import { sendPasswordReset } from '#features/account/model/account.ts';
import { assignAdminRole } from '#features/account/model/role.ts';
import { EmailForm } from '#features/account/sign-in-form.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { signInPage } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetRole } from '#session/current-user.ts';
import { createQueryCache } from '#session/query-cache.ts';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { RecentMoment } from '#ui/time.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { healthQuery } from './health-query.ts';
import type { HealthCheck, HealthState } from './model/health.ts';
import { healthNames } from './words/health.ts';
import { helpWords, setupKey } from './words/setup.ts';
import './setup.css';

export const headers = () => privatePage;
export const meta = privateTags(helpWords.title);

export default function AdminHelp() {
  const [address, setAddress] = useSearchParams();
  const tab = address.get('tab');
  const selectedTab = tab === 'assign' || tab === 'troubleshoot' ? tab : 'login';
  const tabs = [
    { value: 'login', label: 'Login Help', panel: <LoginHelp /> },
    { value: 'assign', label: 'Assign Role', panel: <AssignRole /> },
    { value: 'troubleshoot', label: 'Troubleshoot', panel: <Troubleshoot shown={selectedTab === 'troubleshoot'} /> },
  ];
  return (
    <WorkSheet title={helpWords.title}>
      <Tabs
        label={helpWords.title}
        tabs={tabs}
        chosen={selectedTab}
        onChoose={(tab) => setAddress({ tab }, { replace: true, preventScrollReset: true })}
      />
      <div className="work-links">
        <a href={href('/admin')}>Back to login</a>
      </div>
    </WorkSheet>
  );
}

/** The response is the same whether or not the address has an account. */
const LoginHelp = () => (
  <EmailForm
    more={{ email: { hint: 'We send a link that lets you choose a new password.' } }}
    save={({ email }) => sendPasswordReset(clients().auth, email, location.origin)}
    onSaved={accounts.passwordResetSent}
    submitLabel="Send reset link"
    busyLabel="Sending..."
  />
);

const RoleForm = defineForm({
  fields: {
    email: { label: 'Email of the new admin', kind: 'email', autoComplete: 'off', required: true },
    key: setupKey,
  },
  failed: messages.unknownError,
});

const AssignRole = () => (
  <RoleForm
    save={async ({ email, key }) => {
      await assignAdminRole(clients().data(key ? { 'x-setup-key': key } : undefined), email);
      forgetRole();
    }}
    onSaved="Admin role assigned successfully! You can now log in with your credentials."
    submitLabel="Assign admin role"
    busyLabel="Assigning..."
  />
);

const TROUBLES = {
  'Captcha failure': [
    'Turn off your VPN or proxy and try again.',
    'Try another browser, or a private window without extensions.',
    'Ask the person who runs the server to switch the captcha off for a while (CAPTCHA and CAPTCHA_SECRET).',
  ],
  'Role assignment fails': [
    'The address has to belong to an account, and the account has to be confirmed.',
    'Only an admin can assign the role. Before there is an admin, the setup key can assign it once.',
    'After five wrong keys the server refuses further guesses for fifteen minutes or more. The right key always works.',
  ],
  'Missing database tables': [
    'The built-in backend creates the tables when it starts. Restart it and read its log.',
    'On hosted Supabase, run the migrations in supabase/migrations with `supabase db push`.',
  ],
};

const Troubleshoot = ({ shown }: { shown: boolean }) => (
  <div className="form-stack">
    <LiveChecks shown={shown} />
    {Object.entries(TROUBLES).map(([title, remedies]) => (
      <section key={title}>
        <h2 className="below-2 size-1">{title}</h2>
        <ul className="work-list">
          {remedies.map((remedy) => (
            <li key={remedy}>{remedy}</li>
          ))}
        </ul>
      </section>
    ))}
  </div>
);

const ICON: Record<HealthState, IconName> = { fine: 'check', look: 'warning', unknown: 'info' };
const STATES: Record<HealthState, string> = { fine: 'Fine', look: 'Needs attention', unknown: 'Cannot be checked' };

const cache = createQueryCache();

function LiveChecks({ shown }: { shown: boolean }) {
  const options = { ...healthQuery, staleTime: 0, enabled: shown, refetchOnWindowFocus: false };
  const { data: found, isFetching: busy, refetch } = useQuery(options, cache);
  const faultCount = found?.checks.filter(({ state }) => state === 'look').length ?? 0;
  const parts = faultCount === 1 ? '1 part needs' : `${faultCount} parts need`;
  const summary = faultCount === 0 ? 'All checks passed.' : `${parts} a look.`;
  return (
    <section className="stack gap-3" aria-labelledby="live-checks">
      <div className="gap-4 cluster apart">
        <h2 className="size-1" id="live-checks">
          Live checks
        </h2>
        <SmallButton busy={busy} busyLabel="Checking..." onClick={() => void refetch()}>
          Check again
        </SmallButton>
      </div>
      <p role="status">{found && !busy && summary}</p>
      {found && (
        <ul>
          {found.checks.map((one) => (
            <Check key={one.part} check={one} />
          ))}
        </ul>
      )}
      {found && !found.admin && (
        <p>
          The other checks are for admins.{' '}
          <a href={signInPage(`${href('/admin-help')}?tab=troubleshoot`)}>Sign in to see them</a>
        </p>
      )}
    </section>
  );
}

const Check = ({ check: { part, state, says, mend, since, at } }: { check: HealthCheck }) => (
  <li className="live-check stack gap-3 hairline pad-y-3" data-state={state}>
    <Icon name={ICON[state]} />
    <div>
      <p className="live-check-head cluster baseline apart">
        <strong>{healthNames[part]}</strong>
        <span className="live-check-state">
          {STATES[state]}
          {since && state !== 'unknown' && (
            <>
              {' '}
              since <RecentMoment at={since} />
            </>
          )}
        </span>
      </p>
      <p>
        {says}
        {at && (
          <>
            {' '}
            ({Date.parse(at) > Date.now() ? 'until' : 'from'} <RecentMoment at={at} />)
          </>
        )}
      </p>
      {mend && <p className="live-check-mend quiet">{mend}</p>}
    </div>
  </li>
);

import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { href, Link } from 'react-router';
import { useUnhandled } from '#features/messages/message-queries.ts';
import { type DueChange, MAX_DUE_CHANGES } from '#features/projects/model/plans.ts';
import { useDueChanges } from '#features/projects/project-queries.ts';
import { countText } from '#features/reviews/model/review.ts';
import { useCount, useOldestWaiting } from '#features/reviews/review-queries.ts';
import { useExampleContacts } from '#features/settings/example-contacts.tsx';
import { healthQuery } from '#features/setup/health-query.ts';
import { faultsIn } from '#features/setup/model/health.ts';
import { healthNames } from '#features/setup/words/health.ts';
import { useIsAdmin } from '#session/caller.ts';
import { SmallLink } from '#ui/admin/screen-head.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { wholeDays, ZonedMoment } from '#ui/time.tsx';
import { useProjectOverview } from '../charts/dashboard-charts.tsx';
import { needs as words } from '../words/dashboard.ts';
import '../dashboard.css';

const CHECKS = { to: `${href('/admin-help')}?tab=troubleshoot`, action: words.seeChecks, leaves: true } as const;
const REVIEWS = { to: href('/admin/review'), action: 'Review now' };
const MESSAGES = { to: href('/admin/messages'), action: 'Read messages' };
const CONTACTS = { to: href('/admin/settings'), action: 'Replace them' };

export function NeedsYou({ firstRun }: { firstRun: boolean }) {
  const waiting = useCount('waiting');
  const oldest = useOldestWaiting();
  const messages = useUnhandled();
  const isAdmin = useIsAdmin();
  const health = useQuery({ ...healthQuery, enabled: isAdmin });
  const examples = useExampleContacts();
  const planned = useDueChanges();
  const overview = useProjectOverview();
  const queries = [waiting, oldest, messages, planned, overview, ...(isAdmin ? [health] : [])];
  const failed = queries.some(({ isError }) => isError) || health.data?.admin === false;

  function refetchAll() {
    for (const query of queries) void query.refetch();
  }

  const needs: Need[] = [];
  // Rows that are still counted take their place, except in a new installation, where they would disappear again.
  const counting = !firstRun && (waiting.isPending || oldest.isPending);
  const age = oldest.data ? wholeDays(oldest.data) : null;
  const reviews = words.waiting(waiting.data ? countText(waiting.data) : '1', age);
  if (counting || waiting.data?.reviews) needs.push({ ...REVIEWS, icon: 'inbox', title: reviews, pending: counting });
  if (messages.data || (messages.isPending && !firstRun))
    needs.push({ ...MESSAGES, icon: 'mail', title: words.messages(messages.data ?? 1), pending: messages.isPending });
  for (const { id, title, open, submission } of overview.data?.comments ?? [])
    needs.push({
      icon: 'edit',
      title: `${open} open ${open === 1 ? 'comment' : 'comments'} on “${title}”`,
      to: submission ? href('/admin/review/:id', { id }) : href('/admin/projects/:id', { id }),
      action: 'Answer',
    });
  for (const change of planned.data ?? []) {
    if (!change.problem) continue;
    const title = `“${titleOfDue(change)}” was not ${change.kind}ed at its date`;
    needs.push({ icon: 'warning', title, detail: change.problem, to: pathOfDue(change), action: 'Decide' });
  }
  if (examples && isAdmin && !firstRun)
    needs.push({ ...CONTACTS, icon: 'warning', title: 'Example contact details are public', detail: examples });
  for (const { part, says } of health.data ? faultsIn(health.data) : [])
    if (!(firstRun && part === 'mail'))
      needs.push({ ...CHECKS, icon: 'warning', title: `${healthNames[part]} needs attention`, detail: says });

  const checking = !firstRun && (health.isLoading || (needs.length === 0 && overview.isLoading));
  if (firstRun && needs.length === 0) return null;
  return (
    <TitledSection titleId="needs" title="Needs you">
      {needs.length === 0 && !checking && !failed ? (
        <p className="row-meta">Nothing needs you right now.</p>
      ) : (
        <ul className="hairline">
          {needs.map((need) => (
            <NeedRow key={`${need.to} ${need.title}`} need={need} />
          ))}
          {checking && (
            <li className="row">
              <Spinner label="Checking what needs you" />
            </li>
          )}
          {failed && (
            <li className="row">
              <span className="row-words">Some checks failed to load.</span>
              <SmallButton busy={queries.some(({ isFetching }) => isFetching)} onClick={refetchAll}>
                Try Again
              </SmallButton>
            </li>
          )}
        </ul>
      )}
    </TitledSection>
  );
}

interface Need {
  icon: IconName;
  state?: string;
  title: string;
  detail?: string | null;
  to: string;
  action: string | null;
  leaves?: boolean;
  pending?: boolean;
}

function NeedRow({ need: { icon, state, title, detail, to, action, leaves, pending } }: { need: Need }) {
  const id = useId();
  return (
    <li className="row cluster need" data-pending={pending || undefined}>
      <Icon name={icon} />
      <div className="row-words">
        <strong className="row-title" id={id}>
          {state && <span className="hidden-text">{state} </span>}
          {title}
        </strong>
        {detail && <span className="row-meta">{detail}</span>}
      </div>
      {action && (
        <SmallLink to={to} reloadDocument={leaves} aria-describedby={id}>
          {action}
        </SmallLink>
      )}
    </li>
  );
}

const DONE = { icon: 'check', state: 'Done:', detail: null, action: null } as const;
const TO_DO = { icon: 'square', state: 'To do:' } as const;

export function FirstSteps() {
  const examples = useExampleContacts();
  const health = useQuery(healthQuery);
  if (health.isPending) return <Spinner label="Loading the first steps" />;
  const checkOf = (name: string) => health.data?.checks.find(({ part }) => part === name);
  const mail = checkOf('mail');
  const admins = checkOf('admin');
  const steps = [
    {
      title: 'Replace the example contact details',
      detail: 'The site shows example details until then, so visitors can’t reach you.',
      done: examples === '',
      to: href('/admin/settings'),
      action: 'Open Settings',
    },
    mail &&
      mail.state !== 'unknown' && { ...CHECKS, title: 'Set up mail', detail: mail.mend, done: mail.state === 'fine' },
    {
      title: 'Publish the first experiment',
      detail: 'The portfolio and the home page are empty until then.',
      done: false,
      to: href('/admin/projects/new'),
      action: 'New Project',
    },
    admins && {
      title: 'Invite a colleague and make them an admin',
      detail: 'Someone else can then manage the site when you’re away.',
      done: admins.code === 'several',
      to: href('/admin/users'),
      action: 'Open Users',
    },
  ].filter((step) => !!step);
  return (
    <section aria-labelledby="first-steps">
      <div className="screen-section">
        <h2 id="first-steps">Getting started</h2>
        <span className="amount">
          {steps.filter(({ done }) => done).length} of {steps.length} done
        </span>
      </div>
      <ol className="hairline">
        {steps.map(({ done, ...step }) => (
          <NeedRow key={step.title} need={{ ...step, ...(done ? DONE : TO_DO) }} />
        ))}
      </ol>
    </section>
  );
}

const titleOfDue = ({ project, page }: DueChange): string =>
  project?.title ?? page?.title ?? (page && `${page.kind[0]!.toUpperCase()}${page.kind.slice(1)} page`) ?? '';

const pathOfDue = ({ project, page }: DueChange): string =>
  project ? href('/admin/projects/:id', { id: project.id }) : href('/admin/pages/:id', { id: page!.id });

export function DueChanges() {
  const { data = [] } = useDueChanges();
  const coming = data.filter(({ problem }) => !problem);
  if (coming.length === 0) return null;
  return (
    <TitledSection className="above-5" titleId="due" title="Scheduled">
      <ul className="hairline">
        {coming.map((change) => (
          <li className="row" key={change.id}>
            <div className="row-words">
              <Link className="row-title" to={pathOfDue(change)}>
                {titleOfDue(change)}
              </Link>
              <span className="row-meta">
                {{ publish: 'Goes live', unpublish: 'Back to draft' }[change.kind]} <ZonedMoment at={change.due_at!} />
              </span>
            </div>
          </li>
        ))}
        {data.length === MAX_DUE_CHANGES && <li className="row">Later dates are not listed here.</li>}
      </ul>
    </TitledSection>
  );
}

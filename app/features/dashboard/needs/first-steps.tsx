import { useQuery } from '@tanstack/react-query';
import { href } from 'react-router';
import { useExampleContacts } from '#features/settings/example-contacts.tsx';
import { healthQuery } from '#features/setup/health-query.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { firstSteps as words } from '../words/dashboard.ts';
import { NeedRow } from './need-row.tsx';
import { CHECKS } from './needs-you.tsx';

export function FirstSteps() {
  const examples = useExampleContacts();
  const health = useQuery(healthQuery);
  if (health.isPending) return <Spinner label={words.loading} />;
  const checkOf = (name: string) => health.data?.checks.find(({ part }) => part === name);
  const mail = checkOf('mail');
  const admins = checkOf('admin');
  const steps = [
    {
      title: words.contacts,
      detail: words.contactsHint,
      done: examples === '',
      to: href('/admin/settings'),
      action: words.openSettings,
    },
    ...(mail && mail.state !== 'unknown'
      ? [
          {
            title: words.mail,
            detail: mail.mend,
            done: mail.state === 'fine',
            to: CHECKS,
            action: words.seeChecks,
            leaves: true,
          },
        ]
      : []),
    {
      title: words.publish,
      detail: words.publishHint,
      done: false,
      to: href('/admin/projects/new'),
      action: words.newProject,
    },
    ...(admins
      ? [
          {
            title: words.colleague,
            detail: words.colleagueHint,
            done: admins.code === 'several',
            to: href('/admin/users'),
            action: words.openUsers,
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="first-steps">
      <div className="screen-section">
        <h2 id="first-steps">{words.title}</h2>
        <span className="amount">{words.progress(steps.filter(({ done }) => done).length, steps.length)}</span>
      </div>
      <ol className="rows">
        {steps.map(({ done, action, detail, ...step }) => (
          <NeedRow
            key={step.title}
            need={{
              ...step,
              icon: done ? 'check' : 'square',
              state: done ? words.done : words.open,
              detail: done ? null : detail,
              action: done ? null : action,
            }}
          />
        ))}
      </ol>
    </section>
  );
}

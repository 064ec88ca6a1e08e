import { savedBy } from '#features/projects/model/versions/versions.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { Moment } from '#ui/time.tsx';
import { useEnquiry } from './message-queries.ts';
import type { Enquiry } from './model/contact-messages.ts';
import { inbox } from './words/admin.ts';

export function ProjectEnquiry({ project }: { project: string }) {
  const { data: enquiry } = useEnquiry(project);
  if (!enquiry) return null;
  const { name, email, message, created_at, history } = enquiry;
  return (
    <TitledSection titleId="enquiry" title={inbox.enquiry}>
      <p>
        {name}, <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
      </p>
      <p className="pre-wrap anywhere gap-above-small">{message}</p>
      <ol className="hairline gap-above">
        <li className="row-meta hairline-below pad-y-2">
          {inbox.history.received}, <Moment at={created_at} />
        </li>
        {history.map((entry) => (
          <li key={entry.at} className="row-meta hairline-below pad-y-2">
            {nameOfStep(entry)} by {savedBy(entry)}, <Moment at={entry.at} />
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}

function nameOfStep({ action, changes }: Enquiry['history'][number]): string {
  if (action.endsWith('.start_project')) return inbox.history.start_project;
  return changes?.handled?.[1] ? inbox.history.handled : inbox.history.fresh;
}

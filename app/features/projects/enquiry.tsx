import { readOne } from '#lib/data/rows.ts';
import { useRead } from '#session/use-read.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { Moment } from '#ui/time.tsx';
import { savedBy, type Version } from './model/versions/versions.ts';
import { PROJECTS } from './project-queries.ts';

interface Enquiry {
  name: string;
  email: string;
  message: string;
  created_at: string;
  history: (Pick<Version, 'at' | 'actor_kind' | 'actor'> & {
    action: string;
    changes: { handled?: boolean[] } | null;
  })[];
}

export function ProjectEnquiry({ project }: { project: string }) {
  const { data: enquiry } = useRead([PROJECTS, 'enquiry', project], (data) =>
    readOne<Enquiry | null>(data.rpc('project_enquiry', { p_id: project }, { get: true })),
  );
  if (!enquiry) return null;
  const { name, email, message, created_at, history } = enquiry;
  return (
    <TitledSection titleId="enquiry" title="Enquiry">
      <p>
        {name}, <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
      </p>
      <p className="pre-wrap anywhere gap-above-small">{message}</p>
      <ol className="hairline gap-above">
        <li className="row-meta hairline-below pad-y-2">
          Received, <Moment at={created_at} />
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
  if (action.endsWith('.start_project')) return 'Project started';
  return changes?.handled?.[1] ? 'Marked as handled' : 'Marked as new';
}

import { href, Link } from 'react-router';
import { log as words } from '../../../copy/admin/log.ts';
import { actorOf, deedOf, isWholeSentence, type LogLine } from '../../../models/office/audit-log.ts';
import { Moment } from '../../../ui/time.tsx';

export const LogLines = ({ lines }: { lines: readonly LogLine[] }) => (
  <ol className="log-lines">
    {lines.map((line) => (
      <li key={line.id} className="log-line" data-refused={line.outcome === 'refused' || undefined}>
        <Moment at={line.at} />
        <div>
          <p>
            {!isWholeSentence(line) && <strong>{actorOf(line)}</strong>} {deedOf(line)}.
            {line.outcome === 'refused' && (
              <span className="badge badge-other log-badge">{words.outcomes.refused}</span>
            )}
          </p>
          <p className="row-meta">
            {reasonOf(line)}
            {line.address && (
              <span>
                {words.from} {line.address}
              </span>
            )}
            {linkOf(line)}
          </p>
        </div>
      </li>
    ))}
  </ol>
);

const reasonOf = ({ reason }: LogLine) => reason && !/^\d+ (rows|projects)$/.test(reason) && <span>{reason}</span>;

function linkOf({ things }: LogLine) {
  const project = things.length === 1 && things[0]?.kind === 'project' ? things[0] : null;
  return project && <Link to={href('/admin/projects/:id', { id: project.id })}>Open “{project.name}”</Link>;
}

import { href, Link } from 'react-router';
import { trash as words } from '../../../copy/admin/trash.ts';
import { type DeletedThing, daysLeft } from '../../../models/office/trash.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DayTime } from '../../../ui/time.tsx';
import { Thumbnail } from '../projects/thumbnail.tsx';

export const TrashTable = ({
  rows,
  isChosen,
  isRestoring,
  onChoose,
  onRestore,
}: {
  rows: readonly DeletedThing[];
  isChosen: (row: DeletedThing) => boolean;
  isRestoring: (row: DeletedThing) => boolean;
  onChoose: (row: DeletedThing, is: boolean) => void;
  onRestore: (row: DeletedThing) => void;
}) => (
  <table className="table trash-table">
    <caption className="hidden-text">What was deleted, newest first</caption>
    <thead>
      <tr>
        <th scope="col">
          <span className="hidden-text">Chosen</span>
        </th>
        <th scope="col">What</th>
        <th scope="col">Deleted</th>
        <th scope="col">By</th>
        <th scope="col">Kept until</th>
        <th scope="col">
          <span className="hidden-text">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={`${row.kind} ${row.id}`}>
          <td className="trash-check">
            <input
              type="checkbox"
              aria-label={words.choose(row.title)}
              checked={isChosen(row)}
              onChange={(event) => onChoose(row, event.target.checked)}
            />
          </td>
          <th scope="row">
            <span className="trash-what">
              {row.url && (
                <Thumbnail
                  beside
                  media={{
                    type: row.type === 'image' ? 'image' : row.type === 'video' ? 'video' : 'demo',
                    url: row.url,
                  }}
                />
              )}
              <span>
                {row.title}
                <span className="row-preview">
                  <About row={row} />
                </span>
              </span>
            </span>
          </th>
          <td data-label="Deleted">
            <DayTime at={row.deleted_at} />
          </td>
          <td data-label="By">{row.deleted_by ?? words.somebody}</td>
          <td data-label="Kept until">
            <span>
              <DayTime at={row.kept_until} />
              <span className="row-preview">{words.left(daysLeft(row.kept_until, new Date()))}</span>
            </span>
          </td>
          <td className="table-actions">
            <Button
              variant="secondary"
              size="admin"
              aria-label={`${words.restore} ${row.title}`}
              busy={isRestoring(row)}
              busyLabel={words.restoring}
              onClick={() => onRestore(row)}
            >
              {words.restore}
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function About({ row: { kind, client, status, media, project, type } }: { row: DeletedThing }) {
  if (kind === 'project') {
    const facts = [words.kind.project, client, status, media ? words.withMedia(media) : null];
    return facts.filter(Boolean).join(', ');
  }
  return (
    <>
      {words.kind.media} ({type})
      {project && (
        <>
          {' '}
          in <Link to={href('/admin/projects/:id', { id: project.id })}>{project.title}</Link>
        </>
      )}
    </>
  );
}

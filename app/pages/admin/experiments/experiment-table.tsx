import { useEffect, useRef } from 'react';
import { href, Link } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { plainText } from '../../../models/data/html-to-text.ts';
import { isListed, type Status } from '../../../models/project/status.ts';
import { previewOf, type TableRow } from '../../../models/project/table.ts';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { restoreFocus } from '../../../ui/restore-focus.ts';
import { DayTime } from '../../../ui/time.tsx';
import { useSetStatus } from '../projects/project-queries.ts';
import { EditOrDelete } from './edit-or-delete.tsx';
import { StatusMenu } from './status-menu.tsx';

export function ExperimentTable({ rows, onDelete }: { rows: TableRow[]; onDelete: (row: TableRow) => void }) {
  const change = useSetStatus();
  const { say, complain } = useStatus();
  const set = async ({ id, title, status: before }: TableRow, status: Status) => {
    try {
      await change.mutateAsync({ id, status });
      const word = isListed(status) && !isListed(before) ? 'published' : status;
      say(admin.statusSet(title, word), { undo: () => change.mutateAsync({ id, status: before as Status }) });
    } catch (error) {
      complain(admin.statusKept(title, before, messageOf(error, messages.anErrorOccurred)));
    }
  };
  return (
    <table className="table">
      <caption className="hidden-text">All experiments, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Title</th>
          <th scope="col">Client</th>
          <th scope="col">Status</th>
          <th scope="col">Created</th>
          <th scope="col">
            <span className="hidden-text">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.id}
            row={row}
            busy={change.isPending && change.variables.id === row.id}
            onStatus={(status) => void set(row, status)}
            onDelete={() => onDelete(row)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row,
  busy,
  onStatus,
  onDelete,
}: {
  row: TableRow;
  busy: boolean;
  onStatus: (status: Status) => void;
  onDelete: () => void;
}) {
  const title = useRef<HTMLAnchorElement>(null);
  // Under a filter, a row may leave long after its status was set.
  useEffect(() => () => queueMicrotask(() => restoreFocus()), []);
  return (
    <tr data-row>
      <th scope="row">
        <Link ref={title} className="row-title" to={href('/admin/projects/:id', { id: row.id })}>
          {row.title}
        </Link>
        <span className="row-preview">{previewOf(plainText(row.description ?? ''))}</span>
        {row.status === 'draft' && row.submitted_at === null && (
          <span className="row-preview">{admin.notFinished}</span>
        )}
      </th>
      <td data-label="Client">{row.client}</td>
      <td data-label="Status">
        <StatusMenu title={row.title} status={row.status} busy={busy} onChoose={onStatus} />
      </td>
      <td data-label="Created">
        <DayTime at={row.created_at} />
      </td>
      <td className="table-actions">
        {row.status === 'draft' && (
          <Button
            size="admin"
            busy={busy}
            busyLabel="Publishing..."
            aria-label={`Publish ${row.title}`}
            onClick={() => {
              title.current?.focus({ preventScroll: true });
              onStatus('active');
            }}
          >
            Publish
          </Button>
        )}
        <a
          className="icon-button"
          href={href('/case-studies/:id/:slug?', { id: row.id })}
          aria-label={`View ${row.title}`}
        >
          <Icon name="eye" />
        </a>
        <EditOrDelete project={row} onDelete={onDelete} />
      </td>
    </tr>
  );
}

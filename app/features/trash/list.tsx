import { type ComponentProps, useState } from 'react';
import { href, Link } from 'react-router';
import { Pictured } from '#features/media/thumbnail.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { DayTime } from '#ui/time.tsx';
import { type DeletedThing, daysLeft, readTrash, restoreDeleted, trashParams } from './model/trash.ts';
import { trashChanged } from './use-undo-delete.ts';
import { trash as words } from './words.ts';

export const meta = privateTags(words.title);

const keyOf = ({ kind, id }: DeletedThing) => `${kind} ${id}`;

const mediaOf = ({ type, url }: DeletedThing): ComponentProps<typeof Pictured>['media'] =>
  url === null ? null : { type: type === 'image' || type === 'video' ? type : 'demo', url };

const COLUMNS: readonly Column<DeletedThing>[] = [
  {
    header: 'What',
    cell: (row) => (
      <Pictured media={mediaOf(row)}>
        {row.title}
        <span className="row-preview">
          <About row={row} />
        </span>
      </Pictured>
    ),
  },
  { header: 'Deleted', cell: ({ deleted_at }) => <DayTime at={deleted_at} /> },
  { header: 'By', wide: true, cell: ({ deleted_by }) => deleted_by ?? 'A deleted user, or the server' },
  {
    header: 'Kept until',
    cell: ({ kept_until }) => (
      <>
        <DayTime at={kept_until} />
        <span className="row-preview">{words.left(daysLeft(kept_until, new Date()))}</span>
      </>
    ),
  },
];

export default function Trash() {
  const list = useList(trashParams);
  const { question } = list;
  const things = useRead(['trash', question], (data) => readTrash(data, question), keepsShown);
  const keptFor = things.data?.kept_days === 1 ? 'one day' : `${things.data?.kept_days} days`;
  const about = `What was deleted stays here for ${keptFor}. A project comes back with its pictures, texts, team and budget.`;
  const restoration = useWrite(restoreDeleted, trashChanged);
  const { say, complain, report } = useStatus();
  const [restoring, setRestoring] = useState<readonly string[]>([]);
  const isRestoring = (row: DeletedThing) => restoring.includes(keyOf(row));

  function restore(things: readonly DeletedThing[]) {
    const keys = things.map(keyOf);
    setRestoring((before) => [...before, ...keys]);
    const restored = report(restoration.mutateAsync(things), 'It could not be restored.', (count) => {
      if (count === 0) complain(words.goneAlready);
      else if (count < things.length)
        say(
          `${count} of ${things.length} restored; the others were already restored, deleted permanently, or are there again.`,
        );
      else say(count === 1 ? `“${things[0]!.title}” is restored.` : `${count} items are restored.`);
    });
    void restored.then(() => setRestoring((before) => before.filter((key) => !keys.includes(key))));
  }

  const button = (rows: readonly DeletedThing[], props: Partial<ComponentProps<typeof SmallButton>>) => (
    <SmallButton busy={rows.every(isRestoring)} busyLabel="Restoring..." onClick={() => restore(rows)} {...props}>
      {words.restore}
    </SmallButton>
  );

  return (
    <ListScreen
      title={words.title}
      about={things.data ? about : '\u00a0'}
      list={list}
      filters={[
        { kind: 'search', name: 'search', label: 'Search titles' },
        { kind: 'chip', label: words.kinds.project, value: { kind: 'project' } },
        { kind: 'chip', label: words.kinds.media, value: { kind: 'media' } },
        { kind: 'chip', label: words.kinds.comment, value: { kind: 'comment' } },
      ]}
      query={things}
      loading="Loading the trash"
      failed="The trash could not be loaded."
      none="The trash is empty. You can restore here what you delete."
      noMatch="Nothing in the trash matches."
      count={({ total, more }) => {
        if (more) return `More than ${total} items: search for the one you need`;
        return total === 1 ? '1 item' : `${total} items`;
      }}
      table={{
        caption: 'Deleted items, newest first',
        keyOf,
        columns: COLUMNS,
        selecting: { nameOf: ({ title }) => title, actions: (selected) => button(selected, { variant: 'primary' }) },
        actions: (row) => button([row], { 'aria-label': `${words.restore} ${row.title}` }),
      }}
    />
  );
}

function About({ row: { kind, client, status, media, project, type } }: { row: DeletedThing }) {
  if (kind === 'project') {
    const items = media === 1 ? 'with one media item' : `with ${media} media items`;
    return [words.kind.project, client, status, media && items].filter(Boolean).join(', ');
  }
  return (
    <>
      {words.kind[kind]} ({kind === 'comment' ? `link “${client}”` : type})
      {project && (
        <>
          {' '}
          in <Link to={href('/admin/projects/:id', { id: project.id })}>{project.title}</Link>
        </>
      )}
    </>
  );
}

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { href, Link } from 'react-router';
import { Pictured } from '#features/media/thumbnail.tsx';
import { projectsChanged } from '#features/projects/project-queries.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { pagesOf } from '#lib/data/page.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useListParams } from '#ui/admin/use-question.ts';
import { type Column, DataTable } from '#ui/data/data-table.tsx';
import { ListFoot } from '#ui/data/pagination.tsx';
import { Search } from '#ui/data/search.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { DayTime } from '#ui/time.tsx';
import type { Route } from './+types/list';
import {
  type DeletedThing,
  daysLeft,
  readTrash,
  restoreDeleted,
  trashAddressOf,
  trashQuestionFrom,
} from './model/trash.ts';
import { trash as words } from './words.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

const keyOf = ({ kind, id }: DeletedThing) => `${kind} ${id}`;

const COLUMNS: readonly Column<DeletedThing>[] = [
  {
    header: 'What',
    cell: (row) => (
      <Pictured
        media={
          row.url === null
            ? null
            : { type: row.type === 'image' || row.type === 'video' ? row.type : 'demo', url: row.url }
        }
      >
        {row.title}
        <span className="row-preview">
          <About row={row} />
        </span>
      </Pictured>
    ),
  },
  { header: 'Deleted', cell: ({ deleted_at }) => <DayTime at={deleted_at} /> },
  { header: 'By', wide: true, cell: ({ deleted_by }) => deleted_by ?? words.unknownUser },
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
  const { question, ask } = useListParams(trashQuestionFrom, trashAddressOf);
  const cache = useQueryClient();
  const things = useQuery({
    queryKey: ['trash', question],
    queryFn: () => readTrash(clients().data(), question),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const restoration = useMutation({
    mutationFn: (rows: readonly DeletedThing[]) => restoreDeleted(clients().data(), rows),
    onSettled: () => Promise.all([projectsChanged(cache), cache.invalidateQueries({ queryKey: ['trash'] })]),
  });
  const { say, complain } = useStatus();
  const [restoring, setRestoring] = useState<readonly string[]>([]);
  const isRestoring = (row: DeletedThing) => restoring.includes(keyOf(row));

  // `mutateAsync`: another restore may start, or another screen open, before the first is done.
  function restore(things: readonly DeletedThing[]) {
    const keys = things.map(keyOf);
    setRestoring((before) => [...before, ...keys]);
    const restored = restoration.mutateAsync(things).then(
      (count) => {
        if (count === 0) complain(words.goneAlready);
        else if (count < things.length) say(words.restoredSome(count, things.length));
        else say(things.length === 1 ? words.restored(things[0]!.title) : words.restoredMany(count));
      },
      (error: unknown) => complain(messageOf(error, words.failedToRestore)),
    );
    void restored.then(() => setRestoring((before) => before.filter((key) => !keys.includes(key))));
  }

  return (
    <>
      <ScreenHead title={words.title} about={things.data ? words.intro(things.data.kept_days) : '\u00a0'} />
      <div className="cluster table-tools">
        <Search
          label={words.search}
          value={question.search}
          onSearch={(search) => ask({ search, page: 1 }, { replace: true })}
        />
        {(['project', 'media'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            className="chip"
            aria-pressed={question.kind === kind}
            onClick={() => ask({ kind: question.kind === kind ? null : kind, page: 1 })}
          >
            {words.kinds[kind]}
          </button>
        ))}
      </div>
      <Loaded query={things} loading={words.loading} failed={words.failed}>
        {({ rows, total, more, page }) => (
          <DataTable
            caption={words.caption}
            rows={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            selecting={{
              nameOf: ({ title }) => title,
              actions: (selected) => (
                <Button
                  size="admin"
                  busy={selected.every(isRestoring)}
                  busyLabel={words.restoring}
                  onClick={() => restore(selected)}
                >
                  {words.restore}
                </Button>
              ),
            }}
            actions={(row) => (
              <Button
                variant="secondary"
                size="admin"
                aria-label={`${words.restore} ${row.title}`}
                busy={isRestoring(row)}
                busyLabel={words.restoring}
                onClick={() => restore([row])}
              >
                {words.restore}
              </Button>
            )}
            empty={question.search || question.kind ? words.noMatch : words.empty}
            busy={things.isFetching}
          >
            <ListFoot
              said={total === 0 ? null : words.count(total, more)}
              pages={pagesOf(total)}
              current={page}
              addressOf={(number) => trashAddressOf({ ...question, page: number })}
            />
          </DataTable>
        )}
      </Loaded>
    </>
  );
}

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

import { useRef, useState } from 'react';
import { trash as words } from '../../../copy/admin/trash.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import { pagesOf } from '../../../models/data/page.ts';
import {
  type DeletedThing,
  type TrashPage,
  type TrashQuestion,
  trashAddressOf,
  trashQuestionFrom,
} from '../../../models/office/trash.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { useStatus } from '../../../ui/feedback/status.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { ListFoot } from '../experiments/pagination.tsx';
import { Search } from '../experiments/search.tsx';
import { Loaded } from '../loaded.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { useListParams } from '../use-question.ts';
import type { Route } from './+types/list';
import './trash.css';
import { useRestore, useTrash } from './trash-queries.ts';
import { TrashTable } from './trash-table.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

export default function Trash() {
  const { question, ask } = useListParams(trashQuestionFrom, trashAddressOf);
  const things = useTrash(question);
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="table-tools">
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
        {(page) => <Things page={page} question={question} busy={things.isFetching} />}
      </Loaded>
    </>
  );
}

const keyOf = ({ kind, id }: DeletedThing) => `${kind} ${id}`;
const without = (keys: ReadonlySet<string>, things: readonly DeletedThing[]) => {
  const left = things.map(keyOf);
  return new Set([...keys].filter((key) => !left.includes(key)));
};

function Things({ page, question, busy }: { page: TrashPage; question: TrashQuestion; busy: boolean }) {
  const { rows, total, more, kept_days } = page;
  const restoration = useRestore();
  const { say, complain } = useStatus();
  const list = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [returning, setReturning] = useState<ReadonlySet<string>>(new Set());
  // Rows on another page, or removed, are no longer selected.
  const chosen = rows.filter((row) => picked.has(keyOf(row)));

  function choose(things: readonly DeletedThing[], is: boolean) {
    setPicked((before) => (is ? new Set([...before, ...things.map(keyOf)]) : without(before, things)));
  }

  // `mutateAsync`: another restore may start, or another screen open, before the first is done.
  function restore(things: readonly DeletedThing[]) {
    setReturning((before) => new Set([...before, ...things.map(keyOf)]));
    const restored = restoration.mutateAsync(things).then(
      (count) => {
        choose(things, false);
        if (count === 0) complain(words.goneAlready);
        else if (count < things.length) say(words.restoredSome(count, things.length));
        else say(things.length === 1 ? words.restored(things[0]!.title) : words.restoredMany(count));
        if (list.current) document.getElementById('screen')?.focus({ preventScroll: true });
      },
      (error: unknown) => complain(messageOf(error, words.failedToRestore)),
    );
    void restored.then(() => setReturning((before) => without(before, things)));
  }

  return (
    <div aria-busy={busy} ref={list}>
      <p className="trash-intro">{words.intro(kept_days)}</p>
      {rows.length === 0 ? (
        <p className="empty">{question.search || question.kind ? words.noMatch : words.empty}</p>
      ) : (
        <>
          <div className="cluster trash-bar">
            <label className="check">
              <input
                type="checkbox"
                checked={chosen.length === rows.length}
                onChange={(event) => choose(rows, event.target.checked)}
              />
              {words.chooseAll}
            </label>
            <Button
              size="admin"
              disabled={chosen.length === 0}
              busy={chosen.length > 0 && chosen.every((row) => returning.has(keyOf(row)))}
              busyLabel={words.restoring}
              onClick={() => restore(chosen)}
            >
              {words.restoreChosen(chosen.length)}
            </Button>
          </div>
          <TrashTable
            rows={rows}
            isChosen={(row) => picked.has(keyOf(row))}
            isRestoring={(row) => returning.has(keyOf(row))}
            onChoose={(row, is) => choose([row], is)}
            onRestore={(row) => restore([row])}
          />
        </>
      )}
      <ListFoot
        said={total === 0 ? null : words.count(total, more)}
        pages={pagesOf(total)}
        current={page.page}
        addressOf={(number) => trashAddressOf({ ...question, page: number })}
      />
    </div>
  );
}

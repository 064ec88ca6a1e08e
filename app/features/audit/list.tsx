import { privateTags } from '#features/seo/model/page-meta.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import type { Column } from '#ui/data/data-table.tsx';
import { type Filter, useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { NewestOlder } from '#ui/data/newest-older.tsx';
import { DayTime, Moment } from '#ui/time.tsx';
import { ExportLog } from './export-log.tsx';
import { LineDetails } from './log-changes.tsx';
import {
  actorOf,
  describeAction,
  isWholeSentence,
  type LogLine,
  type LogQuestion,
  logParams,
  readLog,
} from './model/audit-log.ts';
import { logSubjects, log as words } from './words.ts';

export const meta = privateTags(words.title);

const FILTERS: readonly Filter<LogQuestion>[] = [
  { kind: 'search', name: 'search', label: 'Search the log' },
  { kind: 'text', name: 'who', label: 'Who' },
  { kind: 'select', name: 'what', label: 'What', all: 'Everything', options: logSubjects },
  {
    kind: 'select',
    name: 'outcome',
    label: 'Outcome',
    all: 'Done or refused',
    options: words.outcomes,
  },
  { kind: 'day', name: 'since', label: 'From', to: 'until' },
  { kind: 'day', name: 'until', label: 'To', from: 'since' },
];

const COLUMNS: readonly Column<LogLine>[] = [
  { header: words.columns[0], cell: ({ at }) => <Moment at={at} /> },
  {
    header: words.columns[2],
    text: true,
    cell: (line) => (
      <>
        {!isWholeSentence(line) && <strong>{actorOf(line)}</strong>} {describeAction(line)}.{' '}
        {line.outcome === 'refused' && <span className="badge badge-other">{words.outcomes.refused}</span>}
        <LineDetails line={line} />
      </>
    ),
  },
  { header: words.columns[5], wide: true, cell: ({ address }) => address },
];

export default function Log() {
  const list = useList(logParams);
  const { question } = list;
  const lines = useRead(['log', question], (data) => readLog(data, question), keepsShown);
  return (
    <ListScreen
      title={words.title}
      about="Who did what, who signed in, what was refused. Entries can’t be changed."
      actions={<ExportLog question={question} />}
      list={list}
      filters={FILTERS}
      clear="Clear filters"
      query={lines}
      loading="Loading the log"
      failed="The log could not be loaded."
      none={lines.data?.searched ? null : 'No entries yet.'}
      noMatch={lines.data?.searched ? null : 'No entries match.'}
      table={{ caption: 'Entries, newest first', keyOf: ({ id }) => id, columns: COLUMNS }}
      foot={({ next, searched }) => (
        <div className="cluster pad-top-4" aria-live="polite">
          {searched && (
            <p>
              No more matches back to <DayTime at={searched} />.
            </p>
          )}
          <NewestOlder list={list} next={next} older={searched ? 'Search further back' : 'Older'} />
        </div>
      )}
    />
  );
}

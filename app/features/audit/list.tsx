import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { Differences } from '#features/projects/versions/version.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { csvFile } from '#lib/data/csv.ts';
import { clients } from '#session/browser.ts';
import { keepsShown, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { NewestOlder } from '#ui/data/newest-older.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import { DayTime, Moment } from '#ui/time.tsx';
import {
  actorOf,
  cellsOf,
  changeOf,
  describeAction,
  isWholeSentence,
  type LogLine,
  type LogQuestion,
  linkOf,
  logParams,
  readLog,
  readLogChanges,
  readLogLines,
  sentenceOf,
} from './model/audit-log.ts';
import { logSubjects, log as words } from './words.ts';

export const meta = privateTags(words.title);

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
      filters={[
        { kind: 'search', name: 'search', label: 'Search the log' },
        { kind: 'text', name: 'who', label: 'Who' },
        { kind: 'select', name: 'what', label: 'What', all: 'Everything', options: logSubjects },
        { kind: 'select', name: 'outcome', label: 'Outcome', all: 'Done or refused', options: words.outcomes },
        { kind: 'day', name: 'since', label: 'From', to: 'until' },
        { kind: 'day', name: 'until', label: 'To', from: 'since' },
      ]}
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

function LineDetails({ line }: { line: LogLine }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const toggle = () => setOpen(!open);
  const { reason } = line;
  const own = linkOf(line);
  return (
    <>
      <span className="row-preview">
        {reason && !/^\d+ (rows|projects)$/.test(reason) && `${reason} `}
        {own && <Link to={own.to}>{own.text}</Link>}{' '}
        {line.has_changes && (
          <button type="button" className="underlined" aria-expanded={open} aria-controls={id} onClick={toggle}>
            {words.whatChanged}
            <span className="hidden-text">: {sentenceOf(line)}</span>
          </button>
        )}
      </span>
      <div id={id}>{open && <Changes line={line.id} own={own?.to} />}</div>
    </>
  );
}

function Changes({ line, own }: { line: string; own: string | undefined }) {
  const { projectFacts } = useFacts();
  const changes = useRead(['log', 'changes', line], (data) => readLogChanges(data, line));
  return (
    <Loaded query={changes} loading="Loading changes" failed="The changes could not be loaded.">
      {(all) =>
        all.length === 0 ? (
          <p className="empty">{words.noChanges}</p>
        ) : (
          all
            .map((change) => changeOf(change, projectFacts))
            .map(({ key, link, found }) => (
              <div key={key}>
                {link && link.to !== own && (
                  <p className="pad-y-2">
                    <Link to={link.to}>{link.text}</Link>
                  </p>
                )}
                <Differences found={found} same={words.noChanges} />
              </div>
            ))
        )
      }
    </Loaded>
  );
}

function ExportLog({ question }: { question: LogQuestion }) {
  const { say, complain } = useStatus();
  const [count, setCount] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => () => controller.current?.abort(), []);

  async function save() {
    const running = new AbortController();
    controller.current = running;
    setCount(0);
    try {
      const { lines, complete } = await readLogLines(clients().data(), question, (count) => {
        running.signal.throwIfAborted();
        setCount(count);
      });
      if (lines.length === 0) return say('No entries match, so no file was saved.');
      saveFile(csvFile([words.columns, ...lines.map(cellsOf)]), `log-${new Date().toISOString().slice(0, 10)}.csv`);
      const whole = `Exported ${lines.length === 1 ? '1 entry' : `${lines.length} entries`}.`;
      const cut = `Exported the newest ${lines.length} matching entries. For older ones, choose an earlier “To”.`;
      say(complete ? whole : cut);
    } catch (error) {
      if (!running.signal.aborted) complain(messageOf(error, 'The export failed. No file was saved.'));
    } finally {
      setCount(null);
    }
  }
  function stop() {
    controller.current?.abort();
    start.current?.focus();
    say('The export was stopped. No file was saved.');
  }

  return (
    <>
      <SmallButton ref={start} busy={count !== null} busyLabel={`Exporting, ${count} entries so far...`} onClick={save}>
        Export as CSV
      </SmallButton>
      {count !== null && (
        <SmallButton variant="quiet" onClick={stop}>
          Stop
        </SmallButton>
      )}
    </>
  );
}

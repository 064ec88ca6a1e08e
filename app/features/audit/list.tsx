import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { href, Link } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { clients } from '#session/browser.ts';
import type { Column } from '#ui/data/data-table.tsx';
import { type Filter, useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { DayTime, Moment } from '#ui/time.tsx';
import type { Route } from './+types/list';
import { ExportLog } from './export-log.tsx';
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

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

const FILTERS: readonly Filter<LogQuestion>[] = [
  { kind: 'search', name: 'search', label: words.search },
  { kind: 'text', name: 'who', label: words.who },
  { kind: 'select', name: 'what', label: words.what, all: words.everything, options: logSubjects },
  {
    kind: 'select',
    name: 'outcome',
    label: words.outcome,
    all: words.both,
    options: [
      { value: 'done', label: words.outcomes.done },
      { value: 'refused', label: words.outcomes.refused },
    ],
  },
  { kind: 'day', name: 'since', label: words.since, to: 'until' },
  { kind: 'day', name: 'until', label: words.until, from: 'since' },
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
        <span className="row-preview">
          {line.reason && !/^\d+ (rows|projects)$/.test(line.reason) && line.reason} {linkOf(line)}
        </span>
      </>
    ),
  },
  { header: words.columns[5], wide: true, cell: ({ address }) => address },
];

export default function Log() {
  const list = useList(logParams);
  const { question } = list;
  const lines = useQuery({
    queryKey: ['log', question],
    queryFn: () => readLog(clients().data(), question),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return (
    <ListScreen
      title={words.title}
      about={words.intro}
      actions={<ExportLog question={question} />}
      list={list}
      filters={FILTERS}
      clear={words.clear}
      query={lines}
      loading={words.loading}
      failed={words.failed}
      none={lines.data?.searched ? null : words.none}
      noMatch={lines.data?.searched ? null : words.noMatch}
      table={{ caption: words.caption, keyOf: ({ id }) => id, columns: COLUMNS }}
      foot={({ next, searched }) => (
        <div className="cluster pad-top-4" aria-live="polite">
          {searched && (
            <p>
              {words.searched} <DayTime at={searched} />.
            </p>
          )}
          {question.before && (
            <Link className="button button-secondary button-admin" to={list.addressOf({ before: null })}>
              {words.newest}
            </Link>
          )}
          {next && (
            <Link className="button button-secondary button-admin" to={list.addressOf({ before: next })}>
              {searched ? words.further : words.older}
            </Link>
          )}
        </div>
      )}
    />
  );
}

function linkOf({ things }: LogLine) {
  const project = things.length === 1 && things[0]?.kind === 'project' ? things[0] : null;
  return project && <Link to={href('/admin/projects/:id', { id: project.id })}>Open “{project.name}”</Link>;
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { href, Link } from 'react-router';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useListParams } from '#ui/admin/use-question.ts';
import { type Column, DataTable } from '#ui/data/data-table.tsx';
import { DayTime, Moment } from '#ui/time.tsx';
import type { Route } from './+types/list';
import { ExportLog } from './export-log.tsx';
import { LogFilters } from './log-filters.tsx';
import {
  actorOf,
  deedOf,
  isWholeSentence,
  type LogLine,
  logAddressOf,
  logQuestionFrom,
  readLog,
} from './model/audit-log.ts';
import { log as words } from './words.ts';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

const COLUMNS: readonly Column<LogLine>[] = [
  { header: words.columns[0], cell: ({ at }) => <Moment at={at} /> },
  {
    header: words.columns[2],
    text: true,
    cell: (line) => (
      <>
        {!isWholeSentence(line) && <strong>{actorOf(line)}</strong>} {deedOf(line)}.{' '}
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
  const { question, ask } = useListParams(logQuestionFrom, logAddressOf);
  const lines = useQuery({
    queryKey: ['log', question],
    queryFn: () => readLog(clients().data(), question),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const filtered = logAddressOf({ ...question, before: null }) !== '?';
  return (
    <>
      <ScreenHead title={words.title} about={words.intro}>
        <ExportLog question={question} />
      </ScreenHead>
      <LogFilters
        question={question}
        filtered={filtered}
        onChange={(change, options) => ask({ before: null, ...change }, options)}
      />
      <Loaded query={lines} loading={words.loading} failed={words.failed}>
        {({ rows, next, searched }) => (
          <DataTable
            caption={words.caption}
            rows={rows}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            empty={searched ? null : filtered ? words.noMatch : words.none}
            busy={lines.isFetching}
          >
            <div className="cluster table-foot" aria-live="polite">
              {searched && (
                <p>
                  {words.searched} <DayTime at={searched} />.
                </p>
              )}
              {question.before && (
                <Link className="button button-secondary button-admin" to={logAddressOf({ ...question, before: null })}>
                  {words.newest}
                </Link>
              )}
              {next && (
                <Link className="button button-secondary button-admin" to={logAddressOf({ ...question, before: next })}>
                  {searched ? words.further : words.older}
                </Link>
              )}
            </div>
          </DataTable>
        )}
      </Loaded>
    </>
  );
}

function linkOf({ things }: LogLine) {
  const project = things.length === 1 && things[0]?.kind === 'project' ? things[0] : null;
  return project && <Link to={href('/admin/projects/:id', { id: project.id })}>Open “{project.name}”</Link>;
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { log as words } from '../../../copy/admin/log.ts';
import { logAddressOf, logQuestionFrom, readLog } from '../../../models/office/audit-log.ts';
import { pageTags } from '../../../models/seo/page-meta.ts';
import { clients } from '../../../session/browser.ts';
import { DayTime } from '../../../ui/time.tsx';
import { Loaded } from '../loaded.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { useListParams } from '../use-question.ts';
import type { Route } from './+types/list';
import { ExportLog } from './export-log.tsx';
import './log.css';
import { LogFilters } from './log-filters.tsx';
import { LogLines } from './log-lines.tsx';

export const meta = (page: Route.MetaArgs) => pageTags(page, { title: words.title, noindex: true });

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
          <div aria-busy={lines.isFetching}>
            {rows.length === 0 && !searched && <p className="empty">{filtered ? words.noMatch : words.none}</p>}
            {rows.length > 0 && <LogLines lines={rows} />}
            <div className="cluster log-foot" aria-live="polite">
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
          </div>
        )}
      </Loaded>
    </>
  );
}

import { href, Link } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { counting } from '#lib/words/counting.ts';
import { useIsAdmin } from '#session/caller.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Bars, ShareBars } from '#ui/charts/bars.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { shortDay } from '#ui/time.tsx';
import { findPageViews, type PageViews, percentOf, visitsIn } from './model/page-views.ts';
import './dashboard.css';

const DAYS = 30;
const nameOf = (page: string) => (page === '/' ? 'Home' : page);

export function PageViewsPanel() {
  const { countReading } = useFacts();
  const isAdmin = useIsAdmin();
  if (!countReading && !isAdmin) return null;
  return (
    <TitledSection titleId="reading" title={counting.title}>
      {countReading ? (
        <Counted />
      ) : (
        <p className="empty">
          {counting.off} <Link to={href('/admin/settings')}>{counting.switchOn}</Link>.
        </p>
      )}
    </TitledSection>
  );
}

function Counted() {
  const report = useRead(['reading', DAYS], (data) => findPageViews(data, DAYS), fromCache);
  return (
    <Loaded query={report} loading="Loading what is read" failed="Failed to load what is read">
      {(read) =>
        visitsIn(read) === 0 ? (
          <EmptyState title="Nothing has been counted in the last 30 days." />
        ) : (
          <Report report={read} />
        )
      }
    </Loaded>
  );
}

function Report({ report }: { report: PageViews }) {
  const all = visitsIn(report);
  return (
    <div className="stack gap-5 chart-panel framed">
      <Bars
        title="Visits per day, last 30 days"
        name="Day"
        tableLabel={counting.asTable}
        values={report.days.map(({ day, visits }) => ({ name: shortDay(day), value: visits }))}
      />
      <div className="grid gap-5">
        <ShareBars
          title="Most read pages"
          rows={report.pages.map(({ page, title, visits }) => ({
            key: page,
            name: <a href={page}>{title ?? nameOf(page)}</a>,
            value: String(visits),
            percent: percentOf(visits, report.pages[0]!.visits),
          }))}
        />
        <ShareBars
          title="How far people read"
          rows={report.depth.map(({ mark, visits }) => ({
            key: String(mark),
            name: `${mark}% of the page`,
            value: `${percentOf(visits, all)}% of visits`,
            percent: percentOf(visits, all),
          }))}
        />
        {report.sections.length > 0 && (
          <ShareBars
            title="Sections seen"
            rows={report.sections.map(({ page, section, visits }) => ({
              key: `${page} ${section}`,
              name: `${nameOf(page)}, ${section}`,
              value: String(visits),
              percent: percentOf(visits, report.sections[0]!.visits),
            }))}
          />
        )}
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { categoryLabel, listedCategories } from '#lib/words/categories.ts';
import { counting } from '#lib/words/counting.ts';
import { useIsAdmin } from '#session/caller.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Bars, ShareBars } from '#ui/charts/bars.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { shortDay } from '#ui/time.tsx';
import { count, type Overview, percentOfAll, readOverview, trendOf, uncategorised } from '../model/chart-overview.ts';
import { findPageViews, type PageViews, percentOf, visitsIn } from '../model/page-views.ts';
import '../dashboard.css';

export const useProjectOverview = () => useRead(['projects', 'overview'], readOverview, fromCache);

export const DashboardCharts = () => (
  <TitledSection titleId="submissions" title="New experiments">
    <Loaded query={useProjectOverview()} loading="Loading the overview" failed="The overview could not be loaded.">
      {(read) => <Charts overview={read} />}
    </Loaded>
  </TitledSection>
);

function Charts({ overview }: { overview: Overview }) {
  const { weeks, statuses, categories, all } = overview;
  const share = (key: string, name: ReactNode, projects: number) => {
    const percent = percentOfAll(projects, all);
    return { key, name, value: count(projects), percent };
  };
  return (
    <div className="stack gap-5 chart-panel framed">
      <p className="size-1">{trendOf(overview)}</p>
      <Bars
        title="New experiments by week"
        name="Week from"
        valueName="New experiments"
        tableLabel="Show the weeks as a table"
        values={weeks.map(({ week, projects }) => ({ name: shortDay(week), value: projects }))}
      />
      <div className="grid gap-5">
        <ShareBars
          title="By status"
          rows={statuses.map(({ status, projects }) => share(status, statusName(status), projects))}
        />
        <ShareBars
          title="By category"
          rows={[
            ...categories.map(({ category, projects }) => share(category, categoryName(category), projects)),
            share('none', 'No category', uncategorised(overview)),
          ]}
        >
          <p className="field-hint">Drafts count too; the links show what is published.</p>
        </ShareBars>
      </div>
    </div>
  );
}

function categoryName(category: string) {
  const label = categoryLabel(category);
  const isListed = listedCategories.some(({ value }) => value === category);
  return isListed ? <a href={`${href('/case-studies')}?category=${category}`}>{label}</a> : label;
}

const statusName = (status: string) => (
  <Link to={`${href('/admin/projects')}?status=${status}`}>{status.charAt(0).toUpperCase() + status.slice(1)}</Link>
);

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

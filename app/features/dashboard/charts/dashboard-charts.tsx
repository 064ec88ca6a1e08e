import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { categoryLabel, listedCategories } from '#lib/words/categories.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Bars, ShareBars } from '#ui/charts/bars.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { shortDay } from '#ui/time.tsx';
import { count, type Overview, percentOfAll, readOverview, trendOf, uncategorised } from '../model/chart-overview.ts';
import '../dashboard.css';

export const useProjectOverview = () => useRead(['projects', 'overview'], readOverview, fromCache);

export function DashboardCharts() {
  const overview = useProjectOverview();
  return (
    <TitledSection titleId="submissions" title="Submissions">
      <Loaded query={overview} loading="Loading the overview" failed="The overview could not be loaded.">
        {(read) => <Charts overview={read} />}
      </Loaded>
    </TitledSection>
  );
}

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
        title="Submissions by week"
        name="Week from"
        valueName="Submissions"
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

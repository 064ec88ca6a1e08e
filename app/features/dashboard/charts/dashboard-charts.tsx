import { href, Link } from 'react-router';
import { categoryLabel, listedCategories } from '#lib/words/categories.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Bars, ShareBars } from '#ui/charts/bars.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { shortDay } from '#ui/time.tsx';
import { count, type Overview, percentOfAll, readOverview, trendOf, uncategorised } from '../model/chart-overview.ts';
import '../dashboard.css';

const isListed = (category: string) => listedCategories.some(({ value }) => value === category);

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
  const rest = uncategorised(overview);
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
          rows={statuses.map(({ status, projects }) => ({
            key: status,
            name: <Link to={`${href('/admin/projects')}?status=${status}`}>{capital(status)}</Link>,
            value: count(projects),
            percent: percentOfAll(projects, all),
          }))}
        />
        <ShareBars
          title="By category"
          rows={[
            ...categories.map(({ category, projects }) => ({
              key: category,
              name: isListed(category) ? (
                <a href={`${href('/case-studies')}?category=${category}`}>{categoryLabel(category)}</a>
              ) : (
                categoryLabel(category)
              ),
              value: count(projects),
              percent: percentOfAll(projects, all),
            })),
            { key: 'none', name: 'No category', value: count(rest), percent: percentOfAll(rest, all) },
          ]}
        >
          <p className="field-hint">Drafts count too; the links show what is published.</p>
        </ShareBars>
      </div>
    </div>
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

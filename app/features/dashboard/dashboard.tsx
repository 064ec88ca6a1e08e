import { href, Link } from 'react-router';
import type { ListedProject } from '#features/projects/model/list.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { admin } from '#lib/words/admin.ts';
import { useIsAdmin } from '#session/caller.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { DayTime } from '#ui/time.tsx';
import './dashboard.css';
import { useProjectTable } from '#features/projects/project-list.tsx';
import { useAllProjects } from '#features/projects/project-queries.ts';
import { messages } from '#lib/words/messages.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead, SmallLink } from '#ui/admin/screen-head.tsx';
import { DataTable } from '#ui/data/data-table.tsx';
import { MoreButton } from '#ui/data/more-button.tsx';
import { DashboardCharts, PageViewsPanel, useProjectOverview } from './charts/dashboard-charts.tsx';
import { FeaturedPanel } from './featured/featured-panel.tsx';
import { DueChanges, FirstSteps, NeedsYou } from './needs/needs-you.tsx';

export const meta = privateTags('Admin dashboard');

const MANAGE = href('/admin/case-studies');

const TILES: { label: string; note: string; href: string; icon: IconName; leaves?: true; adminOnly?: true }[] = [
  { label: 'New Project', note: 'Write one yourself', href: href('/admin/projects/new'), icon: 'plus' },
  { label: 'Manage Mad Experiments', note: 'Review, publish, delete', href: MANAGE, icon: 'edit' },
  {
    label: 'New Experiment',
    note: 'The public submission form',
    href: href('/case-study-upload'),
    icon: 'picture',
    leaves: true,
  },
  { label: 'Manage Users', note: 'Who has an account', href: href('/admin/users'), icon: 'user', adminOnly: true },
];

export default function Dashboard() {
  const isAdmin = useIsAdmin();
  const projects = useAllProjects();
  const overview = useProjectOverview();
  const counts = overview.data && Object.fromEntries(overview.data.statuses.map((one) => [one.status, one.projects]));
  const firstRun = counts?.active === 0 && counts.completed === 0;
  return (
    <>
      <ScreenHead title="Dashboard">
        {isAdmin && <SmallLink to={href('/admin/settings')}>Settings</SmallLink>}
        <SmallLink variant="primary" to={href('/admin/projects/new')}>
          New Project
        </SmallLink>
      </ScreenHead>
      <div className="dashboard-top split-1200 stack gap-0 gap-x-7">
        <div>
          {firstRun && isAdmin && <FirstSteps />}
          <NeedsYou firstRun={firstRun} />
          <DueChanges />
        </div>
        <TitledSection titleId="quick" title="Quick Actions">
          <ul className="grid tiles">
            {TILES.filter(({ adminOnly }) => isAdmin || !adminOnly).map(({ label, note, href: to, icon, leaves }) => (
              <li key={to}>
                {/* The submit form is on the public site and needs a full page load. */}
                <Link className="stack gap-1 tile plain framed pad-4" to={to} reloadDocument={leaves}>
                  <Icon name={icon} />
                  <strong>{label}</strong>
                  <span className="quiet">{note}</span>
                  {to === MANAGE && (
                    <span className="quiet" data-pending={!overview.data || undefined}>
                      {admin.experimentsAndDrafts(overview.data?.all ?? 0, counts?.draft ?? 0)}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </TitledSection>
      </div>

      <div className="dashboard split-1200 stack gap-0 gap-x-7">
        <section aria-labelledby="recent">
          <div className="screen-section">
            <h2 id="recent">Recent Mad Experiments</h2>
            <Link to={MANAGE}>View All</Link>
          </div>
          <Loaded query={projects} failed={admin.failedToLoadExperiments} loading="Loading experiments">
            {({ pages }) => <Recent projects={pages[0]!.rows.slice(0, 5)} />}
          </Loaded>
        </section>
        <TitledSection titleId="all" title="All Projects">
          <AllProjects />
        </TitledSection>
        <div>
          {overview.data?.all !== 0 && (
            <>
              <FeaturedPanel />
              <DashboardCharts />
            </>
          )}
          <PageViewsPanel />
        </div>
      </div>
    </>
  );
}

function AllProjects() {
  const projects = useAllProjects();
  const [table, dialog] = useProjectTable('project');
  return (
    <>
      <Loaded query={projects} loading="Loading projects" failed={messages.failedToLoadProjects}>
        {({ pages }) => {
          // Skips a project that a newly created one has moved to the next page.
          const rows = pages.flatMap((page) => page.rows);
          const all = [...new Map(rows.map((row): [string, ListedProject] => [row.id, row])).values()];
          const total = pages.at(-1)?.total ?? 0;
          const whole = total === 1 ? '1 project' : `${total} projects`;
          return (
            <DataTable {...table} rows={all} empty={admin.noProjects}>
              <div className="cluster apart pad-top-4">
                <p aria-live="polite">{all.length < total ? `${all.length} of ${total} projects` : whole}</p>
                <MoreButton query={projects}>Load more</MoreButton>
              </div>
            </DataTable>
          );
        }}
      </Loaded>
      {dialog}
    </>
  );
}

const Recent = ({ projects }: { projects: ListedProject[] }) =>
  projects.length === 0 ? (
    <EmptyState title={admin.noExperiments} />
  ) : (
    <ul className="hairline">
      {projects.map(({ id, title, client, status, created_at }) => (
        <li className="row" key={id} data-row>
          <div className="row-words">
            <a className="row-title" href={href('/case-studies/:id/:slug?', { id })}>
              {title}
            </a>
            <span className="row-meta">
              {client && `${client}, `}
              <DayTime at={created_at} />
            </span>
          </div>
          <StatusBadge status={status} />
          <SmallLink to={href('/admin/projects/:id/edit', { id })} aria-label={`Edit ${title}`} data-key="e">
            Edit
          </SmallLink>
        </li>
      ))}
    </ul>
  );

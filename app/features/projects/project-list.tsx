import { type ReactNode, useState } from 'react';
import { href, Link } from 'react-router';
import { Pictured, Thumbnail } from '#features/media/thumbnail.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { dollars } from '#lib/data/money.ts';
import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { tables as words } from '#lib/words/tables.ts';
import { useIsAdmin } from '#session/caller.ts';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import type { Column, Ordering } from '#ui/data/data-table.tsx';
import { type Filter, useList } from '#ui/data/filters.tsx';
import { ListScreen } from '#ui/data/list-screen.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { IconButton, SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { DayTime } from '#ui/time.tsx';
import { DeleteProjects } from './delete-project.tsx';
import { PROJECT_FIELDS, SUBTITLES } from './model/fields.ts';
import type { ListedProject, ProjectQuestion, Sort } from './model/list.ts';
import { previewOf, projectParams, rangeText, subtitleOf } from './model/list.ts';
import { storedBudget } from './model/read.ts';
import { isListed, STATUSES, type Status } from './model/status.ts';
import { type BulkResult, idsOf } from './model/write.ts';
import { useProjectPage, useSetStatus, useSetStatuses } from './project-queries.ts';

type ProjectColumn = Column<ListedProject, Sort>;

const Title = ({ project: { id, title } }: { project: ListedProject }) => (
  <Link className="row-title" to={href('/admin/projects/:id', { id })}>
    {title}
  </Link>
);

const TITLE: ProjectColumn = {
  header: 'Title',
  orders: { ascending: 'title' },
  cell: (project) => (
    <Pictured media={project.project_media[0]}>
      <Title project={project} />
      {project.description === undefined && <span className="row-preview">{subtitleOf(project)}</span>}
      {project.description && <span className="row-preview">{previewOf(plainText(project.description))}</span>}
      {project.status === 'draft' && project.submitted_at === null && (
        <span className="row-preview">{admin.notFinished}</span>
      )}
    </Pictured>
  ),
};
const subtitleLabels = SUBTITLES.map((name) => PROJECT_FIELDS[name].label).join(', ');
const LINES: ProjectColumn = { header: subtitleLabels, wide: true, text: true, cell: subtitleOf };
const amountOf = (project: ListedProject) => {
  const budget = storedBudget(project);
  return budget !== null && <span className="amount">{dollars(budget)}</span>;
};
const BUDGET: ProjectColumn = { header: 'Budget', wide: true, cell: amountOf };
const dayIn = (field: 'created_at' | 'updated_at') => (project: ListedProject) => <DayTime at={project[field]} />;
const OTHER_COLUMNS: readonly ProjectColumn[] = [
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Changed', wide: true, orders: { descending: 'changed' }, cell: dayIn('updated_at') },
  { header: 'Created', orders: { descending: 'newest', ascending: 'oldest' }, cell: dayIn('created_at') },
];
const COLUMNS = { project: [TITLE, BUDGET, ...OTHER_COLUMNS], experiment: [TITLE, LINES, ...OTHER_COLUMNS] };

const OVERVIEW: ProjectColumn[] = [
  {
    header: 'Title',
    cell: (project) => (
      <>
        <Title project={project} />
        <span className="row-meta">
          <StatusBadge status={project.status} /> {subtitleOf(project)} {amountOf(project)}
        </span>
        {project.project_media.length > 0 && (
          <span className="thumbnails inline gap-1">
            {project.project_media.map((media) => (
              <Thumbnail key={media.id} media={media} />
            ))}
          </span>
        )}
      </>
    ),
  },
];

const SCREENS = {
  project: { failed: messages.failedToLoadProjects, none: admin.noProjects, noMatch: admin.noMatch.project },
  experiment: { failed: admin.failedToLoadExperiments, none: admin.noExperiments, noMatch: admin.noMatch.experiment },
};

interface ProjectScreenProps {
  as: keyof typeof SCREENS;
  title: string;
  about: string;
  actions: ReactNode;
  filters: readonly Filter<ProjectQuestion>[];
}

/** All projects, with the columns, actions and filters of either screen. */
export function ProjectScreen({ as, ...head }: ProjectScreenProps) {
  const list = useList(projectParams);
  const current = list.question.sort;
  const [table, dialog] = useProjectTable(as, { current, standard: 'newest', onChange: (sort) => list.ask({ sort }) });
  return (
    <ListScreen
      {...head}
      {...SCREENS[as]}
      filters={[{ kind: 'search', name: 'search', label: 'Search title, description and client' }, ...head.filters]}
      list={list}
      query={useProjectPage(list.question, as)}
      loading={`Loading ${as}s`}
      count={rangeText}
      table={table}
    >
      {dialog}
    </ListScreen>
  );
}

/** Without `ordering` the rows have no order and no selection. */
export function useProjectTable(as: keyof typeof SCREENS, ordering?: Ordering<Sort>) {
  const [leaving, setLeaving] = useState<readonly ListedProject[] | null>(null);
  const table = {
    caption: as === 'project' ? 'Projects' : 'Experiments',
    keyOf: ({ id }: ListedProject) => id,
    columns: ordering ? COLUMNS[as] : OVERVIEW,
    ordering,
    selecting: ordering && {
      nameOf: ({ title }: ListedProject) => title,
      actions: (selected: ListedProject[], deselect: (ids: readonly string[]) => void) => (
        <BulkActions projects={selected} onDone={deselect} onDelete={() => setLeaving(selected)} />
      ),
    },
    actions: (project: ListedProject) => (
      <RowActions project={project} as={as} menu={ordering !== undefined} onDelete={() => setLeaving([project])} />
    ),
  };
  return [table, <DeleteProjects key="delete" as={as} projects={leaving} onClose={() => setLeaving(null)} />] as const;
}

const STATUS_ACTIONS: Record<Status, string> = {
  draft: 'Move to drafts',
  active: 'Mark as active',
  completed: 'Mark as completed',
  archived: 'Archive',
};

type RowActionsProps = { project: ListedProject; as: 'project' | 'experiment'; menu: boolean; onDelete: () => void };

function RowActions({ project: { id, title, status: before }, as, menu, onDelete }: RowActionsProps) {
  const change = useSetStatus();
  const { say, complain } = useStatus();
  const set = (status: Status) =>
    void change.mutateAsync({ id, status }).then(
      () => {
        const word = isListed(status) && !isListed(before) ? 'published' : status;
        say(`“${title}” is ${word}.`, { undo: () => change.mutateAsync({ id, status: before as Status }) });
      },
      (error: unknown) => complain(`“${title}” stays ${before}. ${messageOf(error, messages.anErrorOccurred)}`),
    );
  const isPage = as === 'experiment';
  const viewPath = isPage ? href('/case-studies/:id/:slug?', { id }) : href('/admin/projects/:id', { id });
  const editPath = href('/admin/projects/:id/edit', { id });
  return (
    <>
      <Link className="icon-button" to={viewPath} reloadDocument={isPage} aria-label={`View ${title}`}>
        <Icon name="eye" />
      </Link>
      <Link className="icon-button" to={editPath} aria-label={`Edit ${title}`} data-key="e">
        <Icon name="edit" />
      </Link>
      {menu ? (
        <DropMenu
          label={words.moreFor(title)}
          summary={change.isPending ? 'Saving...' : words.more}
          busy={change.isPending}
          choices={[
            ...STATUSES.filter((status) => status !== before).map((status) => ({
              label: status === 'active' && !isListed(before) ? words.publish : STATUS_ACTIONS[status],
              act: () => set(status),
            })),
            { label: words.delete, danger: true, act: onDelete },
          ]}
        />
      ) : (
        <IconButton icon="trash" danger label={`Delete ${title}`} onClick={onDelete} />
      )}
    </>
  );
}

interface BulkActionsProps {
  projects: readonly ListedProject[];
  onDone: (ids: readonly string[]) => void;
  onDelete: () => void;
}

function BulkActions({ projects, onDone, onDelete }: BulkActionsProps) {
  const change = useSetStatuses();
  const isAdmin = useIsAdmin();
  const { say, complain, report } = useStatus();

  // `mutateAsync`: it resolves even when the page shows other rows by then.
  const set = (status: 'active' | 'archived', changing: readonly ListedProject[]) =>
    void report(change.mutateAsync({ ids: idsOf(changing), status }), messages.anErrorOccurred, ({ done, refused }) => {
      onDone(idsOf(projects.filter(({ id }) => !refused.some((one) => one.id === id))));
      const undo = async () => {
        const kept: BulkResult['refused'] = [];
        for (const before of STATUSES) {
          const ids = idsOf(changing.filter((one) => one.status === before && done.includes(one.id)));
          if (ids.length > 0) kept.push(...(await change.mutateAsync({ ids, status: before })).refused);
        }
        if (kept.length > 0) throw new Error(refusalOf(kept, done.length, changing));
      };
      if (done.length > 0) say(`${done.length} ${status === 'active' ? 'published' : 'archived'}.`, { undo });
      if (refused.length > 0) complain(refusalOf(refused, changing.length, changing));
    });

  const drafts = projects.filter(({ status }) => !isListed(status));
  const unarchived = projects.filter(({ status }) => status !== 'archived');
  const busy = change.isPending;
  return (
    <>
      <SmallButton disabled={drafts.length === 0} busy={busy} onClick={() => set('active', drafts)}>
        {words.publish}
      </SmallButton>
      <SmallButton disabled={unarchived.length === 0} busy={busy} onClick={() => set('archived', unarchived)}>
        Archive
      </SmallButton>
      {(isAdmin || projects.length === 1) && (
        <SmallButton variant="danger" busy={busy} onClick={onDelete}>
          {words.delete}
        </SmallButton>
      )}
    </>
  );
}

function refusalOf(refused: BulkResult['refused'], of: number, projects: readonly ListedProject[]): string {
  const reasons = [...new Set(refused.map(({ reason }) => reason))].map((reason) => {
    const affected = projects.filter(({ id }) => refused.some((one) => one.id === id && one.reason === reason));
    return `${affected.map(({ title }) => `“${title}”`).join(', ')}: ${reason}`;
  });
  const summary = of === 1 ? 'Not changed.' : `${refused.length} of ${of} not changed and still selected.`;
  return [summary, ...reasons].join(' ');
}

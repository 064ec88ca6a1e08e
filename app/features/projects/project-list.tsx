import { type ReactNode, useState } from 'react';
import { href, Link } from 'react-router';
import { Pictured, Thumbnail } from '#features/media/thumbnail.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { plainText } from '#lib/data/html-to-text.ts';
import { dollars } from '#lib/data/money.ts';
import { pagesOf } from '#lib/data/page.ts';
import { admin } from '#lib/words/admin.ts';
import { messages } from '#lib/words/messages.ts';
import { tables as words } from '#lib/words/tables.ts';
import { DropMenu } from '#ui/admin/drop-menu.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { type Column, DataTable, type Ordering } from '#ui/data/data-table.tsx';
import { ListFoot } from '#ui/data/pagination.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Icon } from '#ui/icon.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { DayTime } from '#ui/time.tsx';
import { BulkActions } from './case-studies/bulk-actions.tsx';
import { DeleteProjects } from './delete-project.tsx';
import { type ListedProject, type ProjectQuestion, questionAddress, rangeText, type Sort } from './model/list.ts';
import { isListed, STATUSES, type Status } from './model/status.ts';
import { previewOf } from './model/table.ts';
import { useProjectPage, useSetStatus } from './project-queries.ts';

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
      {project.description === undefined && <span className="row-preview">{project.client}</span>}
      {project.description && <span className="row-preview">{previewOf(plainText(project.description))}</span>}
      {project.status === 'draft' && project.submitted_at === null && (
        <span className="row-preview">{admin.notFinished}</span>
      )}
    </Pictured>
  ),
};
const CLIENT: ProjectColumn = { header: 'Client', wide: true, text: true, cell: ({ client }) => client };
const BUDGET: ProjectColumn = {
  header: 'Budget',
  wide: true,
  cell: ({ budget }) => budget !== null && <span className="amount">{dollars(budget)}</span>,
};
const REST: readonly ProjectColumn[] = [
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Changed',
    wide: true,
    orders: { descending: 'changed' },
    cell: ({ updated_at }) => <DayTime at={updated_at} />,
  },
  {
    header: 'Created',
    orders: { descending: 'newest', ascending: 'oldest' },
    cell: ({ created_at }) => <DayTime at={created_at} />,
  },
];
const COLUMNS = { project: [TITLE, BUDGET, ...REST], experiment: [TITLE, CLIENT, ...REST] };

const OVERVIEW: ProjectColumn[] = [
  {
    header: 'Title',
    cell: (project) => (
      <>
        <Title project={project} />
        <span className="row-meta">
          <StatusBadge status={project.status} /> {project.client}{' '}
          {project.budget !== null && <span className="amount">{dollars(project.budget)}</span>}
        </span>
        {project.project_media.length > 0 && (
          <span className="thumbnails">
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
  project: { failed: messages.failedToLoadProjects, none: admin.noProjects },
  experiment: { failed: admin.failedToLoadExperiments, none: admin.noExperiments },
};

export function ProjectPage({
  as,
  question,
  ask,
}: {
  as: keyof typeof SCREENS;
  question: ProjectQuestion;
  ask: (change: Partial<ProjectQuestion>) => void;
}) {
  const found = useProjectPage(question, as);
  const { failed, none } = SCREENS[as];
  const filtered = question.search || question.status || question.review;
  return (
    <Loaded query={found} loading={`Loading ${as}s`} failed={failed}>
      {(page) => (
        <ProjectList
          as={as}
          projects={page.rows}
          sorting={{ current: question.sort, standard: 'newest', onChange: (sort) => ask({ sort, page: 1 }) }}
          busy={found.isFetching}
          empty={filtered ? admin.noMatch[as] : none}
        >
          <ListFoot
            said={rangeText(page)}
            pages={pagesOf(page.total, page.size)}
            current={page.page}
            addressOf={(number) => questionAddress({ ...question, page: number })}
          />
        </ProjectList>
      )}
    </Loaded>
  );
}

/** Without `sorting` an overview: no order, no selection. */
export function ProjectList({
  projects,
  as = 'project',
  sorting,
  ...rest
}: {
  projects: readonly ListedProject[];
  as?: keyof typeof SCREENS;
  sorting?: Ordering<Sort>;
  busy?: boolean;
  empty: string;
  children?: ReactNode;
}) {
  const [leaving, setLeaving] = useState<readonly ListedProject[] | null>(null);
  return (
    <>
      <DataTable
        {...rest}
        caption={as === 'project' ? 'Projects' : 'Experiments'}
        rows={projects}
        keyOf={({ id }) => id}
        columns={sorting ? COLUMNS[as] : OVERVIEW}
        ordering={sorting}
        selecting={
          sorting && {
            nameOf: ({ title }) => title,
            actions: (selected, deselect) => (
              <BulkActions projects={selected} onDone={deselect} onDelete={() => setLeaving(selected)} />
            ),
          }
        }
        actions={(project) => (
          <RowActions project={project} as={as} menu={sorting !== undefined} onDelete={() => setLeaving([project])} />
        )}
      />
      <DeleteProjects as={as} projects={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

function RowActions({
  project: { id, title, status: before },
  as,
  menu,
  onDelete,
}: {
  project: ListedProject;
  as: 'project' | 'experiment';
  menu: boolean;
  onDelete: () => void;
}) {
  const change = useSetStatus();
  const { say, complain } = useStatus();
  const set = (status: Status) =>
    void change.mutateAsync({ id, status }).then(
      () => {
        const word = isListed(status) && !isListed(before) ? 'published' : status;
        say(admin.statusSet(title, word), { undo: () => change.mutateAsync({ id, status: before as Status }) });
      },
      (error: unknown) => complain(admin.statusKept(title, before, messageOf(error, messages.anErrorOccurred))),
    );
  const isPage = as === 'experiment';
  return (
    <>
      <Link
        className="icon-button"
        to={isPage ? href('/case-studies/:id/:slug?', { id }) : href('/admin/projects/:id', { id })}
        reloadDocument={isPage}
        aria-label={`View ${title}`}
      >
        <Icon name="eye" />
      </Link>
      <Link
        className="icon-button"
        to={href('/admin/projects/:id/edit', { id })}
        aria-label={`Edit ${title}`}
        data-key="e"
      >
        <Icon name="edit" />
      </Link>
      {menu ? (
        <DropMenu
          label={words.moreFor(title)}
          summary={change.isPending ? words.saving : words.more}
          busy={change.isPending}
          side="end"
          choices={[
            ...STATUSES.filter((status) => status !== before).map((status) => ({
              label: status === 'active' && !isListed(before) ? words.publish : words.statusActions[status],
              act: () => set(status),
            })),
            { label: words.delete, danger: true, act: onDelete },
          ]}
        />
      ) : (
        <button
          type="button"
          className="icon-button icon-button-danger"
          aria-label={`Delete ${title}`}
          onClick={onDelete}
        >
          <Icon name="trash" />
        </button>
      )}
    </>
  );
}

import { type Fault, noticedBy } from './admin.ts';

const projects = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/journeys/admin/projects.test.ts', title, ...faults);

const WORDS = 'app/lib/words/admin.ts';
const FORM = 'app/features/projects/model/form.ts';
const DETAIL = 'app/features/projects/detail.tsx';

/** The dashboard, the list of projects, and a project that is written and read. */
export const mutations = [
  ...projects(
    'leads everywhere',
    [
      'DASH-06',
      'app/features/dashboard/dashboard.tsx',
      "href: href('/admin/users'), icon: 'user'",
      "href: href('/admin'), icon: 'user'",
    ],
    ['DASH-09', 'app/features/dashboard/dashboard.tsx', '<Link to={MANAGE}>View All</Link>', ''],
  ),
  ...projects(
    'shows five newest',
    ['DASH-07', 'app/features/dashboard/dashboard.tsx', 'const RECENT = 5;', 'const RECENT = 6;'],
    ['DASH-12', 'app/features/projects/model/list.ts', 'const THUMBNAILS = 4;', 'const THUMBNAILS = 5;'],
    [
      'DASH-08',
      'app/features/dashboard/dashboard.tsx',
      'className="row-title" href={href(\'/case-studies/:id/:slug?\', ',
      'className="row-title" href={href(\'/admin/projects/:id\', ',
    ],
    [
      'DASH-10',
      'app/features/projects/project-queries.ts',
      'page * size < total ? page + 1 : undefined',
      'page * size < total - size ? page + 1 : undefined',
    ],
  ),
  ...projects(
    'says so when there is nothing',
    ['DASH-13', WORDS, "noExperiments: 'No experiments found.'", "noExperiments: 'Nothing here.'"],
    [
      'DASH-14, APROJ-01',
      WORDS,
      'noProjects: \'No projects yet. Click "New Project"',
      'noProjects: \'None. Click "New Project"',
    ],
  ),
  ...noticedBy('tests/journeys/admin/shell.test.ts', 'APROJ-01', [
    'APROJ-01: what is deleted leaves the list',
    'app/features/projects/project-queries.ts',
    "what === 'one' && ids.includes",
    "what !== 'one' || ids.includes",
  ]),

  ...projects(
    'asks for a title and a sound budget',
    ['PFORM-02', FORM, "if (fields.title.trim() === '') errors.title", 'if (fields.title === null) errors.title'],
    ['PFORM-04', FORM, '(\\.\\d{1,2})?$/', '(\\.\\d+)?$/'],
  ),
  ...projects(
    'is written, changed, published and deleted',
    ['PFORM-04', FORM, "budget: budget === '' ? null : Number(budget)", 'budget: Number(budget)'],
    ['PFORM-05', FORM, 'end_date: orNull(fields.endDate)', 'end_date: orNull(fields.startDate)'],
    ['PFORM-01', FORM, 'impact: orNull(fields.impact)', 'impact: orNull(fields.actions)'],
    [
      'PFORM-06',
      'app/features/projects/new.tsx',
      "void navigate(href('/admin/projects/:id', { id: created }))",
      "void navigate('/admin/projects?made=' + created)",
    ],
    ['PFORM-08', 'app/features/projects/edit.tsx', 'label="Save Changes"', 'label="Save"'],
    [
      'PFORM-09',
      'app/features/projects/edit.tsx',
      "void navigate(href('/admin/projects/:id', { id: project.id }))",
      "void navigate('/admin/projects?saved=' + project.id)",
    ],
    ['PFORM-03', 'app/features/projects/model/status.ts', "'completed', 'archived'] as const", "'completed'] as const"],
    ['PDET-09, CONST-18', 'app/lib/data/money.ts', "inCurrency(amount, 'USD')", "inCurrency(amount, 'EUR')"],
    [
      'PDET-08',
      DETAIL,
      "<Link to={href('/admin')}>Back to Projects</Link>",
      "<Link to={href('/admin/projects')}>Back to Projects</Link>",
    ],
    ['PDET-06', WORDS, 'Are you sure you want to delete this project?', 'Delete this project?'],
    [
      'DASH-11',
      'app/features/projects/project-list.tsx',
      'onDelete={() => setLeaving([project])}',
      'onDelete={() => {}}',
    ],
  ),
  ...projects(
    'loses it again after the question',
    ['PDET-07', WORDS, 'Are you sure you want to delete this media item?', 'Delete this media item?'],
    ['PDET-04', 'app/features/projects/model/write.ts', "from('project_media').delete", "from('projects').delete"],
    ['PDET-04', 'app/features/projects/detail.tsx', 'onClick={() => setLeaving(media)}', ''],
    ['PDET-03', 'app/ui/admin/delete-dialog.tsx', 'deletion.mutateAsync(deleted.id).then(', 'Promise.resolve().then('],
  ),
  ...projects('names its team', [
    'PDET-05',
    'app/features/projects/team/member-row.tsx',
    '{member.contribution_percentage !== null && ',
    '{member.contribution_percentage === null && ',
  ]),
  ...projects(
    'says what failed, in its own words',
    [
      'PFORM-11',
      'app/features/projects/form/use-editing.ts',
      'failed: admin.failedToUpdateProject',
      "failed: 'Not saved'",
    ],
    ['PFORM-07', 'app/features/projects/new.tsx', 'failed: admin.failedToCreateProject', "failed: 'Not saved'"],
    ['PFORM-10', WORDS, "projectNotFound: 'Project not found'", "projectNotFound: 'Not found'"],
    [
      'PDET-10',
      'app/lib/words/tables.ts',
      'project: admin.failedToDeleteProject',
      'project: admin.failedToDeleteMedia',
    ],
  ),
  ...noticedBy('tests/journeys/admin/project-editing.test.ts', 'PFORM-12', [
    'PFORM-12',
    'app/features/projects/media/media-editor.tsx',
    'await reorderMedia(clients().data(), id, [...order]);',
    'void order;',
  ]),
];

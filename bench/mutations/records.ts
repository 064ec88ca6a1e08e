import type { Mutation } from '../mutations.bench.ts';
import { type Fault, noticedBy } from './admin.ts';

const SQL = 'supabase/migrations/20261201';
const EDITING = 'tests/journeys/admin/project-editing.test.ts';
const LITE = 'tests/operator/hosted/supabase-lite.test.ts';
const PEOPLE = `${SQL}000200_users.sql`;
const PROJECTS = `${SQL}000600_projects.sql`;
const MEDIA = `${SQL}000900_project_media.sql`;
const METADATA = `${SQL}001000_case_study_metadata.sql`;
const MEMBERS = `${SQL}001100_project_members.sql`;

const permissions = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/permissions/embedded.test.ts', title, ...faults);

/** What is stored of a project, its media, texts and team, and of people. */
export const mutations: Mutation[] = [
  ...noticedBy(EDITING, 'every screen shows the same record', [
    'ENT-01',
    'app/features/projects/project-list.tsx',
    'className="row-title" to={',
    `className="row-title" to={title.length > 3 ? '/case-studies/'.concat(id) : `,
  ]),
  ...permissions(
    'a project keeps all an admin writes',
    [
      'ENT-03: optional texts',
      PROJECTS,
      '  actions       public.rich_text,',
      "  actions       public.rich_text default '<p></p>',",
    ],
    [
      'ENT-04: markup in the description',
      PROJECTS,
      '    new.created_by := public.get_guest_user_id();\n  end if;',
      "    new.created_by := public.get_guest_user_id();\n  end if;\n  new.description := regexp_replace(new.description, '<[^>]*>', '', 'g');",
    ],
  ),
  ...permissions(
    'an admin adds a member and changes role and share, and the project shows it',
    [
      'ENT-05: the team',
      MEMBERS,
      '"a team is readable with the project" on public.project_members for select to anon, authenticated',
      '"a team is readable with the project" on public.project_members for select to authenticated',
    ],
    [
      'ENT-05: the media',
      MEDIA,
      '"media are readable with the project" on public.project_media for select to anon, authenticated',
      '"media are readable with the project" on public.project_media for select to authenticated',
    ],
  ),
  ...permissions('ENT-10: project_media has its fields', [
    'ENT-10',
    MEDIA,
    'grant select, insert (id, project_id, type, url, title, description, "order", alt, made, poster, is_cover)',
    'grant select (id, project_id, type, url, title, "order", alt, made, poster, is_cover), insert (id, project_id, type, url, title, description, "order", alt, made, poster, is_cover)',
  ]),
  ...noticedBy('tests/journeys/public/detail.test.ts', 'shows its media in their order', [
    'ENT-12',
    'app/features/projects/model/read.ts',
    ".order('order', { referencedTable: 'project_media' })",
    ".order('order', { ascending: false, referencedTable: 'project_media' })",
  ]),
  ...permissions('ENT-15: project_members has its fields', [
    'ENT-15: the fields',
    MEMBERS,
    'grant select, delete,\n  insert (project_id,',
    'grant select (id, project_id, user_id, name, role), delete,\n  insert (project_id,',
  ]),
  ...noticedBy(
    EDITING,
    'a team is put together from accounts and names',
    ['ENT-15: the email of a member', 'app/features/projects/model/read.ts', 'user(email,name)', 'user(name)'],
    [
      'ENT-16: the share is changed from the screen',
      'app/features/projects/team/member-row.tsx',
      'contribution_percentage: typedShare(share)',
      'contribution_percentage: null',
    ],
    [
      'ENT-16: the role is changed from the screen',
      'app/features/projects/team/member-row.tsx',
      'role: role || null',
      'role: member.role',
    ],
  ),
  ...permissions('ENT-20: case_study_metadata has its fields', [
    'ENT-20',
    METADATA,
    'grant select,\n  insert (project_id,',
    'grant select (id, project_id, brief, understanding, actions, impact, category, credits),\n  insert (project_id,',
  ]),
  ...permissions('ENT-25: roles has its fields', [
    'ENT-25: roles',
    PEOPLE,
    'grant select, insert (name) on public.roles to authenticated;',
    'grant select (id), insert (name) on public.roles to authenticated;',
  ]),
  ...permissions('ENT-25: user_roles has its fields', [
    'ENT-25: who holds them',
    PEOPLE,
    'grant select, insert (user_id, role_id), delete on public.user_roles to authenticated;',
    'grant select (user_id), insert (user_id, role_id), delete on public.user_roles to authenticated;',
  ]),
  ...noticedBy(
    'tests/journeys/account/signing-in-ways.test.ts',
    'requires a second factor from an admin, and setup from one without',
    ['ENT-28: the identities of a user', 'packages/backend/auth/users/user.ts', '  provider: identity.provider,\n', ''],
  ),
  ...noticedBy('tests/journeys/account/accounts.test.ts', 'carries what was said at sign-up', [
    'ENT-29',
    'app/features/account/model/account.ts',
    'data: { requested_admin: true, name } }',
    'data: { name } }',
  ]),
  ...permissions('know six categories and none', [
    'ENT-34: the values',
    METADATA,
    "check (category in ('branding', 'video', 'ai', 'social', 'strategy', 'other'))",
    "check (category in ('branding', 'video', 'ai', 'social', 'strategy', 'other', 'unknown'))",
  ]),
  ...noticedBy('tests/journeys/submit/submit.test.ts', 'opens without signing in and shows every control', [
    'ENT-34: the labels',
    'app/lib/words/categories.ts',
    "label: 'Video Production'",
    "label: 'Videos'",
  ]),
  ...noticedBy('tests/journeys/submit/submit.test.ts', 'shows several files at once, each under way, then done', [
    'ENT-35: the flag of a file under way',
    'app/features/submissions/media-tile.tsx',
    '{isUploading && (',
    '{isUploading && failure && (',
  ]),
  ...noticedBy('app/features/media/model/upload.test.ts', 'stores under a random name with the true extension', [
    'ENT-36: the name of a file',
    'app/features/media/model/upload.ts',
    'pathFor = (id: string, { extension }: PictureFormat)',
    'pathFor = (id: string, { contentType: extension }: PictureFormat)',
  ]),
  ...permissions('the public bucket accepts pictures of at most 10 MiB', [
    'ENT-36: the public bucket',
    MEDIA,
    "values ('case-studies', 'case-studies', true,",
    "values ('case-studies', 'case-studies', false,",
  ]),
  ...permissions(
    'keep the project’s own texts in step, both ways',
    [
      'DATA-18: the brief',
      METADATA,
      'brief = coalesce(stored.brief, project.description), understanding',
      'understanding',
    ],
    ['DATA-18: the tags', METADATA, "new.tags := coalesce(new.tags, '{}');", "new.tags := '{}';"],
  ),
  ...noticedBy(LITE, 'lists what that project holds, by category and by what is searched for', [
    'DATA-19: where the browser finds the service',
    'app/root.tsx',
    'content={site?.supabase.url}',
    'content={site?.origin}',
  ]),
];

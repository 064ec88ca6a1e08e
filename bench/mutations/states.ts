import type { Mutation } from '../mutations.bench.ts';
import { type Fault, noticedBy } from './admin.ts';

const SQL = 'supabase/migrations/20261201';
const AUTH = 'tests/contract/auth/auth.test.ts';
const TOKENS = 'tests/contract/auth/tokens.test.ts';
const SUBMITTING = 'tests/contract/submitting.test.ts';
const GATE = 'tests/journeys/admin/gate.test.ts';
const EXPERIMENTS = 'tests/journeys/admin/experiments.test.ts';
const LIST = 'tests/journeys/public/list.test.ts';
const PEOPLE = `${SQL}000200_users.sql`;
const FIRST_ADMIN = `${SQL}000500_first_admin.sql`;
const PROJECTS = `${SQL}000600_projects.sql`;
const MEDIA = `${SQL}000900_project_media.sql`;
const MEMBERS = `${SQL}001100_project_members.sql`;

const permissions = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/permissions/embedded.test.ts', title, ...faults);

/** The states that a record and a screen go through, who may, and what the identity service refuses. */
export const mutations: Mutation[] = [
  ...permissions(
    'lets an admin move between any two states and no other word',
    [
      'STATE-03',
      PROJECTS,
      '  new.submitted_at := coalesce(new.submitted_at, now());\n  perform private.record(',
      "  if old.status = 'archived' then\n    return old;\n  end if;\n  new.submitted_at := coalesce(new.submitted_at, now());\n  perform private.record(",
    ],
    [
      'PERM-04: projects',
      PROJECTS,
      '"admins change experiments" on public.projects for update to authenticated\n  using ((select public.is_admin()))',
      '"admins change experiments" on public.projects for update to authenticated\n  using (created_by = (select auth.uid()))',
    ],
  ),
  ...permissions('D9: do not matter once an admin has published the draft: it is complete', [
    'D9: submitted_at',
    PROJECTS,
    '  new.submitted_at := coalesce(new.submitted_at, now());\n  perform private.record(',
    '  perform private.record(',
  ]),
  ...permissions(
    'D9: are limited to 100 percent to the hundredth, when added, changed or restored',
    ['D9: 100.01 %', MEMBERS, 'raise_if(total > 100,', 'raise_if(total > 100.01,'],
    ['D9: 100.01 % restored', MEMBERS, ') > 100 then', ') > 100.01 then'],
  ),
  ...noticedBy(GATE, 'asks a stranger to sign in, with more ways behind advanced options (desktop)', [
    'STATE-07: no user',
    'app/features/shell/gate/require-admin.tsx',
    'if (caller.data === null) return',
    'if (caller.data === null && callbackFailure) return',
  ]),
  ...noticedBy(GATE, 'denies access to a signed-in user without the role', [
    'STATE-07: no admin',
    'app/features/shell/gate/require-admin.tsx',
    'if (caller.data && !roleLost) return',
    'if (caller.data && roleLost) return',
  ]),
  ...noticedBy(LIST, 'shows a spinner with words while the next list is on its way', [
    'STATE-08: loading',
    'app/features/portfolio/list/list.tsx',
    '        <Spinner label="Loading experiments" />\n',
    '',
  ]),
  ...noticedBy(LIST, 'says so when a category is empty, and leads on', [
    'STATE-08: empty',
    'app/features/portfolio/list/list.tsx',
    '{cards.length === 0 ? <ListEmpty listed={listed} /> : <Cards listed={listed} />}',
    '{cards.length > 0 && <Cards listed={listed} />}',
  ]),
  ...noticedBy('tests/operator/hosted/hosted.test.ts', 'is shown in a red box, and requested again at the next visit', [
    'STATE-08: error',
    'app/features/portfolio/list/list.tsx',
    '{error ? (',
    '{error && cards.length > 0 ? (',
  ]),
  ...noticedBy(
    EXPERIMENTS,
    'asks, deletes, says so for three seconds',
    ['STATE-09: deleting', 'app/ui/admin/delete-dialog.tsx', 'busy={deletion.isPending}', 'busy={deletion.isPaused}'],
    [
      'STATE-09: the success message',
      'app/lib/words/tables.ts',
      ': admin.experimentDeleted;',
      ': admin.projectDeleted(title);',
    ],
    [
      'STATE-11: after a deletion',
      'app/ui/admin/delete-dialog.tsx',
      '        close();\n        onDeleted(deleted, result);',
      '        onDeleted(deleted, result);',
    ],
    ['STATE-11: on cancel', 'app/ui/admin/delete-dialog.tsx', 'onCancel={close}', 'onCancel={deletion.reset}'],
  ),
  ...noticedBy('tests/journeys/setup/cleanup.test.ts', 'deletes all for an admin who has just signed in', [
    'STATE-10: deleting',
    'app/features/setup/cleanup.tsx',
    "{phase === 'deleting' && <Underway",
    "{phase === 'deleting' && result && <Underway",
  ]),
  ...permissions('are changed and removed by admins and the service alone', [
    'PERM-04: their media',
    MEDIA,
    '"admins write media" on public.project_media to authenticated using ((select public.is_admin()))',
    '"admins write media" on public.project_media to authenticated using (project_id = (select private.editable_draft()))',
  ]),
  ...noticedBy(
    GATE,
    'falls back to the roles when is_admin fails',
    [
      'PERM-05: by the roles when the call fails',
      'app/features/account/model/role.ts',
      'if (!answer.error) return',
      'if (!asked.error || !asked.data) return',
    ],
    [
      'PERM-05: by the role of admins, no other',
      'app/features/account/model/role.ts',
      'role?.name === ADMIN',
      'role?.name === ADMIN || role !== null',
    ],
  ),
  ...noticedBy(SUBMITTING, 'goes on in the name of the nil id when the guest account', [
    'PERM-07: the nil id',
    'app/features/submissions/model/send.ts',
    'submitter_id: submitter ?? NIL_ID',
    'submitter_id: submitter',
  ]),
  ...noticedBy(SUBMITTING, 'in their own name, without asking for the guest', [
    'PERM-07: the person of the session',
    'app/features/submissions/model/send.ts',
    'userId ?? (await guestId(data).catch(() => null))',
    '(await guestId(data).catch(() => null)) ?? userId',
  ]),
  ...permissions(
    'PERM-08: makes the role when it is missing',
    [
      'PERM-08: the missing role',
      FIRST_ADMIN,
      '  insert into public.roles (name) values (role_name) on conflict (name) do nothing;\n',
      '',
    ],
    [
      'PERM-08: who holds it already',
      FIRST_ADMIN,
      'values (target, admin_role) on conflict do nothing;',
      'values (target, admin_role);',
    ],
  ),
  ...permissions('never follows from anything in a token or about a person', [
    'PERM-13',
    PEOPLE,
    '  select case\n    when not private.is_admin_account(auth.uid()) then false',
    "  select case\n    when auth.jwt() -> 'user_metadata' ->> 'requested_admin' = 'true' then true\n    when not private.is_admin_account(auth.uid()) then false",
  ]),
  ...noticedBy(
    AUTH,
    'is not begun by the client without what it takes',
    [
      'AUTH-27: the response for a code of an unknown user',
      'packages/backend/auth/links/otp.ts',
      "errors.invalid('One of email or phone must be set')",
      'errors.badCredentials()',
    ],
    [
      'AUTH-28: what the service says of half a session',
      'packages/backend/auth/sessions/refresh-grant.ts',
      'throw errors.malformedRefreshToken();',
      'throw errors.sessionExpired();',
    ],
  ),
  ...noticedBy(TOKENS, 'shows a forged signature', [
    'AUTH-30: a key set that detects a forged signature',
    'packages/backend/auth/about-service.ts',
    '=> key.publicJwk)',
    '=> ({ ...key.publicJwk, kid: undefined }))',
  ]),
];

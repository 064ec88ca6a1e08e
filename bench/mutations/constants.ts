import type { Mutation } from '../mutations.bench.ts';
import { type Fault, noticedBy } from './admin.ts';

const PERMISSIONS = 'tests/permissions/embedded.test.ts';
const JOIN = 'tests/journeys/public/join.test.ts';
const EXPERIMENTS = 'tests/journeys/admin/experiments.test.ts';
const ALL_PROJECTS = 'tests/journeys/admin/projects.test.ts';
const SHELL = 'tests/journeys/admin/shell.test.ts';
const LABELS = 'app/features/projects/model/labels.test.ts';
const CALCULATOR = 'app/features/splits/model/calculator.test.ts';
const SHEET = 'app/features/splits/model/sheet.test.ts';
const LITE = 'tests/operator/hosted/supabase-lite.test.ts';

const MESSAGES = 'app/lib/words/messages.ts';
const TERMS = 'app/features/pages/words/collective.ts';
const CUTS = 'app/features/splits/words/terms.ts';
const SHARES = 'app/features/splits/model/calculator.ts';
const PLAN = 'app/features/splits/model/plan.ts';
const MASTERCLASS = 'app/features/masterclass/words/defaults.ts';
const PROJECT_LIST = 'app/features/projects/model/list.ts';

const terms = (...faults: Fault[]) => noticedBy(JOIN, 'states the terms', ...faults);
const split = (...faults: Fault[]) => noticedBy(JOIN, 'states the split, and what it leaves over', ...faults);
const lines = (...faults: Fault[]) => noticedBy(CALCULATOR, 'has these lines, the missing tenth among them', ...faults);
const payments = (...faults: Fault[]) => noticedBy(SHEET, 'is paid in halves, from month 2', ...faults);

/** Sentences and numbers that the specification fixes, and what the whole is for. */
export const mutations: Mutation[] = [
  ...noticedBy('tests/contract/cleanup.test.ts', 'does not take an empty answer for success', [
    'ERR-02',
    'app/features/projects/model/upload.ts',
    'if (answered(answer).data !== id) throw new Error(messages.noData);',
    'answered(answer);',
  ]),
  ...noticedBy('tests/contract/submitting.test.ts', 'says when there is no account to insert for', [
    'ERR-03',
    'app/features/submissions/words/submission.ts',
    'Could not get service account: ',
    'Could not get the guest account: ',
  ]),
  ...noticedBy(PERMISSIONS, 'says so when the role is missing and cannot be made', [
    'ERR-04',
    'supabase/migrations/20261201000500_first_admin.sql',
    'Role %s not found and could not be created',
    'Role %s not found',
  ]),
  ...noticedBy('app/features/setup/model/direct-access.test.ts', 'says when no account came back', [
    'ERR-05',
    MESSAGES,
    'Failed to create user account',
    'Failed to create account',
  ]),
  ...noticedBy(
    'app/features/setup/model/admin-setup.test.ts',
    'says that the account was created and the role was not assigned',
    [
      'ERR-06',
      'app/features/setup/words/setup.ts',
      'User created but failed to assign admin role: ',
      'Failed to assign admin role: ',
    ],
  ),
  ...noticedBy('app/features/account/model/identity-error.test.ts', 'says when it was no refusal at all', [
    'ERR-07',
    'app/features/account/model/identity-error.ts',
    'return messages.unexpectedError(error.message);',
    'return otherwise;',
  ]),
  ...noticedBy('tests/journeys/admin/gate.test.ts', 'falls back to the roles when is_admin fails', [
    'ERR-08',
    'app/features/shell/gate/require-admin.tsx',
    'messages.failedToVerifyAdmin',
    'messages.unknownError',
  ]),
  ...noticedBy(
    SHELL,
    'is loading, then failed with another try, then loaded, or empty',
    [
      'ERR-10: lists',
      'app/features/projects/project-list.tsx',
      'failed: messages.failedToLoadProjects',
      'failed: messages.anErrorOccurred',
    ],
    ['STATE-08: loading', 'app/ui/admin/loaded.tsx', '<Spinner label={loading} />', '<Spinner label="One moment" />'],
  ),
  ...noticedBy(ALL_PROJECTS, 'says what failed, in its own words when the service has none', [
    'ERR-10: one project',
    MESSAGES,
    "failedToLoadProject: 'Failed to load project'",
    "failedToLoadProject: 'Failed to load projects'",
  ]),
  ...noticedBy('tests/journeys/admin/project-editing.test.ts', 'come as files on a phone, with another try', [
    'ERR-11',
    'app/features/submissions/words/submission.ts',
    'Upload failed with no error',
    'Upload failed',
  ]),

  ...noticedBy('tests/journeys/public/routes.test.ts', 'requests projects once in five minutes, and again after', [
    'CONST-01: projects',
    'app/session/query-cache.ts',
    'LIFETIME = 300_000',
    'LIFETIME = 600_000',
  ]),
  ...noticedBy('tests/journeys/admin/gate.test.ts', 'lets an admin in and asks once in five minutes', [
    'CONST-01: the admin flag',
    'app/session/current-user.ts',
    'ADMIN_ANSWER_LIFETIME = 300_000',
    'ADMIN_ANSWER_LIFETIME = 240_000',
  ]),
  ...noticedBy('tests/contract/auth/tokens.test.ts', 'holds public parts only, may be cached, and proves our tokens', [
    'CONST-05: what the service says of the key set',
    'packages/backend/auth/about-service.ts',
    'public, max-age=600',
    'public, max-age=3600',
  ]),
  ...noticedBy(EXPERIMENTS, 'asks, deletes, says so for three seconds', [
    'CONST-09, STATE-09',
    'app/lib/words/admin.ts',
    'MESSAGE_STAYS = 3000',
    'MESSAGE_STAYS = 2000',
  ]),
  ...noticedBy('tests/journeys/admin/help.test.ts', 'takes the setup key, says when no account has the address', [
    'CONST-10: Verify User',
    'app/features/setup/verify-user.tsx',
    'after={SETUP_REDIRECT}',
    'after={SETUP_REDIRECT / 3}',
  ]),
  ...noticedBy('tests/journeys/setup/admin-setup.test.ts', 'makes the first admin, once', [
    'CONST-10: Admin Setup',
    'app/features/setup/admin-setup.tsx',
    'after={SETUP_REDIRECT}',
    'after={SETUP_REDIRECT / 3}',
  ]),
  ...noticedBy(EXPERIMENTS, 'shows ten of all, the newest first', [
    'CONST-15',
    'app/lib/data/page.ts',
    'PAGE_SIZE = 10',
    'PAGE_SIZE = 12',
  ]),
  ...noticedBy(
    ALL_PROJECTS,
    'shows five newest, and all with four pictures at most',
    ['CONST-16', 'app/features/dashboard/dashboard.tsx', 'RECENT = 5', 'RECENT = 6'],
    ['CONST-17', PROJECT_LIST, 'THUMBNAILS = 4', 'THUMBNAILS = 5'],
  ),
  ...noticedBy(
    'tests/journeys/public/layout.test.ts',
    'gains a shadow after 50 px and loses it on the way back',
    ['CONST-20: at 50', 'app/ui/scroll.ts', 'SHADOW_AFTER = 50', 'SHADOW_AFTER = 40'],
    ['CONST-20: above', 'app/ui/scroll.ts', 'SHADOW_AFTER = 50', 'SHADOW_AFTER = 60'],
  ),
  ...noticedBy(
    'tests/journeys/public/layout.test.ts',
    'notes in the console how far it was read, each mark once',
    ['CONST-21: the marks', 'app/ui/scroll.ts', 'DEPTHS = [25, 50, 75, 90]', 'DEPTHS = [25, 50, 75, 100]'],
    ['CONST-21: once', 'app/ui/scroll.ts', '  const look = () => {\n', '  const look = () => {\n    next = 0;\n'],
  ),
  ...noticedBy('tests/journeys/public/reading.test.ts', 'nothing is sent while counting is off', [
    'CONST-21: nothing is sent',
    'app/root.tsx',
    '{isStatic && facts.countReading && ',
    '{isStatic && ',
  ]),
  ...noticedBy('app/features/projects/model/upload.test.ts', 'CONST-23: begins with a draft', [
    'CONST-23: the form',
    'app/features/projects/model/form.ts',
    "status: project?.status ?? 'draft'",
    "status: project?.status ?? 'active'",
  ]),
  ...noticedBy(PERMISSIONS, 'a project keeps all an admin writes', [
    'CONST-23: the table',
    'supabase/migrations/20261201000600_projects.sql',
    "status        text not null default 'draft'",
    "status        text not null default 'active'",
  ]),
  ...noticedBy('tests/journeys/submit/editor.test.ts', 'stands over each text, with exactly these tools', [
    'CONST-24',
    'app/ui/editor/toolbar.tsx',
    '  heading(3),\n',
    '',
  ]),
  ...noticedBy(LABELS, 'knows a picture by its ending, in any case, and no other file', [
    'CONST-26: the endings',
    'app/features/projects/model/labels.ts',
    '(jpe?g|png|gif|webp|svg)',
    '(jpe?g|png|gif|svg)',
  ]),
  ...noticedBy(LABELS, 'takes pictures of the two known hosts and of our own store without a file ending', [
    'CONST-26: the hosts',
    'app/lib/words/agency.ts',
    "pictureHosts: ['images.unsplash.com', 'images.pexels.com']",
    "pictureHosts: ['images.unsplash.com']",
  ]),

  ...terms(
    ['CONST-27', TERMS, "'10 hrs per week'", "'10 hrs per month'"],
    ['CONST-28', TERMS, "'At least one project a year'", "'At least two projects a year'"],
    ['CONST-37', TERMS, '50% after the first client payment and 50%', '25% after the first client payment and 75%'],
    ['CONST-38', TERMS, "'From month 2'", "'From month 1'"],
    ['CONST-39', TERMS, 'At start, at milestones and at the end', 'At start and at the end'],
    ['CONST-40: one key', TERMS, 'Only one key per member.', 'Two keys per member.'],
    ['CONST-40: what keys are worth', TERMS, '4 Silver = 2 Gold', '3 Silver = 2 Gold'],
  ),
  ...lines(
    ['CONST-30, ENT-37', CUTS, '  closer: 10,', '  closer: 5,'],
    ['CONST-31, ENT-37', CUTS, '  manager: 15,', '  manager: 10,'],
    ['CONST-33, ENT-37: the share', CUTS, '  team: 25,', '  team: 20,'],
    ['CONST-35, ENT-37', CUTS, '  crisisFund: 1,', '  crisisFund: 2,'],
  ),
  ...split(
    ['CONST-32: the share on the page', CUTS, '  idea: 5,', '  idea: 10,'],
    ['CONST-33: by input and rating', TERMS, 'Shared by input and anonymous peer rating', 'Shared by input'],
    ['CONST-34: from none', TERMS, '    least: 0,\n', '    least: 5,\n'],
  ),
  ...noticedBy(CALCULATOR, 'has the idea’s share for whoever had it, and for the manager where nobody had', [
    'CONST-32: without an idea person',
    SHARES,
    "const role = cut === 'idea' ? 'manager' : cut;",
    'const role = cut;',
  ]),
  ...noticedBy(CALCULATOR, 'gives the work team what investors do not take, and nobody the missing tenth', [
    'CONST-34: the remainder',
    SHARES,
    'team: cuts.team + cuts.investors - investors,',
    'team: cuts.team,',
  ]),
  ...lines([
    'CONST-36: spread silently',
    SHARES,
    'team: cuts.team + cuts.investors - investors, investors, unallocated: unallocatedPercent }',
    'team: cuts.team + cuts.investors - investors + unallocatedPercent, investors, unallocated: 0 }',
  ]),
  ...noticedBy(JOIN, 'the missing tenth in a line of its own', [
    'CONST-36: its own line',
    SHARES,
    'lines: order.map(',
    'lines: order.slice(0, -1).map(',
  ]),
  ...payments(
    ['CONST-37: in halves', PLAN, '      [start, instalmentNames.first],\n', ''],
    ['CONST-38: from month 2', PLAN, 'const days = [secondMonth(start)];', 'const days = [start];'],
    ['CONST-39: at milestones', PLAN, '    [middle, instalmentNames.milestone],\n', ''],
  ),
  ...noticedBy(
    'app/features/masterclass/model/masterclass.test.ts',
    'has the days, hours, seats and prices of the specification',
    ['CONST-41: a price', MASTERCLASS, 'memberFee: 9_985', 'memberFee: 9_895'],
    ['CONST-41: seats', MASTERCLASS, 'seats: 5,', 'seats: 6,'],
  ),

  ...noticedBy(
    'tests/journeys/every-page.test.ts',
    'is read without an account',
    ['SCOPE-01: a page', 'app/routes.ts', "route('about', ", "route('about-us', "],
    [
      'SCOPE-01: a service',
      'app/features/pages/home/home.tsx',
      'home.services.list.map(',
      'home.services.list.slice(0, 3).map(',
    ],
  ),
  ...noticedBy(
    'tests/journeys/public/contact.test.ts',
    'a visitor can apply, book a call, write, call and come by',
    [
      'SCOPE-02: the form',
      'app/features/pages/join/join.tsx',
      'href={useFacts().agency.applicationForm}',
      'href={useFacts().agency.bookMeeting}',
    ],
    ['SCOPE-02: a call', 'app/features/messages/contact/block.tsx', 'href={agency.bookMeeting}', 'href="/contact"'],
    [
      'SCOPE-02: the address',
      'app/features/messages/contact/block.tsx',
      '{agency.address.map(',
      '{agency.address.slice(0, 1).map(',
    ],
  ),
  ...noticedBy(
    'tests/journeys/setup/cleanup.test.ts',
    'refuses a guest and an ordinary user, and says so',
    ['SCOPE-04: setup', 'app/routes.ts', "route('admin-setup', ", "route('admin/setup', "],
    ['SCOPE-04: verifying', 'app/routes.ts', "    route('verify-user', 'features/setup/verify-user.tsx'),\n", ''],
    ['SCOPE-04: wiping', 'app/routes.ts', "route('cleanup', ", "route('clean-up', "],
  ),
  ...noticedBy(LITE, 'lists what that project holds, by category and by what is searched for', [
    'DATA-19, SCOPE-05: chosen by configuration',
    'packages/backend/config/config.ts',
    'backend: env.SUPABASE_URL\n',
    'backend: env.SUPABASE_URL && env.SUPABASE_SECRET_KEY\n',
  ]),
  ...noticedBy('tests/operator/postgresql.test.ts', 'seeds it, says so, and serves the same site', [
    'SCOPE-05: on a PostgreSQL server',
    'packages/backend/config/config.ts',
    'database: env.DATABASE_URL\n',
    "database: env.DATABASE_URL?.startsWith('postgresql:')\n",
  ]),
];

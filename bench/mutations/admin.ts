import type { Mutation } from '../mutations.bench.ts';

export type Fault = [breaks: string, file: string, from: string, to: string];

/** Faults that the same test must notice. */
export const noticedBy = (test: string, title: string, ...faults: Fault[]): Mutation[] =>
  faults.map(([breaks, file, from, to]) => ({ breaks, file, from, to, test, title }));

const gate = (title: string, ...faults: Fault[]) => noticedBy('tests/journeys/admin/gate.test.ts', title, ...faults);
const table = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/journeys/admin/experiments.test.ts', title, ...faults);
const lists = (title: string, ...faults: Fault[]) => noticedBy('tests/journeys/admin/tables.test.ts', title, ...faults);
const people = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/journeys/admin/people.test.ts', title, ...faults);

const GATE = 'app/features/shell/gate/require-admin.tsx';
const LOGIN = 'app/features/shell/gate/admin-login.tsx';
const WORDS = 'app/lib/words/admin.ts';
const TABLE = 'app/features/projects/project-list.tsx';
const WRITE = 'app/features/projects/model/write.ts';
const USER = 'app/features/users/users.tsx';
const ASK_ABOUT = 'app/features/users/ask-about-user.tsx';

/** The admin area: its gate, table of experiments, users and settings. */
export const mutations: Mutation[] = [
  ...gate(
    'says that it checks, before it knows',
    ['GATE-01, ALAY-08', GATE, 'if (caller.data === null)', "if (!caller.data && typeof document !== 'undefined')"],
    ['GATE-01', WORDS, "verifying: 'Verifying admin permissions...'", "verifying: 'One moment...'"],
    ['ALAY-08', WORDS, "loading: 'Loading...'", "loading: 'One moment...'"],
  ),
  ...gate('falls back to the roles', ['GATE-02', WORDS, '=> `Error: ', '=> `']),
  ...gate(
    'asks a stranger to sign in',
    ['GATE-05', LOGIN, '<details className="advanced">', '<details className="advanced" open>'],
    ['GATE-05', LOGIN, "<a href={href('/admin-help')}>", "<a href={href('/admin-login')}>"],
    ['GATE-03', LOGIN, 'title="Admin Login"', 'title="Sign in"'],
  ),
  ...gate(
    'needs both fields, is busy while it asks',
    [
      'GATE-09',
      'app/ui/form/credentials-form.tsx',
      'hint={newPassword?.hint}\n        required',
      'hint={newPassword?.hint}',
    ],
    ['GATE-10', LOGIN, 'failed={accounts.failedToLogIn}', 'failed=""'],
    ['GATE-04', LOGIN, 'busyLabel="Signing In..."', 'busyLabel="Sign In"'],
  ),
  ...noticedBy('app/features/account/model/identity-error.test.ts', 'ERR-09', [
    'GATE-10',
    'app/features/account/model/identity-error.ts',
    "if (error.name === 'AuthUnknownError' || error.message.startsWith('{')) return otherwise;",
    '',
  ]),
  ...gate(
    'gives hints that fit the message',
    [
      'GATE-11',
      LOGIN,
      "Use the advanced option below: <a href={href('/admin-login')}>Simple Admin Login</a>.",
      'Ask somebody who is an admin.',
    ],
    ['GATE-11', LOGIN, '<li>Try another browser.</li>', ''],
    ['GATE-12', LOGIN, 'message.includes(accounts.emailNotConfirmed)', "message.includes('email_not_confirmed')"],
  ),
  ...gate(
    'denies access to a signed-in user without the role',
    ['GATE-06', WORDS, 'privileges required to access this area.', 'privileges.'],
    [
      'GATE-07',
      'app/features/shell/gate/require-admin.tsx',
      "<LinkButton href={href('/admin-setup')}>",
      "<LinkButton href={href('/admin')}>",
    ],
  ),
  ...gate(
    'requests the admin role only where the server can grant it',
    ['GATE-13', LOGIN, 'await assignAdminRole(data(), email).catch(', 'await Promise.resolve().catch('],
    ['GATE-13', LOGIN, "console.warn('Assigning the admin role failed:', refusal.message)", 'void refusal'],
    ['GATE-13, M4', LOGIN, '  if (!(await isAdmin().catch(() => false))) return;\n', ''],
  ),
  ...noticedBy('tests/permissions/embedded.test.ts', 'returns one message to an admin for unknown, unconfirmed', [
    'GATE-13: an address that is not confirmed gets no role',
    'supabase/migrations/20261201000500_first_admin.sql',
    'and account.email_confirmed_at is not null',
    '',
  ]),
  ...gate('asks once in five minutes', [
    'GATE-08, PERM-06',
    'app/session/current-user.ts',
    'ADMIN_ANSWER_LIFETIME = 300_000',
    'ADMIN_ANSWER_LIFETIME = 30_000',
  ]),
  ...gate(
    'signs out to the home page',
    ['ALAY-07', 'app/features/shell/sidebar.tsx', "location.replace(href('/'))", "location.assign(href('/'))"],
    ['PERM-06', 'app/session/current-user.ts', 'sessionStorage.removeItem(KEPT_UNDER);', ''],
  ),
  ...gate('leads out when the role is lost', [
    'ALAY-09',
    GATE,
    "if (roleLost) location.replace(href('/'));",
    "if (roleLost) location.assign(href('/'));",
  ]),
  ...gate(
    'has this sidebar',
    ['ALAY-05', WORDS, "  { label: 'Users', href: '/admin/users' },\n", ''],
    ['ALAY-01', WORDS, "title: 'MAD Admin'", "title: 'Admin'"],
  ),

  ...table(
    'shows ten of all, the newest first',
    [
      'MANAGE-01',
      'app/features/projects/model/list.ts',
      "orderParam<Sort>(['newest', 'oldest', 'changed', 'title'])",
      "orderParam<Sort>(['oldest', 'newest', 'changed', 'title'])",
    ],
    ['MANAGE-04', 'app/lib/data/page.ts', 'PAGE_SIZE = 10', 'PAGE_SIZE = 20'],
  ),
  ...table(
    'searches, turns pages',
    [
      'MANAGE-05',
      'app/lib/data/page.ts',
      'if (pages <= ALL_SHOWN) return all;',
      'if (pages <= ALL_SHOWN) return all.slice(0, 2);',
    ],
    ['MANAGE-05', 'app/ui/data/pagination.tsx', 'if (pages < 2) return null;', 'if (pages < 1) return null;'],
    ['MANAGE-06', 'app/features/projects/model/list.ts', 'first + rows.length - 1', 'page * size'],
    ['MANAGE-06', 'app/features/projects/model/list.ts', '(page - 1) * size + 1', '(page - 1) * size'],
    ['MANAGE-03', 'app/ui/data/filters.tsx', '...params.start, ...change', '...change'],
  ),
  ...table(
    'badges are green, blue, grey and red',
    [
      'MANAGE-08: active is green',
      'app/ui/form/controls.css',
      '.badge-active {\n  color: var(--ok);\n  background: var(--ok-bg);',
      '.badge-active {\n  color: var(--done);\n  background: var(--done-bg);',
    ],
    ['MANAGE-08: anything else is red', 'app/ui/status-badge.tsx', "?? 'other'", "?? 'draft'"],
    ['MANAGE-08: in the dark too', 'app/ui/styles/tokens.css', '#ffa9a3);', '#cdc7d2);'],
    ['MANAGE-08: the word is there', 'app/ui/status-badge.tsx', '>{status}</span>', '>{LOOK[status]}</span>'],
  ),
  ...table(
    'previews are the first 50 characters',
    ['MANAGE-09, CONST-13', 'app/features/projects/model/table.ts', 'PREVIEW = 50', 'PREVIEW = 48'],
    ['MANAGE-09', TABLE, 'previewOf(plainText(project.description))', 'previewOf(project.description)'],
  ),
  ...table('takes every character literally', [
    'MANAGE-02',
    'app/features/projects/model/list.ts',
    '{ p_words: search }',
    '{ p_words: search.replace(/[%_]/g, "") }',
  ]),
  ...table(
    'asks, deletes, says so for three seconds',
    ['MANAGE-07', TABLE, "isPage ? href('/case-studies/:id/:slug?', ", "isPage ? href('/admin/projects/:id', "],
    ['MANAGE-10', WORDS, "deleteWarning: 'This action cannot be undone.'", "deleteWarning: 'Are you sure?'"],
    ['MANAGE-11', WORDS, 'MESSAGE_STAYS = 3000', 'MESSAGE_STAYS = 2000'],
    ['MANAGE-11', WORDS, 'Experiment successfully deleted', 'Experiment deleted'],
  ),
  ...table('says why the table did not load', [
    'MANAGE-12',
    TABLE,
    'failed: admin.failedToLoadExperiments',
    "failed: 'It did not load'",
  ]),
  ...table('keeps the row and the dialog when a delete fails', [
    'MANAGE-13',
    'app/lib/words/tables.ts',
    'experiment: messages.failedToDeleteExperiment',
    'experiment: messages.anErrorOccurred',
  ]),

  ...lists('sorts by a column header', [
    'APROJ-02: the next order of a column',
    'app/ui/data/data-table.tsx',
    'choices[at + 1]?.[1] ?? ordering.standard',
    'choices[0]?.[1] ?? ordering.standard',
  ]),
  ...lists('selects rows one by one, in a range', [
    'APROJ-03: shift selects a range',
    'app/ui/data/data-table.tsx',
    'range && from >= 0 ?',
    'from < 0 ?',
  ]),
  ...lists(
    'publishes and archives several in one request each',
    [
      'APROJ-03: each gets its own status back',
      'app/features/projects/bulk-actions.tsx',
      'one.status === before && done.includes(one.id)',
      "before === 'draft' && done.includes(one.id)",
    ],
    ['APROJ-03: one request', WRITE, 'done = await write(ids);', "throw new ApiError('', 'PT422');"],
  ),
  ...lists('publishes what is in order', [
    'APROJ-03: one that is refused does not stop the others',
    WRITE,
    'PT409|PT422|',
    'PT409|',
  ]),
  ...lists('deletes several after one question', [
    'APROJ-03: only what was deleted is restored',
    'app/features/projects/delete-project.tsx',
    'words.done(as, deleted.length, ',
    'words.done(as, ids.length, ',
  ]),

  ...people(
    'are listed with what is known of each',
    ['AUSERS-01: verifies', USER, "at('confirm', words.confirmed(name))", "at('unban', words.confirmed(name))"],
    [
      'AUSERS-01: reset link',
      USER,
      "at('reset_password', words.resetSent(name))",
      "at('confirm', words.resetSent(name))",
    ],
    [
      'AUSERS-01: grants',
      'app/features/users/user-queries.ts',
      'setAdmin(clients().data(), id, is)',
      'Promise.resolve()',
    ],
    ['AUSERS-01: revokes', ASK_ABOUT, "change(person, kind === 'make-admin')", 'change(person, true)'],
    ['AUSERS-01: deletes', ASK_ABOUT, "give({ action: 'delete', id }", "give({ action: 'ban', id }"],
    ['AUSERS-01: roles', 'app/features/users/users.tsx', "roles.join(', ') || words.noRole", 'words.noRole'],
    [
      'AUSERS-01: verified or not',
      'app/features/users/model/users.ts',
      'verified: account.email_confirmed_at',
      'verified: account.created_at',
    ],
  ),
  ...people('are invited, found, banned', [
    'AUSERS-01: invites by mail',
    'app/features/users/words.ts',
    "{ value: '168h', label: 'A week' }",
    "{ value: '0s', label: 'A week' }",
  ]),
  ...people('puts an earlier value back', [
    'ASET-01',
    'app/features/settings/history.tsx',
    'onTake={onTake}',
    'onTake={() => {}}',
  ]),
  ...noticedBy('tests/journeys/admin/settings.test.ts', 'opens the group and moves the focus there', [
    'links to a group of settings',
    'app/features/settings/settings-screen.tsx',
    'openGroup(targets.get(hash.slice(1)))',
    "openGroup(targets.get(''))",
  ]),
  ...noticedBy('tests/journeys/admin/settings.test.ts', 'are changed by an admin', [
    'ASET-01, CFG-01',
    'app/features/settings/model/settings.ts',
    'settings[name].fact ?? name.replace(',
    "settings[name].fact ?? name.replace('chat_number', 'phone').replace(",
  ]),
];

import { type Fault, noticedBy } from './admin.ts';

const setup = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/journeys/setup/admin-setup.test.ts', title, ...faults);
const help = (title: string, ...faults: Fault[]) => noticedBy('tests/journeys/admin/help.test.ts', title, ...faults);
const upload = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/journeys/setup/upload-project.test.ts', title, ...faults);
const cleanup = (title: string, ...faults: Fault[]) =>
  noticedBy('tests/journeys/setup/cleanup.test.ts', title, ...faults);

const PAGES = 'app/features/setup';
const WORDS = 'app/features/setup/words/setup.ts';
const SETUP = 'app/features/setup/model/admin-setup.ts';
const DIRECT = 'app/features/setup/model/direct-access.ts';
const UPLOAD = 'app/features/projects/model/upload.ts';
const CLEANUP = 'app/features/setup/model/cleanup.ts';

/** The pages around the admin area: setting up, help, direct access, verifying, upload and cleanup. */
export const mutations = [
  ...setup(
    'makes the first admin, once',
    ['SETUP-04', SETUP, "  log('Signing in.');\n", ''],
    ['SETUP-05, SETUP-16', WORDS, 'SETUP_REDIRECT = 3000', 'SETUP_REDIRECT = 1000'],
    ['SETUP-08', 'supabase/functions/_shared/setup-key.ts', 'Please enter the correct key', 'Enter the correct key'],
    ['SETUP-10', 'app/lib/words/accounts.ts', 'minimumPassword: 6', 'minimumPassword: 5'],
    ['SETUP-16', `${PAGES}/setup-form.tsx`, 'busy={busy}', 'busy={false}'],
    ['SETUP-17', 'server/start-server.ts', "config.mode === 'development' ?", 'config.mode ?'],
    ['SETUP-09', `${PAGES}/setup-form.tsx`, 'type="email"', 'type="text"'],
  ),
  ...setup(
    'with the address confirmed in between',
    ['SETUP-14', `${PAGES}/admin-setup.tsx`, '{setup.assignByHand}', '{setup.confirmFirst}'],
    ['SETUP-15', WORDS, 'Email confirmation required!', 'Confirm your address.'],
    ['SETUP-06', `${PAGES}/admin-setup.tsx`, "const manual = state === 'manual' || state", 'const manual = state'],
    ['SETUP-07', `${PAGES}/admin-setup.tsx`, "    form.reset();\n    setState('form');", '    form.reset();'],
    ['SETUP-02', `${PAGES}/admin-setup.tsx`, "(method === 'direct' ? setUpDirectly : setUpByEmail)", '(setUpDirectly)'],
  ),
  ...setup(
    'shows what the backend says',
    ['SETUP-11', SETUP, '  if (error) throw error;\n', ''],
    ['SETUP-12', SETUP, 'throw new Error(setup.noUser);', 'throw new Error(setup.noUserFromSignUp);'],
    ['SETUP-13', SETUP, 'throw new Error(setup.noUserFromSignUp);', 'throw new Error(setup.noUser);'],
    ['DIRECT-10', DIRECT, "data(key ? { 'x-setup-key': key } : undefined)", 'data()'],
    ['DIRECT-07', DIRECT, '  if (refusal) throw new Error(help.failedToAssign(refusal));\n', ''],
  ),
  ...noticedBy('tests/permissions/embedded.test.ts', 'TM-19, SETUP-18', [
    'SETUP-18: the key works once',
    'supabase/migrations/20261201000500_first_admin.sql',
    'set used_at = now() where hash',
    'set used_at = null where hash',
  ]),

  ...help(
    'has three tabs that the keyboard turns',
    ['HELP-01', 'app/ui/tabs.tsx', 'ArrowRight: at + 1', 'ArrowDown: at + 1'],
    ['HELP-07', `${PAGES}/admin-help.tsx`, '>Missing database tables<', '>Missing tables<'],
    [
      'HELP-08',
      `${PAGES}/admin-help.tsx`,
      "<a href={href('/admin')}>Back to login</a>",
      "<a href={href('/sign-in')}>Back to login</a>",
    ],
  ),
  ...help(
    'sends a reset link',
    [
      'HELP-02',
      `${PAGES}/admin-help.tsx`,
      '=> sendPasswordReset(clients().auth, email, location.origin)',
      '=> Promise.resolve(email)',
    ],
    [
      'HELP-03',
      'app/lib/words/accounts.ts',
      'Password reset link sent! Check your email inbox.',
      'Check your email inbox.',
    ],
    [
      'HELP-02',
      'app/features/account/model/account.ts',
      "redirectTo: origin + href('/reset-password') }",
      "redirectTo: origin + href('/admin') }",
    ],
  ),
  ...help('refuses to assign the role', [
    'HELP-06',
    'app/ui/form/define-form.tsx',
    '{!inDialog && failure}',
    '{inDialog && failure}',
  ]),
  ...help(
    'assigns it for an admin',
    [
      'HELP-04, HELP-05',
      `${PAGES}/admin-help.tsx`,
      "await assignAdminRole(clients().data(key ? { 'x-setup-key': key } : undefined), email);",
      'void key;',
    ],
    ['HELP-05', WORDS, 'You can now log in with your credentials.', 'You can log in now.'],
  ),
  ...help('makes somebody an admin once their address is confirmed', [
    'HELP-06',
    `${PAGES}/admin-help.tsx`,
    "clients().data(key ? { 'x-setup-key': key } : undefined)",
    'clients().data()',
  ]),
  ...help(
    'moves an admin on after a second',
    ['DIRECT-06, CONST-11', WORDS, 'DIRECT_REDIRECT = 1000', 'DIRECT_REDIRECT = 3000'],
    ['DIRECT-04', `${PAGES}/admin-login.tsx`, "known && location.replace(href('/admin'))", 'known'],
  ),
  ...help(
    'signs in, and says that the role was refused',
    ['DIRECT-05', `${PAGES}/admin-login.tsx`, "<a href={href('/')}>Return to Home</a>", ''],
    ['DIRECT-07', WORDS, 'Failed to assign admin role: ', 'No admin role: '],
  ),
  ...help(
    'makes an ordinary account without the key',
    ['DIRECT-08', DIRECT, '  if (refusal) throw new Error(help.createdNotAssigned(refusal));\n', ''],
    [
      'DIRECT-10: a request for the admin role does not grant it',
      'supabase/migrations/20261201000500_first_admin.sql',
      'trusted boolean := not private.is_client() or public.is_admin();',
      'trusted boolean := true;',
    ],
  ),
  ...help('cannot sign in, and why', [
    'DIRECT-09',
    DIRECT,
    'throw new Error(help.createdNotSignedIn(identityMessage(signedIn.error, messages.unknownError)))',
    'throw signedIn.error',
  ]),
  ...help(
    'asks for an address and refuses strangers',
    ['VERIFY-04', `${PAGES}/verify-user.tsx`, '!isAccountEmail(email) && help.invalidEmail', 'null'],
    ['VERIFY-05', `${PAGES}/verify-user.tsx`, "'auto-verify', { email },", "'auto-verify', { address: email },"],
    ['VERIFY-06', `${PAGES}/verify-user.tsx`, 'answer.success === false ?', '!answer.success ?'],
    [
      'VERIFY-06',
      `${PAGES}/verify-user.tsx`,
      'failed: help.failedToVerifyUser,',
      'failed: help.failedToVerifyEmail,\n  inWords: (_, otherwise) => otherwise,',
    ],
    [
      'VERIFY-02',
      `${PAGES}/verify-user.tsx`,
      "<a href={href('/admin')}>Back to Admin</a>",
      "<a href={href('/')}>Back to Admin</a>",
    ],
  ),
  ...help(
    'takes the setup key, says when no account has the address',
    ['VERIFY-07', `${PAGES}/verify-user.tsx`, '{ email }, key || undefined', '{ email }, undefined'],
    ['VERIFY-03', WORDS, 'SETUP_REDIRECT = 3000', 'SETUP_REDIRECT = 4000'],
    ['VERIFY-03', WORDS, 'User Verified Successfully!', 'The user is verified.'],
  ),

  ...upload(
    'stores a project with its media for an admin',
    ['UPLOAD-01', UPLOAD, '    ...valuesOf(fields),\n', '    ...valuesOf(fields),\n    end_date: null,\n'],
    ['UPLOAD-03', UPLOAD, "title.trim() !== '' && isAddress", 'isAddress'],
    ['UPLOAD-04', UPLOAD, "MEDIA_TYPES = ['image', 'video', 'demo']", "MEDIA_TYPES = ['demo', 'video', 'image']"],
    ['UPLOAD-05', `${PAGES}/upload-project.tsx`, "<a href={href('/')}>{words.backHome}</a>", ''],
    ['UPLOAD-06', 'app/lib/words/admin.ts', 'MESSAGE_STAYS = 3000', 'MESSAGE_STAYS = 5000'],
    ['UPLOAD-06', `${PAGES}/upload-project.tsx`, '    setUpload(emptyUpload());\n', ''],
    [
      'UPLOAD-02',
      `${PAGES}/upload-project/media-to-add.tsx`,
      'onMove={(by) => onMedia((known) => movedBy(known, place, by))}',
      'onMove={() => {}}',
    ],
  ),
  ...upload(
    'takes nothing from a guest',
    ['UPLOAD-07', UPLOAD, 'if (answer.error && REFUSED.has(answer.error.code)) throw new NotAuthenticated();', ''],
    ['UPLOAD-09', `${PAGES}/upload-project.tsx`, 'if (user === null) return words.nobody;', ''],
    [
      'UPLOAD-08',
      'supabase/migrations/20261201001400_saving_projects.sql',
      "if private.is_client() and not public.is_admin() then\n    return private.reject_caller('upload project'",
      "if private.is_client() and auth.uid() is null then\n    return private.reject_caller('upload project'",
    ],
  ),

  ...cleanup(
    'refuses a guest and an ordinary user',
    ['CLEAN-02', `${PAGES}/cleanup.tsx`, 'exact: true,', ''],
    [
      'CLEAN-03',
      'app/features/setup/words/cleanup.ts',
      'Please type "DELETE ALL" to confirm deletion',
      'Type "DELETE ALL"',
    ],
    ['CLEAN-01', 'app/features/setup/words/cleanup.ts', "button: 'Delete ALL Case Studies'", "button: 'Delete all'"],
  ),
  ...cleanup(
    'deletes all for an admin who has just signed in',
    ['CLEAN-05', CLEANUP, "'project_media', 'case_study_metadata',", "'case_study_metadata', 'project_media',"],
    ['CLEAN-06', CLEANUP, "failure && step !== 'project_members'", 'failure'],
    ['CLEAN-07, CLEAN-08', CLEANUP, "failure && step !== 'project_members'", "failure && step === 'projects'"],
    ['CLEAN-09', 'app/features/setup/words/cleanup.ts', 'Error deleting projects: ', 'Error deleting: '],
    ['CLEAN-11', `${PAGES}/cleanup.tsx`, '<LongMoment at={kept_until} />', 'later'],
    ['CLEAN-04', `${PAGES}/cleanup.tsx`, "    setResult(result);\n    idle('result');", '    setResult(result);'],
  ),
  ...cleanup('requires a new sign-in', [
    'CLEAN-10',
    CLEANUP,
    "SIGNED_IN_TOO_LONG_AGO = 'PT403'",
    "SIGNED_IN_TOO_LONG_AGO = '42501'",
  ]),
  ...noticedBy('tests/contract/cleanup.test.ts', 'CLEAN-10', [
    'CLEAN-10: only soon after signing in',
    'supabase/migrations/20261201002000_cleanup.sql',
    "select coalesce(private.signed_in_at() > now() - interval '10 minutes', false)",
    "select coalesce(private.signed_in_at() > now() - interval '20 minutes', false)",
  ]),
];

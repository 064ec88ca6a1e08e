import { type Mutation, noticedBy } from '../mutations.bench.ts';

export const mutations: Mutation[] = [
  ...noticedBy(
    'tests/journeys/admin/projects.test.ts',
    'create, edit, publish and delete a project with a media item',
    ['PDET-04', 'app/features/projects/model/write.ts', "from('project_media').delete", "from('projects').delete"],
  ),
  ...noticedBy(
    'tests/journeys/admin/desk.test.ts',
    'an admin assigns a submission, finds it under Mine, and unassigns it, on a phone too',
    [
      'who looks after a submission is kept',
      'app/features/reviews/read-submission.tsx',
      '            assign(userId);\n',
      '',
    ],
  ),
  ...noticedBy(
    'tests/journeys/admin/credits-edited.test.ts',
    'shows both values to two admins who change a credit concurrently, and overwrites neither',
    [
      'concurrent credit changes are reported to both',
      'app/features/projects/model/conflict.ts',
      "name === 'key' ? undefined : value",
      "name === 'key' || name === 'made' ? undefined : value",
    ],
  ),
  ...noticedBy(
    'tests/journeys/admin/review.test.ts',
    'declines with a reason for the submitter, on a phone, reopens it, and reports an outdated answer',
    [
      'a concurrent answer is reloaded',
      'app/session/use-write.ts',
      'onSettled: () => onChanged(cache),',
      'onSuccess: () => onChanged(cache),',
    ],
  ),
  ...noticedBy(
    'tests/journeys/admin/review.test.ts',
    'are created with names, show when they were opened, are revoked; and the draft moves into an account',
    [
      'a link is taken back',
      'app/features/drafts/model/draft-links.ts',
      "data.rpc('revoke_draft_link', { p_link: link })",
      "data.rpc('draft_opened')",
    ],
  ),
  ...noticedBy('tests/journeys/setup/admin-setup.test.ts', 'creates the first admin, once', [
    'SETUP-04',
    'app/features/setup/model/admin-setup.ts',
    "  log('Signing in.');\n",
    '',
  ]),
  ...noticedBy(
    'tests/journeys/setup/admin-setup.test.ts',
    'shows the backend’s message, and a response without a user; Direct Admin Access accepts the key too',
    [
      'DIRECT-10',
      'app/features/setup/model/direct-access.ts',
      "data(key ? { 'x-setup-key': key } : undefined)",
      'data()',
    ],
  ),
  ...noticedBy('tests/journeys/setup/cleanup.test.ts', 'refuses a guest and an ordinary user', [
    'CLEAN-02',
    'app/ui/form/confirm-field.tsx',
    'exact: true,',
    '',
  ]),
  ...noticedBy(
    'tests/journeys/setup/cleanup.test.ts',
    'deletes all case studies for an admin who has just signed in, reports a failure, and restores them',
    [
      'CLEAN-05',
      'app/features/setup/model/cleanup.ts',
      "'project_media', 'case_study_metadata',",
      "'case_study_metadata', 'project_media',",
    ],
  ),
  ...noticedBy(
    'tests/journeys/admin/gate.test.ts',
    'shows “Verifying” before the role is known, with and without JavaScript',
    [
      'GATE-01, ALAY-08',
      'app/features/shell/gate/require-role.tsx',
      'if (caller.data === null)',
      "if (!caller.data && typeof document !== 'undefined')",
    ],
  ),
  ...noticedBy(
    'tests/journeys/admin/gate.test.ts',
    'shows the sign-in form to a guest, with other methods under advanced options',
    ['GATE-05', 'app/features/shell/gate/admin-login.tsx', '<details>', '<details open>'],
  ),
  ...noticedBy(
    'tests/journeys/admin/gate.test.ts',
    'admits an admin and caches the answer for five minutes, also across documents',
    ['GATE-08, PERM-06', 'app/session/current-user.ts', 'ROLE_LIFETIME = 300_000', 'ROLE_LIFETIME = 30_000'],
  ),
  ...noticedBy(
    'tests/journeys/account/account.test.ts',
    'changes the name, and the email address after both mailboxes confirm; other tabs update',
    [
      'STATE-04: session events in another tab',
      'app/session/use-signed-in.ts',
      'onSessionChange(refresh)',
      'onSessionChange(() => {})',
    ],
  ),
  ...noticedBy('tests/journeys/public/routes.test.ts', 'requests projects once in five minutes, and again after', [
    'CONST-01: projects',
    'app/session/query-cache.ts',
    'LIFETIME = 300_000',
    'LIFETIME = 600_000',
  ]),
  ...noticedBy('tests/journeys/public/reading.test.ts', 'nothing is sent while counting is off', [
    'CONST-21: nothing is sent',
    'app/root.tsx',
    '{isStatic && facts.countReading && ',
    '{isStatic && ',
  ]),
  ...noticedBy(
    'tests/journeys/every-page.test.ts',
    'is readable without an account: services, portfolio, About, collective and masterclass',
    ['SCOPE-01: a page', 'app/routes.ts', "route('about', ", "route('about-us', "],
  ),
  ...noticedBy('tests/journeys/public/comparison.test.ts', 'has a slider for keyboard and pointer on %s', [
    'the slider of a comparison moves its seam',
    'app/static-page.ts',
    "parentElement.style.setProperty('--split', value)",
    "parentElement.style.setProperty('--splits', value)",
  ]),
  ...noticedBy(
    'tests/journeys/admin/settings.test.ts',
    'an admin changes them, the next page shows the new value, and the built-in value is restored',
    [
      'CFG-02, META-08',
      'app/features/portfolio/detail/detail.tsx',
      'factsIn(args),\n        host.origin,',
      'factsIn({ ...asked, matches: [] }),\n        host.origin,',
    ],
  ),
  ...noticedBy('tests/contract/submitting.test.ts', 'CONST-22', [
    'CONST-22',
    'app/features/submissions/model/send.ts',
    "NIL_ID = '00000000-0000-0000-0000-000000000000'",
    "NIL_ID = '00000000-0000-4000-8000-000000000001'",
  ]),
  ...noticedBy('tests/journeys/submit/submit.test.ts', 'are reported one by one at the top, without a request', [
    'SUBMIT-23: another text is looked at',
    'app/features/submissions/model/submission.ts',
    '!isEmptyText(submission[field]);',
    '!isEmptyText(submission.brief);',
  ]),
  ...noticedBy('tests/journeys/submit/editor.test.ts', 'become players that are not loaded yet', [
    'RTE-06: no Vimeo',
    'media-address.ts',
    "if (host === 'vimeo.com' || host === 'player.vimeo.com') {",
    "if (host === 'player.vimeo.com') {",
  ]),
  ...noticedBy('tests/journeys/submit/editor.test.ts', 'other addresses stay links', [
    'RTE-06: a player of anybody',
    'app/ui/editor/video.ts',
    "const src = playerAddress(element.getAttribute('src') ?? '');",
    "const src = element.getAttribute('src');",
  ]),
  ...noticedBy(
    'tests/contract/product-data.test.ts',
    'is stored as HTML, sanitized by the editor’s rules, by every way of writing',
    ['RTE-09: the server drops headings', 'rich-text.ts', "  'h3',\n", ''],
  ),
  ...noticedBy('tests/journeys/submit/submit.test.ts', 'are reported one by one at the top, without a request', [
    'SUBMIT-26: a second failure for the same reason is not noticed',
    'app/features/submissions/model/submission-reducer.ts',
    'attempts: state.attempts + 1,',
    'attempts: 0,',
  ]),
  ...noticedBy(
    'tests/journeys/submit/submit.test.ts',
    'show several files immediately with their progress, and release a removed preview',
    ['SUBMIT-15', 'app/features/submissions/media-tile.tsx', '    setPreview(address);\n', ''],
  ),
  ...noticedBy(
    'tests/journeys/submit/submit.test.ts',
    'returns from the server into its form with its indents; leaving the form releases its memory',
    [
      'SUBMIT-55: previews are kept when the form is left',
      'app/features/submissions/media-tile.tsx',
      '      URL.revokeObjectURL(address);\n',
      '',
    ],
  ),
  ...noticedBy('tests/journeys/submit/submit.test.ts', 'shows a spinner, ignores a second click', [
    'SUBMIT-49: the move goes on after another was begun',
    'app/features/submissions/submitted.tsx',
    '      clearTimeout(timer);\n',
    '',
  ]),
  ...noticedBy('tests/journeys/submit/submit.test.ts', 'shows the reason for each failure and keeps the form', [
    'SUBMIT-50, SUBMIT-53: the reason is not shown',
    'app/features/submissions/sender.ts',
    "messageOf(error, 'Failed to submit experiment')",
    "'Failed to submit experiment'",
  ]),
  ...noticedBy('tests/journeys/submit/editor.test.ts', 'accept PNG, GIF, JPEG, BMP and ICO', [
    'RTE-04',
    'app/ui/editor/picture.ts',
    "'image/bmp', ",
    '',
  ]),
  ...noticedBy('tests/journeys/submit/editor.test.ts', 'links to an address, and removes the link', [
    'RTE-07',
    'app/ui/editor/link-address.ts',
    'if (EMAIL.test(text)) return',
    'if (EMAIL.test(text) && !text) return',
  ]),
  ...noticedBy(
    'tests/journeys/admin/gate.test.ts',
    'shows the sign-in form when the session ends in another tab, and opens when one starts there',
    [
      'STATE-04: a session that begins in another tab',
      'app/session/caller.ts',
      "} else if (event !== 'INITIAL_SESSION') {",
      "} else if (event === 'USER_UPDATED') {",
    ],
  ),
  ...noticedBy('tests/journeys/submit/offline.test.ts', 'can be postponed, and is sent by a button', [
    'D5: what was put off is sent by the next visit',
    'app/features/submissions/model/submission-state.ts',
    "return phase === 'editing' ? 'editing' : 'sending';",
    "return phase === 'editing' ? 'queued' : 'sending';",
  ]),
  ...noticedBy('tests/journeys/submit/tabs.test.ts', 'writes a separate draft and reports the other tab', [
    'D4: a draft of an open tab is offered',
    'app/features/submissions/model/draft-store.ts',
    'free: others.filter(({ id }) => !open.has(id)),',
    'free: others,',
  ]),
];

import { noticedBy } from './admin.ts';

const REVIEWS = 'app/features/reviews';
const REVIEW = 'app/features/reviews/model/review.ts';
const ROWS = 'app/features/credits/model/rows.ts';

/** The review queue: answers, filing, media, featured projects and credits. */
export const mutations = [
  ...noticedBy(
    'tests/journeys/admin/desk.test.ts',
    'an admin takes a submission over',
    ['who looks after a submission is kept', `${REVIEWS}/read-submission.tsx`, '            assign(me);\n', ''],
    ['Mine shows mine', REVIEW, "of ? shown.eq('assignee', of) : shown", 'shown'],
  ),
  ...noticedBy(
    'tests/journeys/admin/desk.test.ts',
    'a reply is written once',
    [
      'places of a reply are filled in',
      `${REVIEWS}/answer-dialog.tsx`,
      'onChoose(filledIn(reply.body, facts))',
      'onChoose(reply.body)',
    ],
    [
      'a reply takes nothing typed away',
      'app/features/reviews/model/reply-templates.ts',
      'said.trim() ===',
      'said.trim() !==',
    ],
  ),
  ...noticedBy('tests/journeys/admin/desk.test.ts', 'is asked for by a switch', [
    'what is not in order is not published',
    `${REVIEWS}/answer-dialog.tsx`,
    "gated && what === 'publish' ?",
    "gated && what === 'decline' ?",
  ]),
  ...noticedBy(
    'tests/journeys/admin/desk.test.ts',
    'the home page shows what an admin chose',
    [
      'the choice has an order',
      'app/features/portfolio/model/featured.ts',
      'p_ids: ids }',
      'p_ids: ids.toReversed() }',
    ],
    [
      'taken off with a way back',
      'app/features/dashboard/featured/featured-panel.tsx',
      '{ undo: () => saving.mutateAsync(all) }',
      '{ undo: () => {} }',
    ],
  ),

  ...noticedBy('tests/journeys/admin/filing.test.ts', 'is filed at once', [
    'a new project is filed',
    'app/features/projects/model/form.ts',
    'category: fields.category || null',
    'category: null',
  ]),
  ...noticedBy('tests/journeys/admin/filing.test.ts', 'two admins who file it differently', [
    'neither is written over',
    'app/features/projects/model/write.ts',
    'p_seen: seen, ...named',
    'p_seen: null, ...named',
  ]),
  ...noticedBy('tests/journeys/admin/filing.test.ts', 'a submission that is filed wrongly', [
    'filing puts tags right',
    'app/features/projects/model/write.ts',
    'p_category: category, p_tags: tags',
    'p_category: null, p_tags: tags',
  ]),

  ...noticedBy(
    'tests/journeys/admin/media.test.ts',
    'get their cover, their words and a poster',
    ['the chosen cover is kept', 'app/features/projects/model/media.ts', 'p_media: mediaId }', 'p_media: null }'],
    [
      'decorative is not unsaid',
      'app/features/projects/media/describe-media.tsx',
      "alt: alt === '' ? '' : alt?.trim() || null",
      'alt: alt?.trim() || null',
    ],
    [
      'a poster is kept',
      'app/features/projects/media/describe-media.tsx',
      "poster: textIn(typed, 'poster') || poster.poster",
      'poster: media.poster',
    ],
  ),
  ...noticedBy('tests/journeys/admin/media.test.ts', 'tells kindly what could be better', [
    'what is mended leaves the list',
    `${REVIEWS}/content-to-improve.tsx`,
    'onSaved={again}',
    '',
  ]),

  ...noticedBy(
    'tests/journeys/admin/credits-edited.test.ts',
    'is changed in the form',
    ['offers the team', 'app/features/projects/edit.tsx', 'people={teamOf(project)}', 'people={[]}'],
    ['how it was made has to be said', ROWS, "if (row.made === '') return", 'if (row.made === null) return'],
  ),
  ...noticedBy('tests/journeys/admin/credits-edited.test.ts', 'nobody is written over', [
    'concurrent credit changes are reported to both',
    'app/features/projects/model/conflict.ts',
    "name === 'key' ? undefined : value",
    "name === 'key' || name === 'made' ? undefined : value",
  ]),
  ...noticedBy(
    'tests/journeys/public/credits-shown.test.ts',
    'is shown under the title and unfolds on a phone',
    [
      'the strip is drawn to scale',
      'app/features/credits/credit-strip.tsx',
      "'--by-hand': hand + together / 2",
      "'--by-hand': hand",
    ],
    ['tools are shown', 'app/features/credits/model/credits.ts', 'tools.length > 0 ? `, ', 'tools.length > 1 ? `, '],
  ),
  ...noticedBy('tests/journeys/public/credits-shown.test.ts', 'is all printed', [
    'paper cannot be unfolded',
    'app/features/portfolio/detail/detail.css',
    '    display: block;\n    content-visibility: visible;\n',
    '    display: block;\n    content-visibility: hidden;\n',
  ]),
  ...noticedBy('tests/journeys/public/credits-shown.test.ts', 'filters with links alone', [
    'the list knows who led',
    'app/features/portfolio/model/list.ts',
    "if (made) query.set('made', made);",
    '',
  ]),
  ...noticedBy(
    'tests/journeys/submit/credits-told.test.ts',
    'is asked part by part on a phone',
    ['what is typed and not added counts', ROWS, 'tools: names(tools, tool)', 'tools'],
    [
      'parts keep the order they are put in',
      'app/features/credits/credits-editor.tsx',
      '.toSpliced(at + by, 0, row)',
      '.toSpliced(at, 0, row)',
    ],
  ),
  ...noticedBy('tests/journeys/submit/credits-told.test.ts', 'is told with the keyboard alone', [
    'the keyboard goes on in the new row',
    'app/features/credits/credits-editor.tsx',
    'setSaid(words.added(part));\n    targets.focusNext(',
    'setSaid(words.added(part));\n    void (',
  ]),

  ...noticedBy(
    'tests/journeys/admin/review.test.ts',
    'is sent from a phone, sent back with a wish',
    ['the words of an answer arrive', REVIEW, 'p_words: words.trim() || null', 'p_words: null'],
    [
      'a note is for admins',
      REVIEW,
      'insert({ project_id: id, body: body.trim() })',
      "insert({ project_id: id, body: '' })",
    ],
    [
      'changes are listed',
      'app/features/reviews/model/changes.ts',
      'text(before[part]) !== text(now[part])',
      'text(before[part]) === text(now[part])',
    ],
  ),
  ...noticedBy('tests/journeys/admin/review.test.ts', 'a slower answer is told', [
    'a concurrent answer is reloaded',
    `${REVIEWS}/review-queries.ts`,
    'onSettled: () => projectsChanged(cache),',
    'onSuccess: () => projectsChanged(cache),',
  ]),
  ...noticedBy(
    'tests/journeys/admin/review.test.ts',
    'begins each answer with none of the words',
    ['a mail is the rule', `${REVIEWS}/answer-dialog.tsx`, 'name="mail" defaultChecked', 'name="mail"'],
    ['without a tick no mail leaves', REVIEW, 'p_mail: mail,', 'p_mail: false,'],
  ),
  ...noticedBy('tests/journeys/admin/review.test.ts', 'is answered by a key', [
    'the one that waits longest is next',
    REVIEW,
    ".neq('project_id', answered)",
    ".eq('project_id', answered)",
  ]),
  ...noticedBy('tests/journeys/admin/review.test.ts', 'two notes that are removed at once', [
    'a removed note comes back',
    `${REVIEWS}/notes.tsx`,
    'undo: () => adding.mutateAsync(note.body)',
    'undo: () => {}',
  ]),
  ...noticedBy(
    'tests/journeys/admin/review.test.ts',
    'are named, told when they were opened and taken back',
    [
      'a link is taken back',
      'app/features/drafts/model/draft-links.ts',
      "data.rpc('revoke_draft_link', { p_link: link })",
      "data.rpc('draft_opened')",
    ],
    [
      'that it was opened is noted',
      'app/features/drafts/model/draft-links.ts',
      "data.rpc('draft_opened')",
      "data.rpc('is_admin')",
    ],
  ),
];

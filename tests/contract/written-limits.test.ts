import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MAX_INVESTORS_PERCENT } from '../../app/features/splits/model/calculator.ts';
import { MAX_PLAN_LENGTHS } from '../../app/features/splits/model/plan.ts';
import { isEmail, MAX_EMAIL_LENGTH } from '../../app/lib/data/email.ts';
import * as formLimits from '../../app/lib/data/limits.ts';
import { limits } from '../../packages/backend/config/config.ts';
import { readProject, type SupabaseProject } from '../../packages/backend/config/supabase-config.ts';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';

const database = forAllTests(() => postgresql.open({ migrated: true }));

/** Check constraints of a column in the notation of the database. */
async function checksOf(table: string, column: string): Promise<string> {
  const CHECKS = `select string_agg(pg_get_constraintdef(c.oid), ' ') said from pg_constraint c join pg_attribute a
    on a.attrelid = c.conrelid and a.attnum = any (c.conkey) where c.conrelid = $1::regclass and a.attname = $2`;
  const { rows } = await database.db.query<{ said: string }>(CHECKS, [table, column]);
  return rows[0]!.said ?? '';
}

async function bodyOf(procedure: string): Promise<string> {
  const SOURCE = 'select prosrc from pg_proc where oid = $1::regproc';
  const { rows } = await database.db.query<{ prosrc: string }>(SOURCE, [procedure]);
  return rows[0]!.prosrc;
}

it.each<[table: string, column: string, most: number]>([
  ['public.projects', 'title', limits.line.value],
  ['public.projects', 'client', limits.line.value],
  ['public.profiles', 'name', limits.line.value],
  ['public.project_members', 'name', limits.line.value],
  ['public.project_members', 'role', limits.line.value],
  ['public.contact_messages', 'name', limits.line.value],
  ['public.split_statements', 'name', limits.line.value],
  ['public.contact_messages', 'email', limits.email.value],
  ['public.review_contacts', 'email', limits.email.value],
  ['public.contact_messages', 'message', limits.message.value],
  ['public.review_steps', 'words', limits.message.value],
  ['public.review_notes', 'body', limits.message.value],
  ['public.draft_comments', 'body', limits.message.value],
  ['public.reply_templates', 'body', limits.message.value],
  ['public.reply_templates', 'name', limits.replyName.value],
  ['private.draft_secrets', 'name', limits.label.value],
  ['public.project_media', 'url', limits.address.value],
  ['public.webhooks', 'url', limits.address.value],
  ['public.project_media', 'poster', limits.address.value],
  ['public.project_media', 'title', limits.caption.value],
  ['public.project_media', 'description', limits.caption.value],
  ['public.project_media', 'alt', limits.caption.value],
])('%s.%s accepts as many characters as its forms', async (table, column, most) => {
  const found = /char_length\((?:btrim\()?(\w+)\)*(?:,| <=) (\d+)/g;
  const lengths = [...(await checksOf(table, column)).matchAll(found)].filter(([, of]) => of === column);
  expect(lengths.map(([, , length]) => Number(length))).toEqual([most]);
});

it.each<[table: string, column: string, most: number]>([
  ['public.projects', 'budget', limits.budget.value],
  ['public.featured_experiments', 'place', limits.featured.value],
  ['private.trash_keeping', 'days', limits.retentionDays.value],
  ['public.split_sheets', 'investors', limits.investors.value],
])('%s.%s has the same maximum as its forms', async (table, column, most) => {
  const [, found] = /<= \(?(\d+)/.exec(await checksOf(table, column)) ?? [];
  expect(Number(found)).toBe(most);
});

it.each<[procedure: string, said: RegExp, most: number]>([
  ['private.are_tags', /cardinality\(tags\) <= (\d+)/, limits.tags.value],
  ['private.are_tags', /char_length\(tag\) > (\d+)/, limits.label.value],
  ['private.are_names', /jsonb_array_length\(listed\) <= (\d+)/, limits.creditNames.value],
  ['private.are_names', /not between 1 and (\d+)/, limits.creditName.value],
  ['private.are_credits', /jsonb_array_length\(listed\) > (\d+)/, limits.credits.value],
  ['private.limit_media', /where project_id = new.project_id\) > (\d+)/, limits.media.value],
  ['private.write_draft_media', /jsonb_array_length\(p_media\) not between 1 and (\d+)/, limits.media.value],
  ['public.feature_experiments', /cardinality\(p_ids\) > (\d+)/, limits.featured.value],
  ['private.check_instalments', /count\(\*\) between 1 and (\d+)/, limits.instalments.value],
  ['private.check_instalments', /btrim\(words\)\) between 1 and (\d+)/, limits.planWords.value],
  ['public.issue_split_sheet', /jsonb_array_length\(people\) between 1 and (\d+)/, limits.sheetPeople.value],
  ['private.are_credits', /'part'\)\) not between 1 and (\d+)/, limits.label.value],
  ['private.limit_webhooks', /\) > (\d+)/, limits.webhooks.value],
  ['public.test_webhook', />= (\d+),/, limits.webhookTests.value],
  ['public.begin_cleanup', />= (\d+) then/, limits.cleanups.value],
  ['public.begin_cleanup', /began_at > now\(\) - interval '(\d+) minutes'/, limits.cleanups.seconds / 60],
  ['private.limit_submissions', /most constant integer := (\d+)/, limits.submissions.value],
  ['private.limit_submissions', /interval '(\d+) minutes'/, limits.submissions.seconds / 60],
  ['private.lock_client_link', /having count\(\*\) >= (\d+)/, limits.draftComments.value],
  ['private.lock_client_link', /interval '(\d+) minutes'/, limits.draftComments.seconds / 60],
  ['public.comment_on_draft', /\) >= (\d+),/, limits.linkComments.value],
  ['public.send_message', /lately >= (\d+)/, limits.contactMessages.value],
  ['public.send_message', /at > now\(\) - interval '(\d+) minutes'/, limits.contactMessages.seconds / 60],
  ['public.send_message', /this_hour >= (\d+)/, limits.contactMessagesHour.value],
  ['public.check_setup_key', /count_failure\('setup key', (\d+)\)/, limits.setupKeyGuesses.value],
  ['private.count_failure', /now\(\) \+ interval '(\d+) minutes'/, limits.setupKeyGuesses.seconds / 60],
])('%s (%s) has the limit of config.ts', async (procedure, said, most) => {
  const [, found] = said.exec(await bodyOf(procedure)) ?? [];
  expect(Number(found)).toBe(most);
});

it('a formatted text and a file have the size limits of config.ts', async () => {
  const CONSTRAINT = `select pg_get_constraintdef(oid) said from pg_constraint where contypid = 'public.rich_text'::regtype`;
  const { rows } = await database.db.query<{ said: string }>(CONSTRAINT);
  const sizes = rows.map(({ said }) => Number(/octet_length\(\(?VALUE[^,]*, (\d+)/.exec(said)?.[1]));
  expect(sizes).toContain(limits.richText.value);
  const BUCKETS = "select id, file_size_limit as bytes from storage.buckets where id <> 'loops' order by id";
  expect((await database.db.query(BUCKETS)).rows).toEqual([
    { id: 'captions', bytes: limits.captionsBytes.value },
    { id: 'case-studies', bytes: limits.fileBytes.value },
    { id: 'films', bytes: limits.filmBytes.value },
  ]);
});

const mailRate = ({ auth }: SupabaseProject) => auth.rate_limit.sign_in_sign_ups;
const archiveRate = ({ functions }: SupabaseProject) => functions['download-archive']?.rate;

it.each<[setting: string, read: (project: SupabaseProject) => unknown, wanted: unknown]>([
  ['storage.file_size_limit', ({ storage }) => storage.file_size_limit, limits.filmBytes.value],
  ['api.requests_per_minute', ({ api }) => api.requests_per_minute, limits.apiRequests.value],
  ['auth.rate_limit.sign_in_sign_ups', ({ auth }) => auth.rate_limit.sign_in_sign_ups, limits.signIns.value],
  ['auth.rate_limit.sign_in_sign_ups an hour', ({ auth }) => auth.rate_limit.sign_in_sign_ups, limits.signUps.value],
  ['auth.rate_limit.sign_in_sign_ups of mails', mailRate, limits.emailRequests.value],
  ['auth.rate_limit.token_refresh', ({ auth }) => auth.rate_limit.token_refresh, limits.refreshes.value],
  ['auth.rate_limit.token_verifications', ({ auth }) => auth.rate_limit.token_verifications, limits.codes.value],
  ['auth.rate_limit.email_sent', ({ auth }) => auth.rate_limit.email_sent, limits.emails.value],
  ['functions.manage-users.rate', ({ functions }) => functions['manage-users']?.rate, limits.accountCalls.value],
  ['functions.check-health.rate', ({ functions }) => functions['check-health']?.rate, limits.healthChecks.value],
  ['functions.download-archive.rate', archiveRate, limits.archiveDownloads.value],
  ['auth.email.max_frequency', ({ auth }) => auth.email.max_frequency, limits.mailbox.seconds],
])('%s of config.toml has the limit of config.ts', async (_, read, wanted) => {
  expect(read(await readProject('supabase', {}))).toBe(wanted);
});

it('forms use the limits of config.ts', () => {
  const inForms = {
    email: MAX_EMAIL_LENGTH,
    investors: MAX_INVESTORS_PERCENT,
    line: MAX_PLAN_LENGTHS.name,
    planWords: MAX_PLAN_LENGTHS.words,
    caption: formLimits.MAX_CAPTION_LENGTH,
    address: formLimits.MAX_ADDRESS_LENGTH,
    message: formLimits.MAX_MESSAGE_LENGTH,
    label: formLimits.MAX_LABEL_LENGTH,
    creditName: formLimits.MAX_CREDIT_NAME_LENGTH,
    replyName: formLimits.MAX_REPLY_NAME_LENGTH,
    tags: formLimits.MAX_TAGS,
    media: formLimits.MAX_MEDIA,
    credits: formLimits.MAX_CREDITS,
    creditNames: formLimits.MAX_CREDIT_NAMES,
    featured: formLimits.MAX_FEATURED,
    budget: formLimits.MAX_BUDGET,
    retentionDays: formLimits.MAX_DAYS,
    sheetPeople: formLimits.MAX_PEOPLE_PER_SHEET,
    instalments: formLimits.MAX_INSTALMENTS,
    fileBytes: formLimits.MAX_FILE_BYTES,
    filmBytes: formLimits.MAX_FILM_BYTES,
    captionsBytes: formLimits.MAX_CAPTIONS_BYTES,
    richText: formLimits.MAX_TEXT_BYTES,
  };
  expect(formLimits.MAX_LINE_LENGTH).toBe(limits.line.value);
  const table = Object.keys(inForms).map((name) => [name, limits[name as keyof typeof limits].value]);
  expect(inForms).toEqual(Object.fromEntries(table));
});

it('every limit of config.ts has a unit and a reason', () => {
  const all = Object.values(limits);
  expect(all.filter(({ value, unit, reason }) => !(value > 0) || unit.length < 3 || reason.length < 10)).toEqual([]);
  expect(new Set(all.map(({ reason }) => reason)).size).toBe(all.length);
});

it('the name limit of invitations equals the name limit of accounts', () => {
  const source = readFileSync('supabase/functions/manage-users/actions.ts', 'utf8');
  expect(Number(/MAX_TEXT_LENGTH = (\d+)/.exec(source)?.[1])).toBe(limits.line.value);
});

it.each([
  ...['asha@madhouse.example', 'a@b.c', 'ä@müller.example', `${'a'.repeat(242)}@example.com`, 'a+b@x-y.example'],
  ...['', 'asha', 'asha@localhost', 'a@b@c.d', 'a b@c.d', 'a@b.', '@b.c', 'a@.c', '<a@b.c>', 'a,b@c.d'],
  ...[`${'a'.repeat(243)}@example.com`, 'a\n@b.c', 'a@b.c.', '"a"@b.c', 'a@b..c'],
])('forms and database agree whether %j is an email address', async (address) => {
  for (const table of ['public.contact_messages', 'public.review_contacts']) {
    const condition = /\((.*)\)/s.exec(await checksOf(table, 'email'))![1];
    const ACCEPTED = `select ${condition} accepted from (values ($1)) as given (email)`;
    const { rows } = await database.db.query<{ accepted: boolean }>(ACCEPTED, [address]);
    expect(rows[0]!.accepted).toBe(isEmail(address));
  }
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isEmail, LONGEST_EMAIL } from '../../app/models/data/email.ts';
import {
  LONGEST_ADDRESS,
  LONGEST_CAPTION,
  LONGEST_CREDIT_NAME,
  LONGEST_LABEL,
  LONGEST_LINE,
  LONGEST_MESSAGE,
  LONGEST_REPLY_NAME,
  MOST_BUDGET,
  MOST_CREDIT_NAMES,
  MOST_CREDITS,
  MOST_DAYS,
  MOST_FEATURED,
  MOST_INSTALMENTS,
  MOST_MEDIA,
  MOST_PEOPLE_ON_SHEET,
  MOST_TAGS,
} from '../../app/models/data/limits.ts';
import { MOST_INVESTORS } from '../../app/models/split/calculator.ts';
import { LONGEST_IN_PLAN } from '../../app/models/split/plan.ts';
import { engines, type TestDatabase } from '../database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await engines[0].open({ migrated: true });
});
afterAll(() => database.end());

/** The checks of a column, as the database writes them. */
async function checksOf(table: string, column: string): Promise<string> {
  const { rows } = await database.db.query<{ said: string }>(
    `select string_agg(pg_get_constraintdef(c.oid), ' ') said from pg_constraint c join pg_attribute a
     on a.attrelid = c.conrelid and a.attnum = any (c.conkey) where c.conrelid = $1::regclass and a.attname = $2`,
    [table, column],
  );
  return rows[0]!.said ?? '';
}

async function bodyOf(procedure: string): Promise<string> {
  const { rows } = await database.db.query<{ prosrc: string }>('select prosrc from pg_proc where oid = $1::regproc', [
    procedure,
  ]);
  return rows[0]!.prosrc;
}

it.each<[table: string, column: string, most: number]>([
  ['public.projects', 'title', LONGEST_LINE],
  ['public.projects', 'client', LONGEST_LINE],
  ['public.profiles', 'name', LONGEST_LINE],
  ['public.project_members', 'name', LONGEST_LINE],
  ['public.project_members', 'role', LONGEST_LINE],
  ['public.contact_messages', 'name', LONGEST_LINE],
  ['public.split_statements', 'name', LONGEST_IN_PLAN.name],
  ['public.contact_messages', 'email', LONGEST_EMAIL],
  ['public.review_contacts', 'email', LONGEST_EMAIL],
  ['public.contact_messages', 'message', LONGEST_MESSAGE],
  ['public.review_steps', 'words', LONGEST_MESSAGE],
  ['public.review_notes', 'body', LONGEST_MESSAGE],
  ['public.reply_templates', 'body', LONGEST_MESSAGE],
  ['public.reply_templates', 'name', LONGEST_REPLY_NAME],
  ['private.draft_secrets', 'name', LONGEST_LABEL],
  ['public.project_media', 'url', LONGEST_ADDRESS],
  ['public.project_media', 'poster', LONGEST_ADDRESS],
  ['public.project_media', 'title', LONGEST_CAPTION],
  ['public.project_media', 'description', LONGEST_CAPTION],
  ['public.project_media', 'alt', LONGEST_CAPTION],
])('%s.%s takes as many characters as its forms', async (table, column, most) => {
  const found = /char_length\((?:btrim\()?(\w+)\)*(?:,| <=) (\d+)/g;
  const lengths = [...(await checksOf(table, column)).matchAll(found)].filter(([, of]) => of === column);
  expect(lengths.map(([, , length]) => Number(length))).toEqual([most]);
});

it.each<[table: string, column: string, most: number]>([
  ['public.projects', 'budget', MOST_BUDGET],
  ['public.featured_experiments', 'place', MOST_FEATURED],
  ['private.trash_keeping', 'days', MOST_DAYS],
  ['public.split_sheets', 'investors', MOST_INVESTORS],
])('%s.%s goes as far as its forms', async (table, column, most) => {
  const [, found] = /<= \(?(\d+)/.exec(await checksOf(table, column)) ?? [];
  expect(Number(found)).toBe(most);
});

it.each<[procedure: string, said: RegExp, most: number]>([
  ['private.are_tags', /cardinality\(tags\) <= (\d+)/, MOST_TAGS],
  ['private.are_tags', /char_length\(tag\) > (\d+)/, LONGEST_LABEL],
  ['private.are_names', /jsonb_array_length\(listed\) <= (\d+)/, MOST_CREDIT_NAMES],
  ['private.are_names', /not between 1 and (\d+)/, LONGEST_CREDIT_NAME],
  ['private.are_credits', /jsonb_array_length\(listed\) > (\d+)/, MOST_CREDITS],
  ['private.limit_media', /where project_id = new.project_id\) > (\d+)/, MOST_MEDIA],
  ['public.send_draft_back', /jsonb_array_length\(p_media\) not between 1 and (\d+)/, MOST_MEDIA],
  ['public.feature_experiments', /cardinality\(p_ids\) > (\d+)/, MOST_FEATURED],
  ['private.check_instalments', /jsonb_array_length\(instalments\) between 1 and (\d+)/, MOST_INSTALMENTS],
  ['private.check_instalments', /'words'\)\) between 1 and (\d+)/, LONGEST_IN_PLAN.words],
  ['public.issue_split_sheet', /jsonb_array_length\(people\) between 1 and (\d+)/, MOST_PEOPLE_ON_SHEET],
  ['private.are_credits', /'part'\)\) not between 1 and (\d+)/, LONGEST_LABEL],
])('%s says %s as the forms do', async (procedure, said, most) => {
  const [, found] = said.exec(await bodyOf(procedure)) ?? [];
  expect(Number(found)).toBe(most);
});

it('what admins may call somebody they invite is as long as a name', () => {
  const source = readFileSync('supabase/functions/manage-users/actions.ts', 'utf8');
  expect(Number(/LONGEST_TEXT = (\d+)/.exec(source)?.[1])).toBe(LONGEST_LINE);
});

it.each([
  ...['asha@madhouse.example', 'a@b.c', 'ä@müller.example', `${'a'.repeat(242)}@example.com`, 'a+b@x-y.example'],
  ...['', 'asha', 'asha@localhost', 'a@b@c.d', 'a b@c.d', 'a@b.', '@b.c', 'a@.c', '<a@b.c>', 'a,b@c.d'],
  ...[`${'a'.repeat(243)}@example.com`, 'a\n@b.c', 'a@b.c.', '"a"@b.c', 'a@b..c'],
])('%j is an address to the forms as it is to the database', async (address) => {
  for (const table of ['public.contact_messages', 'public.review_contacts']) {
    const { rows } = await database.db.query<{ taken: boolean }>(
      `select ${/\((.*)\)/s.exec(await checksOf(table, 'email'))![1]} taken from (values ($1)) as given (email)`,
      [address],
    );
    expect(rows[0]!.taken).toBe(isEmail(address));
  }
});

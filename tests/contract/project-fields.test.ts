import { expect, it } from 'vitest';
import {
  eachField,
  FIELD_NAMES,
  fieldsOfKind,
  type kindOf,
  type StoredFields,
  SUBTITLES,
  splitTexts,
} from '../../app/features/projects/model/fields.ts';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';

const WITH_TEXTS = fieldsOfKind('category', 'tags', 'credits');
const OF_TABLE = FIELD_NAMES.filter((name) => !WITH_TEXTS.some((other) => other === name));
const TEXTS = fieldsOfKind('html');
const SET_BY_THE_DATABASE = ['id', 'number', 'submitted_at', 'created_by', 'created_at', 'updated_at'];
const ID = 'b0000000-0000-4000-8000-00000000beef';

const database = forAllTests(async () => {
  const opened = await postgresql.open({ migrated: true });
  const DEFINE_MATERIAL = `insert into public.site_settings (name, value) values ('project_facts', '[{"name": "Material", "kind": "text"}]')`;
  await opened.db.query(DEFINE_MATERIAL);
  return opened;
});

const names = async (sql: string) =>
  (await database.db.query<{ name: string }>(sql)).rows.map(({ name }) => name).toSorted();

const VALUES = {
  line: (name) => `New ${name}`,
  html: (name) => `New ${name}`,
  money: () => 12.5,
  flag: () => true,
  day: () => '2026-02-01',
  status: () => 'active',
  category: () => 'ai',
  tags: () => ['felt'],
  credits: () => [{ part: 'Idea', made: 'hand' }],
  facts: () => ({ material: 'Wool' }),
} satisfies Record<ReturnType<typeof kindOf>, (name: string) => unknown>;
const NEW = eachField<StoredFields>((name, kind) => VALUES[kind](name));
const SAVED: StoredFields = {
  ...eachField<StoredFields>((name, kind) => (kind === 'line' || kind === 'html' ? `Saved ${name}` : null)),
  ...{ status: 'completed', show_budget: false, tags: [], credits: [], facts: {} },
};

async function call(procedure: string, args: Record<string, unknown>) {
  const entries = Object.entries(args);
  const isJson = (value: unknown) => typeof value === 'object';
  const given = entries.map(([name, value], at) => `${name} => $${at + 1}${isJson(value) ? '::text::jsonb' : ''}`);
  const values = entries.map(([, value]) => (isJson(value) ? JSON.stringify(value) : value) as string);
  await database.db.query(`select public.${procedure}(${given})`, values);
}

const LATEST = 'select number, content from public.project_versions where project_id = $1 order by number desc limit 1';
const latestVersion = async () =>
  (await database.db.query<{ number: number; content: StoredFields }>(LATEST, [ID])).rows[0]!;

it('the table of projects has the fields of the form and those that the database sets', async () => {
  const COLUMNS = `select attname as name from pg_attribute
    where attrelid = 'public.projects'::regclass and attnum > 0 and not attisdropped`;
  expect(await names(COLUMNS)).toEqual([...OF_TABLE, ...SET_BY_THE_DATABASE].toSorted());
  expect(await names('select unnest(private.project_fields()) as name')).toEqual(OF_TABLE.toSorted());
});

it.each([
  ['upload_project', '', ['project_id', 'fields', 'media', 'team']],
  ['save_project', 'p_', ['id', 'seen', 'fields']],
])('%s accepts every text', async (procedure, prefix, more) => {
  const PARAMETERS = `select unnest(proargnames) as name from pg_proc where oid = 'public.${procedure}'::regproc`;
  expect(await names(PARAMETERS)).toEqual([...TEXTS, ...more].map((name) => prefix + name).toSorted());
});

it('a project is created, saved, versioned and restored with every field', async () => {
  const create = splitTexts(NEW);
  await call('upload_project', { project_id: ID, fields: create.plain, ...create.texts });
  const created = await latestVersion();
  expect(created.content).toEqual({ ...NEW, media: [], team: [] });

  const { texts, plain } = splitTexts(SAVED);
  const named = Object.fromEntries(Object.entries(texts).map(([name, value]) => [`p_${name}`, value]));
  const SEEN = 'select updated_at::text as seen from public.projects where id = $1';
  const { rows } = await database.db.query<{ seen: string }>(SEEN, [ID]);
  await call('save_project', { p_id: ID, p_seen: rows[0]!.seen, p_fields: plain, ...named });
  const saved = await latestVersion();
  expect(saved.content).toEqual({ ...SAVED, media: [], team: [] });

  await call('restore_project_version', { p_id: ID, p_number: created.number, p_latest: saved.number });
  expect((await latestVersion()).content).toEqual({ ...NEW, status: SAVED.status, media: [], team: [] });
});

it('every line and text of a project is searchable', async () => {
  const WORDS = `select private.searched_lines(projects) as lines, words.words, listed.words::text as listed
    from public.projects join private.project_words words on words.project_id = id
      join private.listing_words listed on listed.project_id = id where id = $1`;
  const { rows } = await database.db.query<{ lines: string[]; words: string; listed: string }>(WORDS, [ID]);
  const { lines, words, listed } = rows[0]!;
  expect(lines.toSorted()).toEqual(SUBTITLES.map((name) => `New ${name}`).toSorted());
  for (const name of SUBTITLES) expect(words).toContain(`new ${name}`);
  for (const text of [words, listed]) expect(text).toContain('wool');
  for (const name of [...fieldsOfKind('line'), ...TEXTS]) expect(listed).toContain(`'${name.split('_')[0]}'`);
});

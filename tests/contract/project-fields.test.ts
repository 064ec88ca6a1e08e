import { expect, it } from 'vitest';
import { FIELD_NAMES, fieldsOfKind } from '../../app/features/projects/model/fields.ts';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';

const WITH_TEXTS = fieldsOfKind('category', 'tags', 'credits');
const OF_TABLE = FIELD_NAMES.filter((name) => !WITH_TEXTS.some((other) => other === name));
const SET_BY_THE_DATABASE = ['id', 'number', 'submitted_at', 'created_by', 'created_at', 'updated_at'];

const database = forAllTests(() => postgresql.open({ migrated: true }));

const names = async (sql: string) =>
  (await database.db.query<{ name: string }>(sql)).rows.map(({ name }) => name).toSorted();

it('the table of projects has the fields of the form and what the database sets', async () => {
  expect(
    await names(`select attname as name from pg_attribute
    where attrelid = 'public.projects'::regclass and attnum > 0 and not attisdropped`),
  ).toEqual([...OF_TABLE, ...SET_BY_THE_DATABASE].toSorted());
});

it.each([
  ['INSERT', [...OF_TABLE, 'created_by']],
  ['UPDATE', [...OF_TABLE, 'created_by']],
])('admins may %s every field', async (right, expected) => {
  expect(
    await names(`select column_name::text as name from information_schema.column_privileges
    where table_schema = 'public' and table_name = 'projects' and grantee = 'authenticated' and privilege_type = '${right}'`),
  ).toEqual(expected.toSorted());
});

it.each([
  ['upload_project', '', ['project_id', 'media', 'team']],
  ['save_project', 'p_', ['id', 'seen']],
])('%s takes every field', async (procedure, prefix, more) => {
  expect(
    await names(`select unnest(proargnames) as name from pg_proc where oid = 'public.${procedure}'::regproc`),
  ).toEqual([...FIELD_NAMES, ...more].map((name) => prefix + name).toSorted());
});

it('a version contains every field', async () => {
  await database.db.query("insert into public.projects (title) values ('A project')");
  expect(
    await names(
      'select jsonb_object_keys(content) as name from private.version_contents(array(select id from public.projects))',
    ),
  ).toEqual([...FIELD_NAMES, 'media', 'team'].toSorted());
});

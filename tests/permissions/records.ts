import { expect, it } from 'vitest';
import { admin } from './actors.ts';
import { onStage } from './stage.ts';

/** Columns of the product's tables by the names that clients use. */
export const records = onStage('tables', (stage) => {
  const { test } = stage;
  const COLUMNS = `select attname::text as name from pg_attribute where attrelid = ('public.' || $1::text)::regclass and attnum > 0
    and has_column_privilege('authenticated', attrelid, attnum, 'select')`;
  const names = (table: string) => stage.server.column<string>(COLUMNS, [table]);
  const OF_PROJECTS = `id title description client status budget start_date end_date created_at updated_at created_by understanding actions impact`;

  it.each([
    ['ENT-02, ENT-03', 'projects', OF_PROJECTS],
    ['ENT-10', 'project_media', 'id project_id type url title description order'],
    ['ENT-15', 'project_members', 'id project_id role contribution_percentage user_id'],
    ['ENT-20', 'case_study_metadata', 'id project_id brief understanding actions impact category tags'],
    ['ENT-25', 'roles', 'id name'],
    ['ENT-25', 'user_roles', 'user_id role_id'],
  ])('%s: %s has its columns', async (_, table, fields) => {
    expect(await names(table)).toEqual(expect.arrayContaining(fields.split(' ')));
  });

  test('a project stores all fields of an admin, and requires only the title (ENT-02, ENT-03, ENT-04, PFORM-05)', async (scene) => {
    const { as } = scene;
    const values = {
      ...{ title: 'Whole', description: '<p>The <strong>Brief</strong></p>', client: 'Client', status: 'completed' },
      ...{ budget: '99.95', start_date: '2026-01-31', end_date: '2026-02-28' },
      ...{ understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>' },
    };
    const columns = Object.keys(values).join(', ');
    const insert = `insert into projects (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${columns}`;
    expect(await as(admin).row(insert, Object.values(values))).toEqual(values);
    const bare = `insert into projects (title) values ('Bare') returning budget, start_date, end_date, description, client, status, understanding, actions, impact`;
    expect(await as(admin).row(bare)).toEqual({
      ...{ budget: null, start_date: null, end_date: null, description: null, client: null, status: 'draft' },
      ...{ understanding: null, actions: null, impact: null },
    });
    await as(admin).refused('23502', 'insert into projects (title) values (null)');
  });
});

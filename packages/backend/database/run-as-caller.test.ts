import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, silent, type TestDatabase, temporaryFolder } from '../../../tests/database.ts';
import { anonymous, type Caller, service } from '../http/caller.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { queryAsCaller, runAsCaller } from './run-as-caller.ts';

const PERSON = '0a0a0a0a-0000-4000-8000-000000000001';
const SESSION = '0b0b0b0b-0000-4000-8000-000000000001';
const REQUEST = { method: 'GET', path: '/notes', headers: { 'x-draft-secret': 'a"b' } };

const person = (sessionId: string | null, userId = PERSON): Caller => ({
  role: 'authenticated',
  claims: { role: 'authenticated', sub: userId },
  userId,
  sessionId,
});

describe.each(engines)('a statement as the caller on $name', ({ open }) => {
  let test: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    test = await open();
    db = test.db;
    const { folder, remove } = await temporaryFolder();
    await mkdir(join(folder, 'migrations'));
    const platformDir = fileURLToPath(new URL('./platform', import.meta.url));
    await migrate(db, { platformDir, migrationsDir: join(folder, 'migrations'), log: silent });
    await remove();
    await db.script(`insert into auth.users (id, email) values ('${PERSON}', 'mad@example.com');
      insert into auth.sessions (id, user_id) values ('${SESSION}', '${PERSON}');
      create schema hidden; create table hidden.t (a int); grant select on hidden.t to public`);
  });
  afterAll(() => test.end());

  const once = (caller: Caller, text: string) => queryAsCaller(db, caller, REQUEST, { text }).then(({ rows }) => rows);

  it('runs with role, claims and request, and resets them', async () => {
    const text = `select current_user as role, auth.uid() as uid, current_setting('request.method') as method,
      current_setting('request.path') as path, current_setting('request.headers')::json ->> 'x-draft-secret' as secret`;
    const expected = { role: 'authenticated', uid: PERSON, method: 'GET', path: '/notes', secret: 'a"b' };
    expect(await once(person(SESSION), text)).toEqual([expected]);
    const inTransaction = await runAsCaller(db, person(SESSION), REQUEST, (tx) => tx.query(text));
    expect(inTransaction.rows).toEqual([expected]);
    const after = `select current_user as role, coalesce(current_setting('request.jwt.claims', true), '') as claims`;
    for (let session = 0; session < 12; session++)
      expect((await db.query(after)).rows).toEqual([{ role: 'postgres', claims: '' }]);
  });

  it('requires the right to use a schema even if another role prepared the same statement', async () => {
    const text = 'select a from hidden.t';
    await db.query(text);
    await expect(once(service, text)).rejects.toMatchObject({ code: '42501' });
    await db.script('grant usage on schema hidden to service_role');
    expect(await once(service, text)).toEqual([]);
    await expect(once(anonymous, text)).rejects.toMatchObject({ code: '42501' });
  });

  it('is rejected before it runs when the session has ended or the user was deleted', async () => {
    const other = '0c0c0c0c-0000-4000-8000-000000000001';
    const gone = { code: 'PT401', message: 'Session from session_id claim in JWT does not exist' };
    await expect(once(person(other), 'select 1')).rejects.toMatchObject(gone);
    await expect(runAsCaller(db, person(other), REQUEST, (tx) => tx.query('select 1'))).rejects.toMatchObject(gone);
    await expect(once(person(null, other), 'select 1')).rejects.toMatchObject({ code: 'PT401' });
    expect(await once(person(null), 'select 1 as one')).toEqual([{ one: 1 }]);
    await db.query("update auth.users set banned_until = now() + interval '1 hour'");
    await expect(once(person(SESSION), 'select 1')).rejects.toMatchObject({ code: 'PT401' });
    await db.query('update auth.users set banned_until = null');
  });
});

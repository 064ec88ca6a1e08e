import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitForBlockedLock } from '../../../../tests/permissions/lock-order.ts';
import { openRest, type RestServer } from '../../tests/rest/rest-server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

let rest: RestServer;

beforeAll(async () => {
  const sql = `create table public.texts (id int primary key, saves int not null);
    create table public.titles (id int primary key, saves int not null);
    insert into public.texts values (1, 0);
    insert into public.titles values (1, 0);
    create function public.title_follows() returns trigger language plpgsql security definer as
      'begin update public.titles set saves = saves + 1 where id = new.id; return new; end';
    create trigger title_follows after update on public.texts for each row execute function public.title_follows();
    create sequence public.tries;
    create function public.never() returns int language plpgsql security definer as
      $$ begin perform nextval('public.tries'); raise exception using errcode = '40001', message = 'not now'; end $$;
    grant select, update on public.texts to anon`;
  rest = await openRest({ sql });
});
afterAll(() => rest?.close());

it('retries a write that PostgreSQL aborted in a deadlock', async () => {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const { promise: waited, resolve: resume } = Promise.withResolvers<void>();
  const other = rest.db.transaction(async (tx) => {
    // PostgreSQL aborts the session whose deadlock check runs first: not this one.
    await tx.query(`set local deadlock_timeout = '1min'`);
    await tx.query('update public.titles set saves = saves + 1');
    isHeld();
    await waited;
    await tx.query('update public.texts set saves = saves + 1');
  });
  await held;
  const saved = rest.call('/texts?id=eq.1', { method: 'PATCH', headers: JSON_TYPE, body: '{"saves": 5}' });
  await waitForBlockedLock(rest.db);
  resume();
  await other;
  expect((await saved).status).toBe(204);
  const saves = 'select texts.saves as texts, titles.saves as titles from public.texts, public.titles';
  const { rows } = await rest.db.query(saves);
  // `titles`: one save by the other transaction, one by its trigger, one by the retried write.
  expect(rows).toEqual([{ texts: 5, titles: 3 }]);
});

it('gives up after the third try', async () => {
  const response = await rest.call('/rpc/never', { method: 'POST', headers: JSON_TYPE, body: '{}' });
  expect(await response.json()).toMatchObject({ code: '40001', message: 'not now' });
  expect((await rest.db.query('select last_value::int as tries from public.tries')).rows).toEqual([{ tries: 3 }]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweep } from '../../backend/auth/sweep.ts';
import { type House, openHouse, openTestDatabase, WIDE } from './auth-house.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let house: House;

beforeAll(async () => {
  database = await openTestDatabase();
  house = await openHouse(database.db, WIDE);
});
afterAll(async () => {
  await house?.close();
  await database?.close();
});

const count = async (table: string) =>
  (await database.db.query<{ n: number }>(`select count(*)::int as n from auth.${table}`)).rows[0]!.n;

it('sweeps what is over, and leaves what still proves something', async () => {
  const client = house.client();
  const email = `${randomUUID()}@example.com`;
  const password = 'tangerine bicycle';
  await client.signUp({ email, password });
  for (let refreshed = 0; refreshed < 3; refreshed++) await client.refreshSession();
  await house.client().signInWithPassword({ email, password });
  await house.client().signInWithPassword({ email, password: 'wrong' });
  await client.resetPasswordForEmail(email);
  await house.settled();
  const before = await Promise.all(['sessions', 'refresh_tokens', 'one_time_tokens', 'attempts'].map(count));
  expect(before).toEqual([2, 5, 1, 1]);
  await sweep(database.db);
  expect(await Promise.all(['sessions', 'refresh_tokens', 'one_time_tokens', 'attempts'].map(count))).toEqual(before);

  await database.db.script(`
    update auth.refresh_tokens set updated_at = now() - interval '31 days';
    update auth.one_time_tokens set expires_at = now() - interval '25 hours';
    update auth.attempts set last_failed_at = now() - interval '25 hours'`);
  await sweep(database.db);
  // Of the first session's four tokens the active one and its parent stay.
  expect(await Promise.all(['sessions', 'refresh_tokens', 'one_time_tokens', 'attempts'].map(count))).toEqual([
    2, 3, 0, 0,
  ]);
  expect((await client.refreshSession()).error).toBeNull();

  await database.db.script("update auth.sessions set created_at = now() - interval '181 days', refreshed_at = null");
  await sweep(database.db);
  expect(await count('sessions')).toBe(0);
});

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { newEmail, openAuthServer, PASSWORD } from './auth-server.ts';

const SHIPPED = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'supabase', 'config.toml'), 'utf8');
const MINUTES = 60;
const HOUR = 3600;
const OLD_TOKEN = 'x'.repeat(43);

const server = forAllTests(() => openAuthServer(SHIPPED));

const elsewhere = () => ({ 'x-test-address': randomUUID() });

/** Signs up from a new address. @returns status and error code */
const signUp = (fields: object) =>
  server.refusal('/signup', { json: { email: newEmail(), password: PASSWORD, ...fields }, headers: elsewhere() });

const addPoints = (limiter: string, points: number) =>
  server.db.query('update internal.limits set points = points + $1 where key like $2', [points, `auth ${limiter} %`]);

/** Checks for 429, or 503 for a refresh, with a Retry-After until the end of a window of `seconds`. */
function expectRefusal(answer: Response, seconds: number, what: string) {
  expect(answer.status, what).toBe(what === 'refreshes' ? 503 : 429);
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait, what).toBeGreaterThan(seconds / 2);
  expect(wait, what).toBeLessThanOrEqual(seconds);
}

describe('default limits of the identity service (threat model, section 8)', () => {
  it.each<[string, string, number, number, string, () => object]>([
    ['sign-ins', 'signIn', 30, 5 * MINUTES, '/token?grant_type=password', () => ({ email: newEmail(), password: 'x' })],
    ['codes', 'verify', 30, 5 * MINUTES, '/verify', () => ({ type: 'signup', token_hash: 'x' })],
    ['answers of second factors', 'factor', 30, 5 * MINUTES, `/factors/${randomUUID()}/verify`, () => ({})],
    ['sign-ups', 'signUp', 30, HOUR, '/signup', () => ({ email: newEmail(), password: PASSWORD })],
    ['refreshes', 'refresh', 150, 5 * MINUTES, '/token?grant_type=refresh_token', () => ({ refresh_token: OLD_TOKEN })],
    ['e-mails requested', 'requestEmail', 30, HOUR, '/recover', () => ({ email: newEmail() })],
  ])(
    '%s are limited per address, independently of other addresses',
    async (what, limiter, most, seconds, path, body) => {
      const request = (address: string) => server.call(path, { json: body(), headers: { 'x-test-address': address } });
      const address = randomUUID();
      for (const count of [1, most]) {
        if (count > 1) await addPoints(limiter, most - 2);
        expect((await request(address)).status, `${what}, ${count}`).toBeLessThan(429);
      }
      expectRefusal(await request(address), seconds, what);
      expect((await request(randomUUID())).status).toBeLessThan(429);
    },
  );

  it('sends at most 500 e-mails an hour, from all clients together', async () => {
    await using own = await openAuthServer(SHIPPED, { db: server.db });
    const prefix = randomUUID();
    const accounts = `insert into auth.users (id, email, email_confirmed_at)
      select gen_random_uuid(), $1 || '-' || n || '@example.com', now() from generate_series(0, 4) n`;
    await server.db.query(accounts, [prefix]);
    const request = (number: number) =>
      own.call('/recover', { json: { email: `${prefix}-${number}@example.com` }, headers: elsewhere() });
    for (let number = 0; number < 4; number++) {
      expect((await request(number)).status).toBe(200);
      await own.settled();
      if (number === 1) await addPoints('allMails', 496);
    }
    expectRefusal(await request(4), HOUR, 'the 501st');
  });

  it('accepts passwords of six characters to 512 bytes (CONST-19)', async () => {
    expect(await signUp({ password: 'qz7#k' })).toEqual([422, 'weak_password']);
    expect(await signUp({ password: 'qz7#kv' })).toEqual([200, null]);
    const [email, longest] = [newEmail(), `the sea, ${'é'.repeat(251)}.`];
    expect(Buffer.byteLength(longest)).toBe(512);
    expect(await signUp({ email, password: longest })).toEqual([200, null]);
    expect(await server.signInError(email, longest.slice(0, -1))).toBe('invalid_credentials');
    expect(await signUp({ password: `${longest}.` })).toEqual([400, 'validation_failed']);
  });

  it('accepts user metadata of at most 8 KB and eight levels', async () => {
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) });
    const filled = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    for (const data of [filled(8192), deep(8)]) expect(await signUp({ data })).toEqual([200, null]);
    for (const data of [filled(8193), deep(9)]) expect(await signUp({ data })).toEqual([400, 'validation_failed']);
  });

  it('accepts an uncompressed body of at most 64 KB, 32 levels, 500 keys and 1000 entries', async () => {
    const send = (body: string, more: Record<string, string> = {}) => {
      const headers = { 'content-type': 'application/json', ...elsewhere(), ...more };
      return server.refusal('/recover', { method: 'POST', body, headers });
    };
    const having = (more: string) => `{"email": "${newEmail()}", "more": ${more}}`;
    const sized = (bytes: number) => having(`"${'x'.repeat(bytes - having('""').length)}"`);
    const nested = (levels: number) => having(`${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`);
    const keys = (count: number) =>
      having(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))));
    const entries = (count: number) => having(JSON.stringify(Array(count).fill(1)));
    for (const most of [sized(65_536), nested(32), keys(500), entries(1000)])
      expect(await send(most), most.slice(0, 80)).toEqual([200, null]);
    expect(await send(sized(65_537))).toEqual([413, 'request_entity_too_large']);
    expect(await send(nested(33))).toEqual([400, 'bad_json']);
    expect(await send(keys(501))).toEqual([400, 'validation_failed']);
    expect(await send(entries(1001))).toEqual([400, 'validation_failed']);
    expect((await send(sized(100), { 'content-encoding': 'gzip' }))[0]).toBe(415);
  });
});

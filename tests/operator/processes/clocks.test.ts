import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { TOTP } from 'otpauth';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMigratedPostgres } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { findFaketime, withClockAhead } from '../../programs/faketime.ts';
import { startMailServer } from '../../programs/mail-server.ts';
import { keysIn, newAddress, type RunningServer, startServer } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';
import { beginUpload, sendPiece } from '../resumable-uploads.ts';

const OFF_SECONDS = 300;
const ACCOUNT = { email: 'ada@example.com', password: 'tangerine bicycle' };

/** One clock is right. The machines share a database, a DATA_DIR and its keys. */
describe.skipIf(!findFaketime())('three machines whose clocks are five minutes apart', () => {
  const database = forAllTests(startMigratedPostgres);
  const mails = forAllTests(() => startMailServer());
  let right: RunningServer;
  let ahead: RunningServer;
  let behind: RunningServer;
  let machines: RunningServer[];
  let sql: postgres.Sql;
  beforeAll(async () => {
    const SITE_URL = 'http://madhouse.example';
    const settings = { DATABASE_URL: database.url, SMTP_URL: mails.url, SITE_URL, SEED: 'none', TRUST_PROXY: '1' };
    right = await startServer(settings);
    const startAt = (seconds: number) => startServer({ ...settings, ...withClockAhead(seconds) }, right.dataDir);
    [ahead, behind] = await Promise.all([startAt(OFF_SECONDS), startAt(-OFF_SECONDS)]);
    machines = [right, ahead, behind];
    sql = postgres(database.url, { max: 1, onnotice: () => {} });
    await clientOf(right).createUser(ACCOUNT);
    await json(right, '/storage/v1/bucket', { ...asService(), json: { name: 'papers', public: false } });
  });
  afterAll(async () => {
    await sql?.end();
    await Promise.all((machines ?? []).map((machine) => machine.stop({ signal: 'SIGINT' })));
  });

  const send = (machine: RunningServer, path: string, call: Call) => clientOf(machine).send(path, call);
  const json = async <T>(machine: RunningServer, path: string, call: Call) => {
    const response = await send(machine, path, call);
    expect(response.status, `${path}: ${await response.clone().text()}`).toBe(200);
    return (await response.json()) as T;
  };
  const signIn = async (machine: RunningServer) => (await clientOf(machine).signIn(ACCOUNT)).access_token;
  const statusesWith = (token: string) =>
    Promise.all(
      machines.flatMap((machine) => {
        const statusOf = async (path: string) => (await send(machine, path, { token })).status;
        return ['/auth/v1/user', '/rest/v1/projects?select=id'].map(statusOf);
      }),
    );
  const asService = () => {
    const { secret } = keysIn(right.dataDir);
    return { apikey: secret, token: secret };
  };
  const pairs = () => machines.flatMap((one) => machines.map((other) => [one, other] as const));

  it('differ by that time, and log it', async () => {
    const times = await Promise.all(
      machines.map(async ({ base }) => {
        const response = await fetch(`${base}/ready`);
        const minutes = Math.round(Date.parse(response.headers.get('date')!) / 60_000 - Date.now() / 60_000);
        return [minutes + 0, (await response.json()).warnings];
      }),
    );
    const warning = (words: string) => [{ part: 'clock', reason: expect.stringContaining(words) }];
    expect(times).toEqual([
      [0, []],
      [OFF_SECONDS / 60, warning('300 s ahead of')],
      [-OFF_SECONDS / 60, warning('300 s behind')],
    ]);
  });

  it('issue tokens with the same expiry, and agree when one has expired', async () => {
    const { key_ops: _, ...jwk } = JSON.parse(await readFile(join(right.dataDir, 'keys.json'), 'utf8')).signing[0];
    const key = await importJWK(jwk, 'ES256');
    for (const machine of machines) {
      const token = await signIn(machine);
      const { exp, iat, ...claims } = decodeJwt(token);
      const now = Date.now() / 1000;
      expect(Math.abs(iat! - now)).toBeLessThan(60);
      expect(exp! - iat!).toBe(3600);
      expect(new Set(await statusesWith(token))).toEqual(new Set([200]));
      const { alg, kid } = decodeProtectedHeader(token);
      const until = (seconds: number) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: alg!, kid: kid! })
          .setExpirationTime(Math.floor(now) + seconds)
          .sign(key);
      expect(new Set(await statusesWith(await until(60)))).toEqual(new Set([200]));
      expect(await statusesWith(await until(-60))).toEqual([403, 401, 403, 401, 403, 401]);
    }
  });

  it('accept URLs that another machine signed for a minute', async () => {
    const name = `images/${randomUUID()}.txt`;
    const file = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Hello' };
    expect((await clientOf(right).asService(`/storage/v1/object/papers/${name}`, file)).status).toBe(200);
    for (const [signer, opener] of pairs()) {
      const path = `/storage/v1/object/sign/papers/${name}`;
      const call = { ...asService(), json: { expiresIn: 60 } };
      const { signedURL } = await json<{ signedURL: string }>(signer, path, call);
      const opened = await fetch(`${opener.base}/storage/v1${signedURL}`);
      expect([opened.status, await opened.text()]).toEqual([200, 'Hello']);
    }
  });

  it('accept the codes of an authenticator app with the right time', async () => {
    for (const machine of [ahead, behind]) {
      const token = await signIn(machine);
      // Challenge and verification need the same client address.
      const as = { token, headers: { 'x-forwarded-for': newAddress() } };
      const call = { ...as, json: { factor_type: 'totp', friendly_name: randomUUID() } };
      const { id, totp } = await json<{ id: string; totp: { secret: string } }>(machine, '/auth/v1/factors', call);
      const path = `/auth/v1/factors/${id}`;
      const challenge = await json<{ id: string }>(machine, `${path}/challenge`, { ...as, json: {} });
      const verify = { challenge_id: challenge.id, code: new TOTP({ secret: totp.secret }).generate() };
      expect((await send(machine, `${path}/verify`, { ...as, json: verify })).status).toBe(200);
      const factor = `/auth/v1/admin/users/${decodeJwt(token).sub}/factors/${id}`;
      expect((await send(right, factor, { ...asService(), method: 'DELETE' })).status).toBe(200);
    }
  });

  it('share rate limits', async () => {
    const call = { headers: { 'x-forwarded-for': newAddress() }, json: { type: 'signup', token_hash: 'x' } };
    const statusOf = async (at: number) => (await send(machines[at % 3]!, '/auth/v1/verify', call)).status;
    const statuses = await Promise.all(Array.from({ length: 45 }, (_, at) => statusOf(at)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it('send each e-mail immediately and once', async () => {
    const people = Array.from({ length: 12 }, () => `${randomUUID()}@example.com`);
    const signUp = (email: string, at: number) =>
      json(machines[at % 3]!, '/auth/v1/signup', { json: { ...ACCOUNT, email } });
    await Promise.all(people.map(signUp));
    await expect.poll(async () => (await sql`select from internal.mails`).length).toBe(0);
    expect(mails.accepted.map(({ to }) => to).sort()).toEqual(people.sort());
  });

  it('leave an upload to the machine that receives it, and continue one that another machine began', async () => {
    const bytes = randomBytes(300_000);
    const name = `${randomUUID()}.bin`;
    const path = await beginUpload(clientOf(right), { bucketName: 'papers', objectName: name }, bytes.length);
    const cuts = [0, 100_000, 200_000, bytes.length];
    for (const [at, machine] of [behind, ahead, right].entries()) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const sent = sendPiece(clientOf(machine), path, cuts[at]!, readable);
      await writer.write(bytes.subarray(cuts[at], cuts[at + 1]));
      // The lease expires in some seconds, by the clock of the database.
      const isLeased = async () => {
        const [row] = await sql`select extract(epoch from leased_until - now())::float8 as left
          from storage.unfinished_uploads where lease is not null`;
        return row && row['left'] > 0 && row['left'] <= 15;
      };
      await expect.poll(isLeased).toBe(true);
      await writer.close();
      expect((await sent).status).toBe(204);
    }
    const stored = await clientOf(ahead).asService(`/storage/v1/object/papers/${name}`);
    expect(bytes.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true);
  });
});

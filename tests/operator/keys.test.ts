import { spawnSync } from 'node:child_process';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.ts';
import { clientOf } from './client.ts';

const ACCOUNT = { email: 'ada@example.com', password: 'tangerine bicycle' };
const RELOAD_TIMEOUT_MS = 20_000;

let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ SEED: 'none' });
  await clientOf(server).createUser(ACCOUNT);
});
afterAll(() => server?.stop());

const commandIn = (DATA_DIR: string, ...words: string[]) =>
  spawnSync(process.execPath, ['packages/backend/keys/keys-command.ts', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DATA_DIR },
  });
const command = (...words: string[]) => commandIn(server.dataDir, ...words);
const signIn = async () => (await clientOf(server).signIn(ACCOUNT)).access_token;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const statusOf = async (token: string) => (await clientOf(server).send('/auth/v1/user', { token })).status;
const keySet = async () => {
  const response = await fetch(`${server.base}/auth/v1/.well-known/jwks.json`);
  return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
};
/** Waits until the running server has loaded other keys. */
async function waitForKeys(count: number, [previous]: string[]): Promise<string[]> {
  let kids: string[] = [];
  const areLoaded = async () => {
    kids = await keySet();
    return kids.length === count && kids[0] !== previous;
  };
  await expect.poll(areLoaded, { timeout: RELOAD_TIMEOUT_MS }).toBe(true);
  return kids;
}

describe('npm run keys', () => {
  it('rotates keys of a running server, which accepts old and new tokens, and after --revoke only new ones', async () => {
    const old = await signIn();
    const before = await keySet();

    const { status, stdout, stderr } = command('rotate');
    expect([status, stderr]).toEqual([0, '']);
    const both = await waitForKeys(2, before);
    expect(both[1]).toBe(kidOf(old));
    expect(stdout).toContain(`${both[0]}  ES256  signs`);
    expect(stdout).toMatch(new RegExp(`${both[1]}  ES256  verifies until 2\\d{3}-`));
    expect((await stat(join(server.dataDir, 'keys.json'))).mode & 0o777).toBe(0o600);
    const newer = await signIn();
    expect(kidOf(newer)).toBe(both[0]);
    for (const token of [old, newer]) expect(await statusOf(token)).toBe(200);

    expect(command('rotate', '--revoke').status).toBe(0);
    const [only] = await waitForKeys(1, both);
    for (const token of [old, newer]) expect(await statusOf(token)).toBe(403);
    expect(kidOf(await signIn())).toBe(only);

    const log = await clientOf(server).asService('/auth/v1/admin/audit?query=action:signing_keys_changed');
    const rows = (await log.json()) as { payload: { reason: string } }[];
    expect(rows.map(({ payload }) => payload.reason)).toEqual([only, both.join(' ')]);
    expect(stdout + server.output()).not.toMatch(/"d"|sb_secret/);
  });

  it('creates and revokes service keys of a running server', async () => {
    const { secret, send } = clientOf(server);
    const asService = async (apikey: string) => (await send('/auth/v1/admin/users', { apikey })).status;
    const responses = (key: string, status: number) =>
      expect.poll(() => asService(key), { timeout: RELOAD_TIMEOUT_MS }).toBe(status);
    const added = command('add', 'reporting');
    expect(added).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^sb_secret_[\w-]{43}\n$/) });
    const key = added.stdout.trim();
    await responses(key, 200);
    expect(await asService(secret)).toBe(200);
    const stderr = expect.stringContaining('The service key name reporting is or was in use');
    expect(command('add', 'reporting')).toMatchObject({ status: 1, stderr });
    const listed = () => command('list').stdout;
    await expect.poll(listed).toMatch(/^reporting {2}made 2\d{3}-\S+ {2}last used 2\d{3}-\S+:00Z$/m);
    expect(listed()).toMatch(/^server {2}made with the file {2}last used 2\d{3}-/m);

    expect(command('end', 'reporting').status).toBe(0);
    await responses(key, 401);
    expect(listed()).toMatch(/^reporting {2}.* {2}ended 2\d{3}-/m);
    expect(command('end', 'reporting').status).toBe(1);
    expect(command('add', 'reporting').status).toBe(1);

    expect(command('end', 'server').status).toBe(0);
    await responses(secret, 401);
    await responses(clientOf(server).secret, 200);
    expect(listed() + server.output()).not.toMatch(/sb_secret/);
  });

  it('rejects keys that do not match the database until they are adopted', async () => {
    const { dataDir } = server;
    const ready = async () => (await (await fetch(`${server.base}/ready`)).json()).warnings;
    expect(await ready()).toEqual([]);
    await server.stop({ keep: true });
    const own = join(dataDir, 'keys.json');
    const others = join(dataDir, 'others.json');
    server = await startServer({ SEED: 'none', KEYS_FILE: others }, dataDir);
    expect(await ready()).toEqual([{ part: 'keys', reason: 'KEYS_FILE does not match this database' }]);
    expect(server.output()).toContain(`KEYS_FILE ${others} does not match this database`);
    await server.stop({ keep: true });
    await rename(others, own);
    expect(command('adopt')).toMatchObject({ status: 0, stderr: '' });
    server = await startServer({ SEED: 'none' }, dataDir);
    expect(await ready()).toEqual([]);
    expect(server.output()).not.toContain('does not match this database');
  });

  it('prints its usage, and rejects a folder without keys', () => {
    expect(command('rotat')).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run keys -- rotate') });
    expect(command('--revoke').status).toBe(1);
    const rotated = commandIn(join(server.dataDir, 'nothing'), 'rotate');
    expect(rotated).toMatchObject({ status: 1, stderr: expect.stringContaining('Check DATA_DIR.') });
  });
});

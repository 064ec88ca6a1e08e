import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordCheckResult } from '../../packages/backend/archive/with-source.ts';
import { silent } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { archive } from '../operator/archive/command.ts';
import { startMailServer } from '../programs/mail-server.ts';
import { openBackend, SITE } from './open-backend.ts';

interface Answer {
  success: boolean;
  admin: boolean;
  now: string;
  checks: { name: string; state: string; code: string; since: string | null; at: string | null }[];
}

describe('health checks', () => {
  const mails = forAllTests(() => startMailServer());
  const backend = forAllTests(() => openBackend({ SMTP_URL: mails.url }));
  const send = (path: string, init?: RequestInit) => backend.sendFrom()(SITE + path, init);
  const check = async (token: string | null, more: Record<string, string> = {}): Promise<Answer> => {
    const headers: Record<string, string> = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...more };
    const response = await send('/functions/v1/check-health', { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  };
  const codes = ({ checks }: Answer) =>
    Object.fromEntries(checks.map(({ name, state, code }) => [name, `${state} ${code}`]));
  const adminToken = async () => (await backend.account({ role: 'admin' })).token;
  const harmless = (answer: Answer) => {
    const server = { name: 'server', state: 'fine', code: 'answers', since: null, at: null };
    const now = expect.stringMatching(/^20/);
    expect(answer).toEqual({ success: true, error: null, admin: false, now, checks: [server] });
    expect(Math.abs(Date.parse(answer.now) - Date.now())).toBeLessThan(60_000);
  };

  it('return only availability and server time to callers without the admin role', async () => {
    harmless(await check(null));
    harmless(await check(null, { apikey: backend.publishableKey }));
    harmless(await check('not a token'));
    harmless(await check(backend.secret, { apikey: backend.secret }));
    harmless(await check((await backend.account()).token));
    // The last admin could not be removed.
    await adminToken();
    const withdrawn = await backend.account({ role: 'admin' });
    await backend.data('DELETE', `user_roles?user_id=eq.${withdrawn.id}`);
    harmless(await check(withdrawn.token));
    const banned = await backend.account({ role: 'admin' });
    await backend.client(backend.secret).admin.updateUserById(banned.id, { ban_duration: '24h' });
    harmless(await check(banned.token));
  });

  it('return every check to an admin with the time of its state, without internal messages, and send no e-mail', async () => {
    const token = await adminToken();
    const answer = await check(token);
    expect(answer.admin).toBe(true);
    const since = ({ checks }: Answer) => checks.find(({ name }) => name === 'database')!.since!;
    expect(Date.parse(since(answer))).toBeLessThanOrEqual(Date.now());
    expect(since(await check(token))).toBe(since(answer));
    expect(codes(answer)).toEqual({
      server: 'fine answers',
      database: 'fine answers',
      storage: 'fine answers',
      mail: 'fine answers',
      captcha: 'fine off',
      admin: expect.stringMatching(/^fine (one|several)$/),
      setupKey: 'fine closed',
      secondFactor: 'look off',
      backup: 'look none',
    });
    expect(mails.accepted).toEqual([]);
    const internal = /127\.0\.0\.1|localhost|smtp|postgres|pglite|\bv?\d+\.\d+\.\d+\b|sb_secret|eyJ/i;
    expect(JSON.stringify(answer)).not.toMatch(internal);
  });

  it('report when an archive was last verified, and warn when that is long ago or failed', async () => {
    const token = await adminToken();
    const backup = async () => {
      const { state, code, at } = (await check(token)).checks.find(({ name }) => name === 'backup')!;
      return { state, code, at: at && Date.now() - Date.parse(at) };
    };
    const { dataDir, config } = backend;
    const server = { dataDir, backend: config.backend };
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await recordCheckResult(server, { outcome: 'whole', madeAt: daysAgo(8.1) }, silent);
    expect(await backup()).toMatchObject({ state: 'look', code: 'old' });
    await recordCheckResult(server, { outcome: 'whole', madeAt: daysAgo(7.9) }, silent);
    expect(await backup()).toMatchObject({ state: 'fine', code: 'whole' });

    const path = join(dataDir, 'whole.tar');
    expect(await archive(dataDir, 'make', path)).toMatchObject({ code: 0 });
    expect(await backup()).toEqual({ state: 'fine', code: 'whole', at: expect.closeTo(0, -5) });
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(join(dataDir, 'damaged.tar'), bytes);
    expect(await archive(dataDir, 'check', join(dataDir, 'damaged.tar'))).toMatchObject({ code: 1 });
    expect(await backup()).toMatchObject({ state: 'look', code: 'failed' });
    expect(await archive(dataDir, 'check', path)).toMatchObject({ code: 0 });
    expect(await backup()).toMatchObject({ state: 'fine', code: 'whole' });
  });

  it('report an unreachable mail server, and still return the other checks', async () => {
    const token = await adminToken();
    await mails.stop();
    const began = performance.now();
    expect(codes(await check(token))).toMatchObject({ mail: 'look away', database: 'fine answers' });
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('accept POST only', async () => {
    expect((await send('/functions/v1/check-health')).status).toBe(405);
    expect((await send('/functions/v1/check-health', { method: 'OPTIONS' })).status).toBeLessThan(300);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../mail-server.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../../server.ts';

/** A mail whose answer the killed process may not have written down: it may leave once more. */
const JUST_BEFORE_MS = 500;
const THINKS_MS = 30;

/** Goes on signing people up and writing messages until it is told to stop. @returns the names of what was answered */
async function writeUntil(server: RunningServer, key: string, over: () => boolean): Promise<string[]> {
  const answered: string[] = [];
  const post = (path: string, body: object) =>
    fetch(server.base + path, {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
      body: JSON.stringify(body),
    }).catch(() => null);
  while (!over()) {
    const name = `p${crypto.randomUUID().slice(0, 8)}`;
    const email = `${name}@example.com`;
    const signUp = await post('/auth/v1/signup', { email, password: 'tangerine bicycle' });
    if (signUp?.status === 200) answered.push(email);
    const letter = { p_name: name, p_email: email, p_message: 'Hello from the test' };
    const message = answered.length % 4 ? null : await post('/rest/v1/rpc/send_message', letter);
    if (message?.status === 204) answered.push(`Message from ${name}`);
  }
  return answered;
}

/** @param kills moments at which a process was killed */
function expectEachOnce(mails: MailServer, answered: readonly string[], kills: readonly number[]): void {
  const deliveries = (name: string) => mails.taken.filter(({ to, subject }) => name === to || name === subject);
  const excused = (at: number) => kills.some((kill) => kill > at - THINKS_MS && kill - at < JUST_BEFORE_MS);
  for (const name of answered) {
    const [first, ...again] = deliveries(name);
    expect(first, `${name} never left`).toBeDefined();
    expect(again.length <= 1 && (!again.length || excused(first!.at)), `${name} left ${again.length + 1} times`).toBe(
      true,
    );
    expect(new Set(deliveries(name).map(({ id }) => id)).size).toBe(1);
  }
}

it.each([
  ['one server on the embedded engine', 1, 8],
  ['two servers on PostgreSQL', 2, 12],
])(
  '%s, %d of them killed again and again: each mail leaves, and twice only when the kill came before it was written down',
  {
    timeout: 600_000,
  },
  async (engine, processes, kills) => {
    const folder = await mkdtemp(join(tmpdir(), 'madhouse-mail-kill-'));
    const mails = await startMailServer(() => Math.random() * THINKS_MS);
    const database = engine.includes('PostgreSQL') ? await startPostgres() : null;
    const settings = {
      SEED: 'none',
      TRUST_PROXY: '1',
      SMTP_URL: mails.url,
      KEYS_FILE: join(folder, 'keys.json'),
      ...(database && { DATABASE_URL: database.url }),
    };
    const servers: RunningServer[] = [];
    try {
      for (let at = 0; at < processes; at++) servers.push(await startServer(settings));
      const key = await publishableKeyOf(servers[0]!.base);
      const answered: string[] = [];
      const killed: number[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const victim = servers[kill % processes]!;
        const before = mails.taken.length;
        let over = false;
        const writing = servers.map((server) => writeUntil(server, key, () => over));
        await expect.poll(() => mails.taken.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + 1);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
        killed.push(performance.now());
        await victim.stop({ signal: 'SIGKILL', keep: true });
        over = true;
        answered.push(...(await Promise.all(writing)).flat());
        servers[kill % processes] = await startServer(settings, victim.dataDir);
      }
      // What a killed process had claimed is anybody's after half a minute.
      const arrived = () => {
        const names = new Set(mails.taken.flatMap(({ to, subject }) => [to, subject]));
        return answered.filter((name) => !names.has(name));
      };
      await expect.poll(arrived, { timeout: 90_000, interval: 100 }).toEqual([]);
      expect(answered.length).toBeGreaterThan(kills);
      expectEachOnce(mails, answered, killed);
    } finally {
      for (const server of servers) await server.stop({ signal: 'SIGKILL' });
      await mails.stop();
      await database?.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

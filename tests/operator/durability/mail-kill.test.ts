import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../../mail-server.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../../server.ts';

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

/**
 * A process hands over one mail at a time, and the next only when the last is written down: what may leave once more is
 * the last mail of one that was killed.
 */
function expectEachOnce({ taken }: MailServer, answered: readonly string[], killed: readonly string[]): void {
  const lasts = killed.map((sender) => taken.findLast((mail) => mail.sender === sender));
  for (const name of answered) {
    const [first, ...again] = taken.filter(({ to, subject }) => name === to || name === subject);
    expect(first, `${name} never left`).toBeDefined();
    for (const [at, mail] of again.entries()) {
      expect(lasts, `${name} left once more, and not because of a kill`).toContain(again[at - 1] ?? first);
      expect(mail.id).toBe(first!.id);
    }
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
    const mails = await startMailServer({ thinks: () => Math.random() * THINKS_MS });
    const database = engine.includes('PostgreSQL') ? await startPostgres() : null;
    const settings = {
      SEED: 'none',
      TRUST_PROXY: '1',
      KEYS_FILE: join(folder, 'keys.json'),
      ...(database && { DATABASE_URL: database.url }),
    };
    const servers: RunningServer[] = [];
    let started = 0;
    // Each tells the mail server a name of its own.
    const names = new Map<RunningServer, string>();
    const start = async (dataDir?: string) => {
      const name = `process-${++started}`;
      const server = await startServer({ ...settings, SMTP_URL: `${mails.url}?name=${name}` }, dataDir);
      names.set(server, name);
      return server;
    };
    try {
      for (let at = 0; at < processes; at++) servers.push(await start());
      const key = await publishableKeyOf(servers[0]!.base);
      const answered: string[] = [];
      const killed: string[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const victim = servers[kill % processes]!;
        const before = mails.taken.length;
        let over = false;
        const writing = servers.map((server) => writeUntil(server, key, () => over));
        await expect.poll(() => mails.taken.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + 1);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
        killed.push(names.get(victim)!);
        await victim.stop({ signal: 'SIGKILL', keep: true });
        over = true;
        answered.push(...(await Promise.all(writing)).flat());
        servers[kill % processes] = await start(victim.dataDir);
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

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startMigratedPostgres, temporaryFolder } from '../../database.ts';
import { startMailServer } from '../../programs/mail-server.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { clientOf } from '../client.ts';
import { expectSentOnce, findMissing, writeUntil } from './mail-writers.ts';

const MAX_DELAY_MS = 30;

it.each([
  ['one server on the embedded engine', 1, 2],
  ['two servers on PostgreSQL', 2, 3],
])(
  '%s, %d of them killed repeatedly: each e-mail is sent, and twice only when the kill came before the delivery was recorded',
  async (engine, processes, kills) => {
    const { folder, remove } = await temporaryFolder();
    const mails = await startMailServer({ thinks: () => Math.random() * MAX_DELAY_MS });
    const database = engine.includes('PostgreSQL') ? await startMigratedPostgres() : null;
    const KEYS_FILE = join(folder, 'keys.json');
    const settings = { SEED: 'none', TRUST_PROXY: '1', KEYS_FILE, ...(database && { DATABASE_URL: database.url }) };
    const servers: RunningServer[] = [];
    let started = 0;
    // Each process has a host name of its own.
    const names = new Map<RunningServer, string>();
    const start = async (dataDir?: string) => {
      const name = `process-${++started}`;
      const server = await startServer({ ...settings, SMTP_URL: `${mails.url}?name=${name}` }, dataDir);
      names.set(server, name);
      return server;
    };
    try {
      for (let at = 0; at < processes; at++) servers.push(await start());
      const answered: string[] = [];
      const killed: string[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const victim = servers[kill % processes]!;
        const before = mails.accepted.length;
        let over = false;
        const writing = servers.map(({ base }) => writeUntil(clientOf({ base, dataDir: folder }), () => over));
        await expect.poll(() => mails.accepted.length, { interval: 5 }).toBeGreaterThan(before + 1);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
        killed.push(names.get(victim)!);
        await victim.stop({ signal: 'SIGKILL', keep: true });
        over = true;
        answered.push(...(await Promise.all(writing)).flat());
        servers[kill % processes] = await start(victim.dataDir);
      }
      // A killed process's claim expires after half a minute.
      await expect.poll(() => findMissing(mails, answered), { timeout: 90_000, interval: 100 }).toEqual([]);
      expect(answered.length).toBeGreaterThan(kills);
      expectSentOnce(mails, answered, killed);
    } finally {
      for (const server of servers) await server.stop({ signal: 'SIGKILL' });
      await mails.stop();
      await database?.stop();
      await remove();
    }
  },
);

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/backend/database/open-database.ts';
import { addWebhook, callerAt, startWebhookReceiver, type WebhookAnswer } from '../contract/webhook-receiver.ts';
import { silent, startMigratedPostgres } from '../database.ts';
import { startMailServer } from '../programs/mail-server.ts';
import { copySeededData, DEMO_ACCOUNTS } from '../seeded-data.ts';
import { keysIn, newAddress, type RunningServer, startServer } from '../server.ts';
import { beginUpload, openConnection, requestHeader } from './abuse/slow-sockets.ts';
import { clientOf } from './client.ts';

const CONNECTIONS = 8;
const LONGEST_STOP_MS = 15_000;

let folder: string | null;
let server: RunningServer;
/** Cleanup functions that run after each test. */
let endings: (() => Promise<unknown>)[];
beforeEach(() => {
  folder = null;
  endings = [];
});
afterEach(async () => {
  await server?.stop({ keep: true });
  for (const end of endings) await end();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const start = async (settings: Record<string, string> = {}) => {
  server = await startServer({ SEED: 'none', TRUST_PROXY: '1', ...settings }, folder ?? undefined);
  folder = server.dataDir;
};

async function stopInTime(): Promise<void> {
  const stoppedAt = performance.now();
  expect(await server.stop({ keep: true }), server.output()).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(LONGEST_STOP_MS);
}

const isClosed = async () => !(await fetch(`${server.base}/health`).catch(() => null));

/** Reads the embedded database of a stopped server. */
async function queryEmbedded<Row extends object>(sql: string): Promise<Row[]> {
  const database = await openDatabase({ kind: 'embedded', folder: join(folder!, 'database') }, { log: silent });
  const { rows } = await database.query<Row>(sql);
  await database.close();
  return rows;
}

/** State in `pg_control` of the embedded database: 1 is "shut down", 6 "in production". */
const stateOfDatabase = async () =>
  (await readFile(join(folder!, 'database', 'global', 'pg_control'))).readUInt32LE(16);

/** Sends a write on a persistent connection. @returns status, and whether the server closes the connection */
function write(agent: Agent, secret: string, title: string): Promise<{ status: number; last: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { apikey: secret, 'content-type': 'application/json', 'x-forwarded-for': newAddress() };
    const sent = request(`${server.base}/rest/v1/projects`, { agent, method: 'POST', headers }, (response) => {
      const { statusCode: status, headers: received } = response.resume();
      response.once('end', () => resolve({ status: status!, last: received.connection === 'close' }));
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ title, status: 'active' }));
  });
}

describe.each([
  { engine: 'the embedded database', database: async () => null },
  { engine: 'a PostgreSQL server', database: startMigratedPostgres },
])('SIGTERM, with $engine', ({ database }) => {
  it('stops cleanly and in time under load from eight persistent connections, with all acknowledged writes (M1)', async () => {
    const outside = await database();
    if (outside) endings.push(() => outside.stop());
    await start(outside ? { DATABASE_URL: outside.url } : {});
    const { secret } = keysIn(folder!);
    const acknowledged: string[] = [];
    let signalled = false;
    let answeredAfter = 0;
    const clients = Array.from({ length: CONNECTIONS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        for (let last = false; !last; ) {
          const title = randomUUID();
          const response = await write(agent, secret, title);
          // On a busy machine a request may wait too long for the database.
          expect([201, 503]).toContain(response.status);
          if (response.status === 201) acknowledged.push(title);
          if (signalled) answeredAfter++;
          last = response.last;
        }
      } catch (error) {
        // The connection was closed between two requests.
        if (!/^ECONN(RESET|REFUSED)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
      } finally {
        agent.destroy();
      }
    });
    const ended = Promise.all(clients);
    ended.catch(() => {});
    await expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(5 * CONNECTIONS);
    signalled = true;
    await stopInTime();
    await ended;
    // One request per connection, and those in flight at the signal.
    expect(answeredAfter).toBeLessThan(20 * CONNECTIONS);
    const query = 'select title from public.projects';
    let rows: { title: string }[];
    if (outside) {
      const sql = postgres(outside.url, { max: 1 });
      endings.unshift(() => sql.end());
      const others =
        await sql`select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      expect(others.count).toBe(0);
      rows = await sql.unsafe(query);
    } else {
      expect(await stateOfDatabase()).toBe(1);
      rows = await queryEmbedded(query);
    }
    const titles = new Set(rows.map(({ title }) => title));
    expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);
  });
});

describe('SIGTERM', () => {
  it('waits for active uploads and responses, but not for stalled connections or a hanging mail server, and loses no e-mail (M1)', async () => {
    const waiting: Socket[] = [];
    const hanging = createServer((socket) => void waiting.push(socket.on('error', () => {})));
    await new Promise<void>((listening) => hanging.listen(0, '127.0.0.1', listening));
    const { port } = hanging.address() as AddressInfo;
    endings.push(async () => hanging.close());
    const mail = { SMTP_URL: `smtp://127.0.0.1:${port}` };
    await start(mail);
    const client = clientOf(server);
    const post = async (path: string, json: object) => (await client.send(path, { json })).status;
    await client.createBucket('files');
    const message = { p_name: 'Asha', p_email: 'asha@example.com', p_message: 'Hello from before the end' };
    expect(await post('/auth/v1/signup', { email: 'new@example.com', password: 'a-long-walk-by-the-sea' })).toBe(200);
    expect(await post('/rest/v1/rpc/send_message', message)).toBe(204);
    const row = { title: 'Long', status: 'active', description: 'x'.repeat(94_000) };
    for (let time = 0; time < 5; time++) await client.insert('projects', Array(10).fill(row));
    const begin = (name: string) => beginUpload(server.base, name, 9_000_000, { apikey: client.secret });
    const first = await begin('stored.bin');
    first.socket.write(Buffer.alloc(9_000_000));
    expect(await answerOf(first.socket)).toContain('HTTP/1.1 200 ');
    const startReading = async (path: string) => {
      const reader = await openConnection(server.base, requestHeader(`GET ${path}`, newAddress()));
      reader.socket.pause();
      return reader;
    };
    const stalledReader = await startReading('/storage/v1/object/public/files/stored.bin');
    // More than the socket buffers hold.
    const readers = [];
    for (let time = 0; time < 3; time++)
      readers.push(await startReading('/rest/v1/projects?select=description&limit=50'));
    const stuck = await begin('stuck.bin');
    stuck.socket.write('x');
    const upload = await begin('late.bin');
    upload.socket.write(Buffer.alloc(4_500_000));
    // A silent connection does not delay the stop either.
    const silentSocket = connect(Number(new URL(server.base).port), '127.0.0.1').on('error', () => {});
    await once(silentSocket, 'connect');
    await expect.poll(() => waiting.length).toBeGreaterThan(0);

    const stopped = stopInTime();
    await expect.poll(isClosed).toBe(true);
    for (const reader of readers) {
      reader.socket.resume();
      const response = await reader.closed;
      expect(response).toContain('HTTP/1.1 200 ');
      expect(response.length).toBeGreaterThan(50 * 94_000);
    }
    upload.socket.write(Buffer.alloc(4_500_000));
    const response = await upload.closed;
    expect(response).toContain('HTTP/1.1 200 ');
    expect(response.toLowerCase()).toContain('connection: close');
    await stopped;
    expect(await stateOfDatabase()).toBe(1);
    expect(await stuck.closed).not.toContain('HTTP/1.1 200 ');
    stalledReader.socket.destroy();
    silentSocket.destroy();
    const free = { claimed_by: null, failed_at: null };
    const waitingMails = ['confirmation', 'contact_message'].map((kind) => ({ kind, ...free }));
    const MAILS = 'select kind, claimed_by, failed_at from internal.mails order by kind';
    expect(await queryEmbedded(MAILS)).toEqual(waitingMails);
    for (const socket of waiting) socket.destroy();
    await new Promise((closed) => hanging.close(closed));

    const well = await startMailServer({ port });
    endings.push(well.stop);
    await start(mail);
    await expect.poll(() => well.accepted.length).toBe(2);
    expect(well.accepted.map(({ to }) => to)).toContain('new@example.com');
    const stored = await fetch(`${server.base}/storage/v1/object/public/files/late.bin`);
    expect((await stored.arrayBuffer()).byteLength).toBe(9_000_000);
    expect((await fetch(`${server.base}/storage/v1/object/public/files/stuck.bin`)).status).toBe(400);
  });

  it('sends a webhook again with the same id when it was killed before it could record the delivery', async () => {
    const kill: WebhookAnswer = (response) => {
      server.process.kill('SIGKILL');
      response.writeHead(204).end();
    };
    const receiver = await startWebhookReceiver({ answers: [kill] });
    endings.push(receiver.stop);
    folder = await copySeededData();
    await start({ WEBHOOK_NETWORKS: '127.0.0.1' });
    const call = await callerAt(server, DEMO_ACCOUNTS.admin);
    await call('/rest/v1/rpc/test_webhook', { p_webhook: await addWebhook(call, receiver) }).catch(() => undefined);
    await expect.poll(() => server.process.signalCode).toBe('SIGKILL');
    await start({ WEBHOOK_NETWORKS: '127.0.0.1' });
    // The claim of the killed process expires after 30 s.
    await expect.poll(() => receiver.received.length, { timeout: 300_000 }).toBe(2);
    expect(receiver.received[1]).toEqual(receiver.received[0]);
    await stopInTime();
    const DELIVERED = `select delivered_at is not null as delivered, (select count(*)::int from internal.mails) as queued from public.webhook_deliveries`;
    expect(await queryEmbedded(DELIVERED)).toEqual([{ delivered: true, queued: 0 }]);
  });
});

/** Received bytes until the end of the response header. */
function answerOf(socket: Socket): Promise<string> {
  let response = '';
  return new Promise((resolve) => {
    socket.on('data', function take(chunk: Buffer) {
      response += chunk.toString('latin1');
      if (!response.includes('\r\n\r\n')) return;
      socket.off('data', take);
      resolve(response);
    });
  });
}

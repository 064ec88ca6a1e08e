import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { type Keys, loadKeys } from '../packages/backend/keys/keys.ts';
import { folderOnDisk } from '../tests/scratch.ts';
import { newAddress, startServer } from '../tests/server.ts';
import { interleaved, loadSequentially, median, type RequestSpec, workPerSecond } from './measuring/load.ts';
import { ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const CONCURRENCY = [1, 8, 32];
const PASSWORD = 'a-long-walk-by-the-sea';
const PROJECT = { title: 'Written by a bench', description: '<p>Hands and machines</p>', status: 'active' };

/**
 * Writes that are forced to a real disk before their response: creating an experiment with the secret key and refreshing a
 * session, 1, 8 and 32 concurrently, compared with sequential inserts into the embedded database, each with its own fsync.
 */
export default async function writing(): Promise<void> {
  const folder = folderOnDisk();
  const bare = await mkdtemp(join(folder, 'bare-'));
  const db = await openDatabase(
    { kind: 'embedded', folder: join(bare, 'database') },
    { log: pino({ level: 'silent' }) },
  );
  const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' }, join(folder, 'ours'));
  try {
    const keyChoice = { publishableKey: null, secretKey: null, jwtSecret: null };
    const keys = await loadKeys(join(folder, 'ours', 'keys.json'), keyChoice);
    await db.script(
      'create table written (id uuid primary key default gen_random_uuid(), title text, description text)',
    );
    const insert = 'insert into written (title, description) values ($1, $2)';
    const insertOne = () => workPerSecond(() => db.query(insert, [PROJECT.title, PROJECT.description]), ROUND_MS, 1);
    const create = () => request(server.base, keys, '/rest/v1/projects', PROJECT);
    for (const concurrency of CONCURRENCY) {
      const results = await interleaved(ROUNDS, {
        ours: async () => (await loadSequentially(create, ROUND_MS, concurrency, 201)).perSecond,
        bare: insertOne,
      });
      ratio(`create, durable, ${concurrency} concurrent`, median(results['ours']!), median(results['bare']!), 'per s');
    }
    for (const concurrency of CONCURRENCY) {
      const tokens = await Promise.all(
        Array.from({ length: concurrency }, (_, n) => createSession(server.base, keys, concurrency, n)),
      );
      const refresh = (connection: number, last: string | null) => {
        if (last) tokens[connection] = tokenIn(last);
        return request(server.base, keys, '/auth/v1/token?grant_type=refresh_token', {
          refresh_token: tokens[connection],
        });
      };
      // The last response of a round is unknown here; presenting its token again returns the same successor.
      const results = await interleaved(ROUNDS, {
        ours: async () => (await loadSequentially(refresh, ROUND_MS, concurrency)).perSecond,
        bare: insertOne,
      });
      ratio(`refresh, durable, ${concurrency} concurrent`, median(results['ours']!), median(results['bare']!), 'per s');
    }
  } finally {
    await server.stop({ keep: true });
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const request = (base: string, keys: Keys, path: string, body: unknown): RequestSpec => ({
  url: base + path,
  headers: { apikey: keys.secret, 'x-forwarded-for': newAddress() },
  body,
});

async function createSession(base: string, keys: Keys, concurrency: number, n: number): Promise<string> {
  const account = { email: `writer-${concurrency}-${n}@bench.example`, password: PASSWORD };
  await send(request(base, keys, '/auth/v1/admin/users', { ...account, email_confirm: true }));
  return tokenIn(await send(request(base, keys, '/auth/v1/token?grant_type=password', account)));
}

async function send({ url, headers, body }: RequestSpec): Promise<string> {
  const json = { ...headers, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.text();
}

const tokenIn = (response: string) => (JSON.parse(response) as { refresh_token: string }).refresh_token;

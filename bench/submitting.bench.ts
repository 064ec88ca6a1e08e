import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgrestClient } from '@supabase/postgrest-js';
import { pino } from 'pino';
import { migrate } from '../packages/backend/database/migrate.ts';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { loadKeys } from '../packages/backend/keys/keys.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../tests/server.ts';
import { interleaved, median } from './measuring/load.ts';
import { ratio } from './measuring/report.ts';

const ROUNDS = 5;
const INSERTS = 40;
/** Limit of submissions per account in ten minutes. */
const PER_ACCOUNT = 20;
const PASSWORD = 'a-long-walk-by-the-sea';
const TEXT = `<p>${'A brief of ordinary length, with <strong>some</strong> markup. '.repeat(20)}</p>`;

/** The first step of a submission by a signed-in user, compared with a bare durable insert of the same row. */
export default async function submitting(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const log = pino({ level: 'silent' });
  const root = join(import.meta.dirname, '..');
  const db = await openDatabase({ kind: 'embedded', folder: join(folder, 'database') }, { log });
  await migrate(db, {
    platformDir: join(root, 'packages', 'backend', 'database', 'platform'),
    migrationsDir: join(root, 'supabase', 'migrations'),
    log,
  });
  const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' });
  try {
    const key = await publishableKeyOf(server.base);
    const tokens = await createAccounts(server, key, (ROUNDS * INSERTS) / PER_ACCOUNT);
    let created = 0;
    const results = await interleaved(ROUNDS, {
      ours: () =>
        perSecond(async (number) => {
          const authorization = `Bearer ${tokens[Math.floor(created++ / PER_ACCOUNT)]}`;
          const client = new PostgrestClient(`${server.base}/rest/v1`, {
            headers: { apikey: key, authorization, 'x-forwarded-for': newAddress() },
          });
          const { error } = await client.rpc('create_case_study', {
            title: `Bench ${number}`,
            description: TEXT,
            client: '',
            status: 'draft',
            submitter_id: null,
          });
          if (error) throw new Error(error.message);
        }),
      bare: () =>
        perSecond((number) =>
          db.query('insert into public.projects (title, description) values ($1, $2)', [`Bench ${number}`, TEXT]),
        ),
    });
    ratio('create, signed in, sanitized, durable', median(results['ours']!), median(results['bare']!), 'per s', 0.35);
  } finally {
    await server.stop();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates `count` accounts. @returns their access tokens */
async function createAccounts({ base, dataDir }: RunningServer, key: string, count: number): Promise<string[]> {
  const { secret } = await loadKeys(join(dataDir, 'keys.json'), {
    publishableKey: null,
    secretKey: null,
    jwtSecret: null,
  });
  const request = async (apikey: string, path: string, body: unknown) => {
    const headers = { apikey, 'content-type': 'application/json', 'x-forwarded-for': newAddress() };
    const response = await fetch(`${base}/auth/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { access_token: string };
  };
  const tokens: string[] = [];
  for (let number = 0; number < count; number++) {
    const account = { email: `creator-${number}@bench.example`, password: PASSWORD };
    await request(secret, '/admin/users', { ...account, email_confirm: true });
    tokens.push((await request(key, '/token?grant_type=password', account)).access_token);
  }
  return tokens;
}

async function perSecond(insert: (number: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let number = 0; number < INSERTS; number++) await insert(number);
  return INSERTS / ((performance.now() - start) / 1000);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgrestClient } from '@supabase/postgrest-js';
import { pino } from 'pino';
import { migrate } from '../backend/database/migrate.ts';
import { openDatabase } from '../backend/database/open.ts';
import { newAddress, publishableKeyOf, startServer } from '../tests/server.ts';
import { interleaved, median } from './load.ts';
import { ratio } from './report.ts';

const ROUNDS = 5;
const INSERTS = 40;
const TEXT = `<p>${'A brief of ordinary length, with <strong>some</strong> markup. '.repeat(20)}</p>`;

/** The first step of a submission, signed in, cleaned and durable, beside the bare durable insert of the same row. */
export default async function submitting(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const log = pino({ level: 'silent' });
  const root = join(import.meta.dirname, '..');
  const db = await openDatabase({ kind: 'embedded', folder: join(folder, 'database') }, { log });
  await migrate(db, {
    platformDir: join(root, 'backend', 'database', 'platform'),
    migrationsDir: join(root, 'supabase', 'migrations'),
    log,
  });
  const server = await startServer({ SEED: 'demo', TRUST_PROXY: '1', LOG_LEVEL: 'silent' });
  try {
    const [, email, password] = /creator\s+(\S+@\S+)\s+(\S+)/.exec(server.output())!;
    const key = await publishableKeyOf(server.base);
    const session = await fetch(`${server.base}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token } = (await session.json()) as { access_token: string };
    const results = await interleaved(ROUNDS, {
      ours: () =>
        perSecond(async (number) => {
          const client = new PostgrestClient(`${server.base}/rest/v1`, {
            headers: { apikey: key, authorization: `Bearer ${access_token}`, 'x-forwarded-for': newAddress() },
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
    ratio('create, signed in, cleaned, durable', median(results['ours']!), median(results['bare']!), 'per s', 0.35);
  } finally {
    await server.stop();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function perSecond(insert: (number: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let number = 0; number < INSERTS; number++) await insert(number);
  return INSERTS / ((performance.now() - start) / 1000);
}

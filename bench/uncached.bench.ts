import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { newSecret } from '../app/lib/data/ids.ts';
import type { Database } from '../packages/backend/database/database.ts';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { keysIn, newAddress, startServer } from '../tests/server.ts';
import { interleaved, load, median, workPerSecond } from './measuring/load.ts';
import { ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const CONCURRENCY = 8;

const LIST = `select coalesce(json_agg(row_to_json(found)), '[]')::text as body from (
  select p.*, coalesce((select json_agg(row_to_json(m)) from public.project_media m where m.project_id = p.id), '[]') as project_media
    from public.projects p where p.status in ('active', 'completed') order by p.created_at desc limit 24) found`;
const DETAIL = LIST.replace("p.status in ('active', 'completed')", "p.id = 'e0000000-0000-4000-8000-000000000001'");

/** Uncached data of a guest with a draft secret over HTTP, compared with the bare statement as owner. */
export default async function uncached(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const settings = { SEED: 'demo', TRUST_PROXY: '1', LOG_LEVEL: 'silent' };
  await (await startServer(settings, join(folder, 'ours'))).stop({ keep: true });
  await cp(join(folder, 'ours', 'database'), join(folder, 'bare'), { recursive: true });
  const db = await openDatabase({ kind: 'embedded', folder: join(folder, 'bare') }, { log: pino({ level: 'silent' }) });
  const server = await startServer(settings, join(folder, 'ours'));
  try {
    const key = keysIn(server.dataDir).publishable;
    const projects = `${server.base}/rest/v1/projects?select=*,project_media(*)&order=created_at.desc`;
    await compare('list, JSON, uncached', `${projects}&status=in.(active,completed)&limit=24`, LIST, key, db, 0.75);
    const detail = `${projects}&id=eq.e0000000-0000-4000-8000-000000000001`;
    await compare('detail, JSON, uncached', detail, DETAIL, key, db, 0.65);
  } finally {
    await server.stop({ keep: true });
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(label: string, url: string, sql: string, key: string, db: Database, goal: number) {
  const headers = () => ({ apikey: key, 'x-draft-secret': newSecret(), 'x-forwarded-for': newAddress() });
  const results = await interleaved(ROUNDS, {
    ours: async () => (await load(url, headers, ROUND_MS, CONCURRENCY)).perSecond,
    // The same concurrency without HTTP.
    bare: () => workPerSecond(() => db.query(sql), ROUND_MS, CONCURRENCY),
  });
  ratio(label, median(results['ours']!), median(results['bare']!), 'per s', goal);
}

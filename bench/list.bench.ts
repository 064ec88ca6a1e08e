import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { newAddress, type RunningServer, startServer } from '../tests/server.ts';
import { interleaved, load, median } from './measuring/load.ts';
import { figure, ratio } from './measuring/report.ts';

const FEW = 1_000;
const MANY = 100_000;
const BATCH_SIZE = 1_000;
const ROUNDS = 5;
const ROUND_MS = 1_500;
const CONCURRENCY = 4;

/** Goals: the ratio of the rate with 100,000 experiments to that with 1,000. */
const PAGES: [what: string, path: string, goal?: number][] = [
  ['list, uncached', '/case-studies?', 0.9],
  ['one category, uncached', '/case-studies?category=ai&', 0.9],
  ['third page, uncached', '/case-studies?page=3&', 0.9],
  ['search, one match, uncached', '/case-studies?q=number+000777&', 0.9],
  ['search, frequent word, uncached', '/case-studies?q=paper&'],
];

/** Uncached pages of the list with 100,000 experiments, compared with 1,000. */
export default async function list(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const servers: RunningServer[] = [];
  try {
    for (const size of [FEW, MANY]) {
      const data = join(folder, String(size));
      await (await startServer({ SEED: 'none', LOG_LEVEL: 'silent' }, data)).stop({ keep: true });
      const started = performance.now();
      await fillDatabase(join(data, 'database'), size);
      figure(`${size} experiments written and listed`, `${((performance.now() - started) / 1000).toFixed(0)} s`);
      servers.push(await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' }, data));
    }
    const [few, many] = servers as [RunningServer, RunningServer];
    let requests = 0;
    for (const [label, path, goal] of PAGES) {
      // A page is rendered for each request with a credential.
      const measureRate = (server: RunningServer) => async () => {
        const headers = () => ({ 'x-forwarded-for': newAddress(), authorization: `Bearer ${requests++}` });
        return (await load(`${server.base}${path}`, headers, ROUND_MS, CONCURRENCY)).perSecond;
      };
      const rates = await interleaved(ROUNDS, { few: measureRate(few), many: measureRate(many) });
      ratio(label, median(rates['many']!), median(rates['few']!), 'per s', goal);
    }
  } finally {
    for (const server of servers) await server.stop({ keep: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillDatabase(database: string, size: number): Promise<void> {
  const db = await openDatabase({ kind: 'embedded', folder: database }, { log: pino({ level: 'silent' }) });
  try {
    for (let from = 0; from < size; from += BATCH_SIZE)
      await db.query(
        `with made as (
           insert into public.projects (title, client, status, description, created_at, submitted_at)
           select 'Experiment number ' || lpad(n::text, 6, '0'), 'Client ' || n % 997, case when n % 10 = 0 then 'draft' else 'active' end,
             '<p>Hands, machines and paper: ' || (select string_agg(md5((n % 5000 * k)::text), ' ') from generate_series(1, 30) k) || '</p>',
             now() - n * interval '1 minute', now()
           from generate_series($1::int + 1, $1::int + $2::int) n
           returning id, description)
         insert into public.case_study_metadata (project_id, brief, category, tags)
         select id, description, (array['branding', 'video', 'ai', 'social', null])[1 + abs(hashtext(id::text)) % 5], '{bench}' from made`,
        [from, Math.min(BATCH_SIZE, size - from)],
      );
    await db.script('vacuum analyze');
  } finally {
    await db.close();
  }
}

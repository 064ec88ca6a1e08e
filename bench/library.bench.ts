import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import { pino } from 'pino';
import { type LibraryQuestion, libraryParams, readLibrary } from '../app/features/library/model/library.ts';
import type { DatabaseChoice } from '../packages/backend/config/config.ts';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { startPostgres } from '../tests/programs/postgres.ts';
import { demoAccountsIn } from '../tests/seeded-data.ts';
import { startServer } from '../tests/server.ts';
import { signInAdmin } from './measuring/large-installation/admin-screens.ts';
import { interleaved, median, percentile95 } from './measuring/load.ts';
import { figure } from './measuring/report.ts';

const FILES = 10_000;
const FILES_PER_PROJECT = 5;
/** Files of this number of projects are used; the others are unused. */
const PROJECTS = 1_500;
const ROUNDS = 40;
const MAX_P95_MS = 300;
/** Pages of 24 files that are read to find the cursor of a deep page. */
const DEEP_PAGE = 300;

const QUESTIONS: [label: string, text: string][] = [
  ['list', ''],
  ['films', 'kind=film'],
  ['search, one match', 'search=photo-00777'],
  ['search, no match', 'search=zeppelin'],
  ['search, every file', 'search=photo'],
  ['search, titles of projects', 'search=experiment'],
  ['unused', 'state=unused'],
  ['without alt text', 'state=no_alt'],
  ['without alt text, search', 'state=no_alt&search=photo'],
  ['deleted', 'state=deleted'],
];

/** The media library with 10,000 files, on both engines. */
export default async function library(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const database = await startPostgres();
  try {
    await measure('embedded', join(folder, 'embedded'), {
      kind: 'embedded',
      folder: join(folder, 'embedded/database'),
    });
    await measure('PostgreSQL', join(folder, 'postgres'), { kind: 'postgres', url: database.url });
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(engine: string, data: string, choice: DatabaseChoice): Promise<void> {
  const settings = { LOG_LEVEL: 'silent', ...(choice.kind === 'postgres' && { DATABASE_URL: choice.url }) };
  const first = await startServer({ ...settings, SEED: 'demo' }, data);
  const { admin } = demoAccountsIn(first.output());
  await first.stop({ keep: true });
  const started = performance.now();
  await fill(choice);
  figure(`${engine}: ${FILES} files written`, `${((performance.now() - started) / 1000).toFixed(0)} s`);
  const server = await startServer({ ...settings, SEED: 'none', TRUST_PROXY: '1' }, data);
  try {
    const { data: rest } = await signInAdmin(server.base, admin);
    const storage = new StorageClient(`${server.base}/storage/v1`);
    const read = (question: LibraryQuestion) => readLibrary(rest, storage, question);
    const questionOf = (text: string) => libraryParams.read(new URLSearchParams(text));
    const deep = { ...questionOf(''), before: await deepCursor(rest) };
    const questions = QUESTIONS.map(([label, text]) => [label, questionOf(text)] as const);
    const times = await interleaved(
      ROUNDS,
      Object.fromEntries(
        [...questions, ['a deep page', deep] as const].map(([label, question]) => [
          label,
          async () => {
            const start = performance.now();
            await read(question);
            return performance.now() - start;
          },
        ]),
      ),
    );
    for (const [label, values] of Object.entries(times)) {
      const p95 = percentile95(values);
      figure(
        `${engine}: ${label}`,
        `${median(values).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (goal ${MAX_P95_MS}, ${p95 <= MAX_P95_MS ? 'met' : 'MISSED'})`,
      );
    }
  } finally {
    await server.stop();
  }
}

async function deepCursor(rest: PostgrestClient) {
  const { data } = await rest
    .from('media_files')
    .select('at:created_at,id')
    .order('created_at', { ascending: false })
    .range(DEEP_PAGE * 24, DEEP_PAGE * 24)
    .single();
  return data as LibraryQuestion['before'];
}

/**
 * Every tenth file is a film; every third picture has an alt text of its own, every second use has one. Without triggers,
 * which would take minutes.
 */
async function fill(choice: DatabaseChoice): Promise<void> {
  const db = await openDatabase(choice, { log: pino({ level: 'silent' }), maxWaitMs: 600_000, timeoutMs: 600_000 });
  try {
    await db.script(`
      set session_replication_role = replica;
      create temporary table files as
        select n, gen_random_uuid() as use, case when n % 10 = 0 then 'films' else 'case-studies' end as bucket_id,
          case when n % 10 = 0 then gen_random_uuid() || '.mp4' else 'images/' || gen_random_uuid() || '.webp' end as name,
          now() - n * interval '7 minutes' as at
        from generate_series(1, ${FILES}) n;
      create temporary table owners as select n, gen_random_uuid() as id from generate_series(0, ${PROJECTS} - 1) n;
      insert into storage.objects (bucket_id, name, metadata, created_at)
        select bucket_id, name, '{"size": 250000, "width": 1600, "height": 900}', at from files;
      insert into public.media_files (bucket_id, name, file_name, alt, kept, bytes, width, height, created_at, deleted_at)
        select bucket_id, name, 'photo-' || lpad(n::text, 5, '0'), case when n % 3 = 0 then 'Alternative text ' || n end, true,
          250000, 1600, 900, at, case when n % 50 = 49 then now() end
        from files;
      insert into public.projects (id, title, client, status) select id, 'Experiment number ' || n, 'Client ' || n % 97, 'active' from owners;
      delete from files where n % 50 = 49;
      insert into public.project_media (id, project_id, type, url, title, alt, "order")
        select use, owners.id, case bucket_id when 'films' then 'video' else 'image' end,
          'http://localhost/storage/v1/object/public/' || bucket_id || '/' || name,
          'Picture ' || files.n, case when files.n % 2 = 0 then 'Words of picture ' || files.n end, files.n % ${FILES_PER_PROJECT}
        from files join owners on owners.n = files.n / ${FILES_PER_PROJECT};
      insert into private.object_references
        select 'project_media', use::text, bucket_id, name from files where n / ${FILES_PER_PROJECT} < ${PROJECTS};
      drop table files, owners;
      set session_replication_role = default`);
    await db.script('vacuum analyze');
  } finally {
    await db.close();
  }
}

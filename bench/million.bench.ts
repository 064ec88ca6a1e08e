import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { startPostgres, type TestPostgres } from '../tests/programs/postgres.ts';
import { newAddress, publishableKeyOf, type RunningServer, startServer } from '../tests/server.ts';
import { type Admin, enter, SCREENS } from './measuring/large-installation/admin-screens.ts';
import { fillLarge } from './measuring/large-installation/fill-large.ts';
import { median } from './measuring/load.ts';
import { children, cpuOf } from './measuring/process-tree.ts';
import { figure } from './measuring/report.ts';
import { countStatements, statementsSoFar } from './measuring/statements.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 5;
/** Maximum ratio of the CPU time with a million projects to that with a thousand. */
const GOAL = 1.5;
/** Each round sends this many requests or ends after `ROUND_MS`; CPU time is measured in hundredths of a second. */
const REQUESTS = 60;
const ROUND_MS = 3_000;
const PASSWORD = 'a-long-walk-by-the-sea';
const ON_A_PAGE = 24;
/** Last page that the list serves. */
const LAST_PAGE = 10_000;
const IN_A_PART = 5_000;

interface Side {
  name: string;
  server: RunningServer;
  apikey: string;
  admin: Admin;
  /** Ids of random experiments in the list. */
  ids: string[];
  /** Number of listed experiments, and of those in one category. */
  listed: { all: number; ai: number };
  statements(): Promise<number>;
}

interface Price {
  /** CPU time of server and database in milliseconds. */
  cpu: number;
  statements: number;
  /** Response time in milliseconds. */
  ms: number;
}

const get = async ({ server }: Side, path: string, headers: Record<string, string> = {}) => {
  // With a cookie the response is private: it is rendered for each request.
  const uncachedHeaders = { cookie: `n=${Math.random()}`, 'x-forwarded-for': newAddress() };
  const answer = await fetch(server.base + path, { headers: { ...uncachedHeaders, ...headers } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${text.slice(0, 200)}`);
  return text;
};
/** Responses of the data service to requests with a secret are not cached. */
const data = (side: Side, path: string) =>
  get(side, `/rest/v1/${path}`, {
    apikey: side.apikey,
    'x-draft-secret': randomUUID().replaceAll('-', '').repeat(2),
  });
const oneOf = ({ ids }: Side) => ids[Math.floor(Math.random() * ids.length)]!;
const lastOf = (listed: number) => Math.min(LAST_PAGE, Math.ceil(listed / ON_A_PAGE));

const PAGES: [what: string, request: (side: Side) => Promise<unknown>][] = [
  ['list', (side) => get(side, '/case-studies')],
  ['list of a category', (side) => get(side, '/case-studies?category=ai')],
  ['list, mostly by hand', (side) => get(side, '/case-studies?made=hand')],
  ['list of a category, mostly by machine', (side) => get(side, '/case-studies?category=ai&made=machine')],
  ['list, third page', (side) => get(side, '/case-studies?page=3')],
  ['list, a page in the middle', (side) => get(side, `/case-studies?page=${Math.ceil(lastOf(side.listed.all) / 2)}`)],
  ['list, last page', (side) => get(side, `/case-studies?page=${lastOf(side.listed.all)}`)],
  ['list of a category, last page', (side) => get(side, `/case-studies?category=ai&page=${lastOf(side.listed.ai)}`)],
  ['search, one match', (side) => get(side, '/case-studies?q=number+0000777')],
  ['search, no match', (side) => get(side, '/case-studies?q=zeppelin')],
  ['search, in every text', (side) => get(side, '/case-studies?q=paper')],
  ['search, in every text, page 5', (side) => get(side, '/case-studies?q=paper&page=5')],
  ['search, in every text, of a category', (side) => get(side, '/case-studies?q=paper&category=ai')],
  ['search, in every text, mostly by hand', (side) => get(side, '/case-studies?q=paper&made=hand')],
  ['search, three words in every text', (side) => get(side, '/case-studies?q=machines+paper+ha')],
  ['search, two letters', (side) => get(side, '/case-studies?q=pa')],
  ['search, every fifth client', (side) => get(side, '/case-studies?q=client+2')],
  ['random experiment', (side) => get(side, `/case-studies/${oneOf(side)}`)],
  ['home', (side) => get(side, '/')],
  ['about', (side) => get(side, '/about')],
  ['feed', (side) => get(side, '/feed.xml')],
  ['sitemap, index or single file', (side) => get(side, '/sitemap.xml')],
  ['sitemap, pages', (side) => get(side, '/sitemaps/pages.xml')],
  ['data: list', (side) => data(side, 'projects?select=id,title&order=created_at.desc&limit=24')],
  [
    'data: list with embeds',
    (side) =>
      data(
        side,
        'projects?select=*,project_media(*),case_study_metadata(category,tags)&order=created_at.desc&limit=24',
      ),
  ],
  ['data: one project', (side) => data(side, `projects?select=*,project_media(*)&id=eq.${oneOf(side)}`)],
];

/**
 * CPU and response time of all pages and screens that show projects, with a million projects compared with a thousand:
 * two databases on one PostgreSQL server, each with its own server process, which get each request alternately. Writing
 * the rows takes many minutes; `in=FOLDER` stores them for the next run.
 * @param words runs only the cases whose names contain one of them
 */
export default async function million(words: string[]): Promise<void> {
  const kept = words.find((word) => word.startsWith('in='))?.slice(3);
  const wanted = words.filter((word) => !word.startsWith('in='));
  const isWanted = (what: string) => wanted.length === 0 || wanted.some((word) => what.includes(word));
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'madhouse-bench-')));
  const database = await openDatabases(folder, kept !== undefined);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const sides: Side[] = [];
  try {
    await countStatements(database);
    for (const name of ['few', 'many']) sides.push(await open(name, folder, database, sql));
    const processes = children();
    const [few, many] = sides as [Side, Side];
    const missed: string[] = [];
    const compare = async (what: string, one: () => Promise<unknown>, other: () => Promise<unknown>, unit = 1) => {
      const prices = { few: [] as Price[], many: [] as Price[] };
      // The first round is a warm-up.
      for (let round = 0; round <= ROUNDS; round++) {
        prices.few.push(await priceOf(few, processes, one));
        prices.many.push(await priceOf(many, processes, other));
      }
      const middle = (side: Price[], read: (price: Price) => number) => median(side.slice(1).map(read));
      const cpu = [middle(prices.few, (price) => price.cpu), middle(prices.many, (price) => price.cpu / unit)] as const;
      const ms = [middle(prices.few, (price) => price.ms), middle(prices.many, (price) => price.ms / unit)] as const;
      const statementCounts = [prices.few, prices.many].map((side) =>
        middle(side, (price) => price.statements).toFixed(1),
      );
      const ratio = cpu[1] / cpu[0];
      if (ratio > GOAL) missed.push(what);
      figure(
        what,
        `CPU ${cpu[0].toFixed(2).padStart(7)} and ${cpu[1].toFixed(2).padStart(7)} ms, ratio ${ratio.toFixed(2)} (goal ${GOAL}, ${ratio <= GOAL ? 'met' : 'MISSED'}); response time ${ms[0].toFixed(1)} and ${ms[1].toFixed(1)} ms; statements ${statementCounts.join(' and ')}`,
      );
    };
    for (const [what, request] of PAGES)
      if (isWanted(what))
        await compare(
          what,
          () => request(few),
          () => request(many),
        );
    if (isWanted('sitemap, parts')) await compareParts(few, many, compare);
    for (const [what, request] of SCREENS)
      if (isWanted(`admin ${what}`))
        await compare(
          `admin ${what}`,
          () => request(few.admin),
          () => request(many.admin),
        );
    figure('over the goal', missed.length ? missed.join('; ') : 'nothing');
  } finally {
    await sql.end();
    for (const { server } of sides) await server.stop();
    await database.stop();
    if (!kept) await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the cost per URL, because a sitemap part of the large installation has five times as many URLs. */
async function compareParts(
  few: Side,
  many: Side,
  compare: (what: string, one: () => Promise<unknown>, other: () => Promise<unknown>, unit: number) => Promise<void>,
): Promise<void> {
  const parts = [...(await get(many, '/sitemap.xml')).matchAll(/\/sitemaps\/(\d+\.xml)</g)].map(([, part]) => part!);
  const waiting: number[] = [];
  for (const part of parts) {
    const start = performance.now();
    await get(many, `/sitemaps/${part}`);
    waiting.push(performance.now() - start);
  }
  figure(
    `sitemap, all ${parts.length} parts`,
    `response time ${median(waiting).toFixed(0)} ms, slowest ${Math.max(...waiting).toFixed(0)} ms (part ${waiting.indexOf(Math.max(...waiting)) + 1})`,
  );
  const unit = IN_A_PART / few.listed.all;
  const first = () => get(few, '/sitemaps/1.xml');
  for (const part of [parts[0]!, parts[Math.floor(parts.length / 2)]!, parts.at(-2)!])
    await compare(`sitemap, part ${part}, per URL`, first, () => get(many, `/sitemaps/${part}`), unit);
}

async function priceOf(side: Side, processes: ReadonlySet<number>, request: () => Promise<unknown>): Promise<Price> {
  const before = { cpu: cpuOf(processes), statements: await side.statements() };
  const waiting: number[] = [];
  const end = performance.now() + ROUND_MS;
  while (waiting.length < REQUESTS && performance.now() < end) {
    const start = performance.now();
    await request();
    waiting.push(performance.now() - start);
  }
  return {
    cpu: ((cpuOf(processes) - before.cpu) / waiting.length) * 1000,
    statements: ((await side.statements()) - before.statements) / waiting.length,
    ms: median(waiting),
  };
}

/** One PostgreSQL server with both databases, filled unless `folder` has them from an earlier run. */
async function openDatabases(folder: string, keep: boolean): Promise<TestPostgres> {
  const files = join(folder, 'postgres');
  if (existsSync(files)) return startPostgres(files);
  const database = await startPostgres();
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    await sql`alter system set autovacuum = off`;
    await sql`alter system set max_wal_size = '8GB'`;
    await sql`select pg_reload_conf()`;
    for (const [name, size] of [
      ['few', FEW],
      ['many', MANY],
    ] as const) {
      await sql.unsafe(`create database ${name}`);
      await mkdir(join(folder, name), { recursive: true });
      await (await serverOf(folder, name, database, 'demo')).stop();
      const started = performance.now();
      await fillLarge(urlOf(database, name), size);
      figure(`${size} projects written`, `${((performance.now() - started) / 1000).toFixed(0)} s`);
    }
  } catch (error) {
    await database.stop();
    throw error;
  } finally {
    await sql.end();
  }
  if (!keep) return database;
  await database.stop({ keep: files });
  return startPostgres(files);
}

const urlOf = ({ url }: TestPostgres, name: string) => url.replace(/[^/]*$/, name);

const keysOf = (folder: string, name: string) => join(folder, name, 'keys.json');

/** Starts with a new data folder each time; only database and keys are reused. */
const serverOf = (
  folder: string,
  name: string,
  database: TestPostgres,
  seed: 'demo' | 'none',
): Promise<RunningServer> =>
  startServer({
    DATABASE_URL: urlOf(database, name),
    KEYS_FILE: keysOf(folder, name),
    SEED: seed,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'silent',
  });

async function open(name: string, folder: string, database: TestPostgres, statistics: postgres.Sql): Promise<Side> {
  const url = urlOf(database, name);
  const server = await serverOf(folder, name, database, 'none');
  const { secret } = JSON.parse(await readFile(keysOf(folder, name), 'utf8')) as { secret: string };
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [admin] = await sql`
      select account.id, account.email from auth.users account join public.user_roles held on held.user_id = account.id
        join public.roles on roles.id = held.role_id where roles.name = 'admin' limit 1`;
    const { id, email } = admin as unknown as { id: string; email: string };
    const changed = await fetch(`${server.base}/auth/v1/admin/users/${id}`, {
      method: 'PUT',
      headers: { apikey: secret, authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    });
    if (!changed.ok) throw new Error(`Setting the admin password failed: ${changed.status} ${await changed.text()}`);
    const [counts] = await sql`
      select sum(experiments) filter (where category = 'all')::int as all, sum(experiments) filter (where category = 'ai')::int as ai
      from private.listing_counts`;
    const ids = await sql<{ id: string }[]>`
      select id from public.projects where abs(hashint4(number)) % (select greatest(count(*) / 500, 1) from public.projects) = 0
        and status in ('active', 'completed')`;
    return {
      name,
      server,
      apikey: await publishableKeyOf(server.base),
      admin: await enter(server.base, { email, password: PASSWORD }),
      ids: ids.map((row) => row.id),
      listed: counts as unknown as Side['listed'],
      statements: () => statementsSoFar(statistics, name),
    };
  } finally {
    await sql.end();
  }
}

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { newSecret } from '../app/lib/data/ids.ts';
import { startPostgres, type TestPostgres } from '../tests/programs/postgres.ts';
import { newAddress, type RunningServer, startServer } from '../tests/server.ts';
import { type Admin, SCREENS, signInAdmin } from './measuring/large-installation/admin-screens.ts';
import { fillLarge } from './measuring/large-installation/fill-large.ts';
import { median, quantile } from './measuring/load.ts';
import { children, cpuOf } from './measuring/process-tree.ts';
import { figure } from './measuring/report.ts';
import { countStatements, statementsSoFar } from './measuring/statements.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 5;
/** Maximum ratio of the CPU time with a million projects to that with a thousand. */
const MAX_RATIO = 1.5;
const MAX_P95_MS = 300;
/** Each round sends this many requests or ends after `ROUND_MS`; CPU time is measured in hundredths of a second. */
const REQUESTS = 60;
const ROUND_MS = 3_000;
const PASSWORD = 'a-long-walk-by-the-sea';
const PAGE_SIZE = 24;
const LAST_PAGE = 10_000;
const SITEMAP_PART_SIZE = 5_000;

interface Site {
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

interface Cost {
  /** CPU time of server and database in milliseconds. */
  cpu: number;
  statements: number;
  times: number[];
}

const fetchPage = async ({ server }: Site, path: string, headers: Record<string, string> = {}) => {
  // With a cookie the response is private: it is rendered for each request.
  const uncachedHeaders = { cookie: `n=${Math.random()}`, 'x-forwarded-for': newAddress() };
  const response = await fetch(server.base + path, { headers: { ...uncachedHeaders, ...headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 200)}`);
  return text;
};
/** Responses of the data service to requests with a secret are not cached. */
const fetchData = (site: Site, path: string) =>
  fetchPage(site, `/rest/v1/${path}`, { apikey: site.apikey, 'x-draft-secret': newSecret() });
const fetchListPage = (site: Site, page: number, filter = '') => fetchPage(site, `/case-studies?${filter}page=${page}`);
const randomId = ({ ids }: Site) => ids[Math.floor(Math.random() * ids.length)]!;
const lastPageOf = (listed: number) => Math.min(LAST_PAGE, Math.ceil(listed / PAGE_SIZE));

const EMBEDS = 'projects?select=*,project_media(*),case_study_metadata(category,tags)&order=created_at.desc&limit=24';

type SiteRequest = (site: Site) => Promise<unknown>;
const PAGES: [what: string, request: SiteRequest][] = [
  ['list', (site) => fetchPage(site, '/case-studies')],
  ['list of a category', (site) => fetchPage(site, '/case-studies?category=ai')],
  ['list, mostly by hand', (site) => fetchPage(site, '/case-studies?made=hand')],
  ['list of a category, mostly by machine', (site) => fetchPage(site, '/case-studies?category=ai&made=machine')],
  ['list, third page', (site) => fetchListPage(site, 3)],
  ['list, a page in the middle', (site) => fetchListPage(site, Math.ceil(lastPageOf(site.listed.all) / 2))],
  ['list, last page', (site) => fetchListPage(site, lastPageOf(site.listed.all))],
  ['list of a category, last page', (site) => fetchListPage(site, lastPageOf(site.listed.ai), 'category=ai&')],
  ['search, one match', (site) => fetchPage(site, '/case-studies?q=number+0000777')],
  ['search, no match', (site) => fetchPage(site, '/case-studies?q=zeppelin')],
  ['search, in every text', (site) => fetchPage(site, '/case-studies?q=paper')],
  ['search, in every text, page 5', (site) => fetchPage(site, '/case-studies?q=paper&page=5')],
  ['search, in every text, of a category', (site) => fetchPage(site, '/case-studies?q=paper&category=ai')],
  ['search, in every text, mostly by hand', (site) => fetchPage(site, '/case-studies?q=paper&made=hand')],
  ['search, three words in every text', (site) => fetchPage(site, '/case-studies?q=machines+paper+ha')],
  ['search, two letters', (site) => fetchPage(site, '/case-studies?q=pa')],
  ['search, every fifth client', (site) => fetchPage(site, '/case-studies?q=client+2')],
  ['random experiment', (site) => fetchPage(site, `/case-studies/${randomId(site)}`)],
  ['home', (site) => fetchPage(site, '/')],
  ['about', (site) => fetchPage(site, '/about')],
  ['feed', (site) => fetchPage(site, '/feed.xml')],
  ['sitemap, index or single file', (site) => fetchPage(site, '/sitemap.xml')],
  ['sitemap, pages', (site) => fetchPage(site, '/sitemaps/pages.xml')],
  ['data: list', (site) => fetchData(site, 'projects?select=id,title&order=created_at.desc&limit=24')],
  ['data: list with embeds', (site) => fetchData(site, EMBEDS)],
  ['data: one project', (site) => fetchData(site, `projects?select=*,project_media(*)&id=eq.${randomId(site)}`)],
];

/**
 * CPU and response time of all pages and screens that show projects, with a million projects compared with a thousand:
 * two databases on one PostgreSQL server, each with its own server process, which get each request alternately. Writing
 * the rows takes many minutes; `in=FOLDER` stores them for the next run, and `size=100000` writes fewer.
 * @param words runs only the cases whose names contain one of them
 */
export default async function million(words: string[]): Promise<void> {
  const options = Object.fromEntries(words.filter((word) => word.includes('=')).map((word) => word.split('=')));
  const storedFolder: string | undefined = options['in'];
  const filters = words.filter((word) => !word.includes('='));
  const isSelected = (label: string) => filters.length === 0 || filters.some((word) => label.includes(word));
  const folder = storedFolder ?? (await mkdtemp(join(tmpdir(), 'madhouse-bench-')));
  const database = await openDatabases(folder, Number(options['size'] ?? MANY), storedFolder !== undefined);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const sites: Site[] = [];
  try {
    await countStatements(database);
    for (const name of ['few', 'many']) sites.push(await openSite(name, folder, database, sql));
    const processes = children();
    const [few, many] = sites as [Site, Site];
    const overLimit: string[] = [];
    const slow: string[] = [];
    const compare = async (label: string, request: SiteRequest, unit = 1) => {
      const costs = { few: [] as Cost[], many: [] as Cost[] };
      for (let round = 0; round <= ROUNDS; round++) {
        costs.few.push(await costOf(few, processes, request));
        costs.many.push(await costOf(many, processes, request));
      }
      const medianOf = (values: Cost[], read: (cost: Cost) => number) => median(values.slice(1).map(read));
      const cpu = [medianOf(costs.few, (cost) => cost.cpu), medianOf(costs.many, (cost) => cost.cpu / unit)] as const;
      const timesOf = (values: Cost[]) => values.slice(1).flatMap(({ times }) => times);
      const ms = [median(timesOf(costs.few)), median(timesOf(costs.many)) / unit] as const;
      const p95 = quantile(timesOf(costs.many), 0.95) / unit;
      if (label.startsWith('admin') && p95 > MAX_P95_MS) slow.push(label);
      const statementsOf = (values: Cost[]) => medianOf(values, (cost) => cost.statements).toFixed(1);
      const ratio = cpu[1] / cpu[0];
      if (ratio > MAX_RATIO) overLimit.push(label);
      figure(
        label,
        `CPU ${cpu[0].toFixed(2).padStart(7)} and ${cpu[1].toFixed(2).padStart(7)} ms, ratio ${ratio.toFixed(2)} (goal ${MAX_RATIO}, ${ratio <= MAX_RATIO ? 'met' : 'MISSED'}); response time ${ms[0].toFixed(1)} and ${ms[1].toFixed(1)} ms, p95 ${p95.toFixed(0)} ms; statements ${statementsOf(costs.few)} and ${statementsOf(costs.many)}`,
      );
    };
    for (const [label, request] of PAGES) if (isSelected(label)) await compare(label, request);
    if (isSelected('sitemap, parts')) await compareSitemapParts(few, many, compare);
    for (const [label, request] of SCREENS)
      if (isSelected(`admin ${label}`)) await compare(`admin ${label}`, ({ admin }) => request(admin));
    figure('over the goal', overLimit.length ? overLimit.join('; ') : 'nothing');
    figure(`admin screens with a p95 above ${MAX_P95_MS} ms`, slow.length ? slow.join('; ') : 'none');
  } finally {
    await sql.end();
    for (const { server } of sites) await server.stop();
    await database.stop();
    if (!storedFolder) await rm(folder, { recursive: true, force: true });
  }
}

type Compare = (label: string, request: SiteRequest, unit: number) => Promise<void>;

/** Compares the cost per URL, because a sitemap part of the large installation has five times as many URLs. */
async function compareSitemapParts(few: Site, many: Site, compare: Compare): Promise<void> {
  const index = await fetchPage(many, '/sitemap.xml');
  const parts = [...index.matchAll(/\/sitemaps\/(\d+\.xml)</g)].map(([, part]) => part!);
  const times: number[] = [];
  for (const part of parts) {
    const start = performance.now();
    await fetchPage(many, `/sitemaps/${part}`);
    times.push(performance.now() - start);
  }
  const most = Math.max(...times);
  const slowest = `slowest ${most.toFixed(0)} ms (part ${times.indexOf(most) + 1})`;
  figure(`sitemap, all ${parts.length} parts`, `response time ${median(times).toFixed(0)} ms, ${slowest}`);
  const unit = SITEMAP_PART_SIZE / few.listed.all;
  for (const part of [parts[0]!, parts[Math.floor(parts.length / 2)]!, parts.at(-2)!]) {
    const request = (site: Site) => fetchPage(site, `/sitemaps/${site === few ? '1.xml' : part}`);
    await compare(`sitemap, part ${part}, per URL`, request, unit);
  }
}

async function costOf(site: Site, processes: ReadonlySet<number>, request: SiteRequest): Promise<Cost> {
  const before = { cpu: cpuOf(processes), statements: await site.statements() };
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  while (times.length < REQUESTS && performance.now() < end) {
    const start = performance.now();
    await request(site);
    times.push(performance.now() - start);
  }
  const cpu = ((cpuOf(processes) - before.cpu) / times.length) * 1000;
  const statements = ((await site.statements()) - before.statements) / times.length;
  return { cpu, statements, times };
}

/** One PostgreSQL server with both databases, filled unless `folder` has them from an earlier run. */
async function openDatabases(folder: string, many: number, keep: boolean): Promise<TestPostgres> {
  const files = join(folder, 'postgres');
  if (existsSync(files)) return startPostgres(files);
  const database = await startPostgres();
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    await sql`alter system set autovacuum = off`;
    await sql`alter system set max_wal_size = '8GB'`;
    await sql`select pg_reload_conf()`;
    for (const [name, size] of Object.entries({ few: FEW, many })) {
      await sql.unsafe(`create database ${name}`);
      await mkdir(join(folder, name), { recursive: true });
      await (await startOn(folder, name, database, 'demo')).stop();
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
const startOn = (folder: string, name: string, database: TestPostgres, seed: 'demo' | 'none') => {
  const settings = { SEED: seed, TRUST_PROXY: '1', LOG_LEVEL: 'silent' };
  return startServer({ ...settings, DATABASE_URL: urlOf(database, name), KEYS_FILE: keysOf(folder, name) });
};

async function openSite(name: string, folder: string, database: TestPostgres, statistics: postgres.Sql): Promise<Site> {
  const url = urlOf(database, name);
  const server = await startOn(folder, name, database, 'none');
  const keys: { publishable: string; secret: string } = JSON.parse(await readFile(keysOf(folder, name), 'utf8'));
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [admin] = await sql`
      select account.id, account.email from auth.users account join public.user_roles held on held.user_id = account.id
        join public.roles on roles.id = held.role_id where roles.name = 'admin' limit 1`;
    const { id, email } = admin as unknown as { id: string; email: string };
    const headers = { apikey: keys.secret, 'content-type': 'application/json' };
    const change = { method: 'PUT', headers, body: JSON.stringify({ password: PASSWORD }) };
    const changed = await fetch(`${server.base}/auth/v1/admin/users/${id}`, change);
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
      apikey: keys.publishable,
      admin: await signInAdmin(server.base, keys.publishable, { email, password: PASSWORD }),
      ids: ids.map((row) => row.id),
      listed: counts as unknown as Site['listed'],
      statements: () => statementsSoFar(statistics, name),
    };
  } finally {
    await sql.end();
  }
}

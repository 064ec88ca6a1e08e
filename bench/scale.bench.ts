import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import sharp from 'sharp';
import { freePort } from '../tests/free-port.ts';
import { startPostgres } from '../tests/programs/postgres.ts';
import { keysIn, newAddress, type RunningServer, startServer } from '../tests/server.ts';
import { interleaved, median } from './measuring/load.ts';
import { children, cpuOf } from './measuring/process-tree.ts';
import { figure, ratio } from './measuring/report.ts';
import { countStatements, statementsSoFar } from './measuring/statements.ts';
import { type RequestSpec, requestForSeconds } from './measuring/wrk.ts';

const SESSIONS = 6;
const FEW = 1;
const MANY = 4;
const ROUNDS = 5;
const CONCURRENCY = 32;
/** Pixels of a phone camera's picture. */
const [WIDE, HIGH] = [4032, 3024];
const QUIET_MS = 3_000;
/** Duration of each round, and of the warm-up of each worker before the first. */
const ROUND_S = 2;
const WARM_S = 6;
/** Maximum ratio of the CPU time per request with four workers to that with one. */
const MAX_RATIO = 1.1;

interface Instance {
  workers: number;
  server: RunningServer;
  key: string;
  secret: string;
  picture: string;
  /** Process ids of the server and of the database. */
  processes: ReadonlySet<number>;
  statements(): Promise<number>;
  stop(): Promise<void>;
}

const DATA = '/rest/v1/projects?select=id,title&limit=24';

/** One request of each kind; `{any}` differs each time, so that the response is not cached. */
const KINDS: [what: string, request: (instance: Instance, etag: string) => RequestSpec][] = [
  ['page, cached', () => ({ path: '/case-studies' })],
  ['page, cached, revalidated (304)', (_, etag) => ({ path: '/case-studies', headers: { 'if-none-match': etag } })],
  ['built file', () => ({ path: '/font-licences.txt' })],
  ['picture of a card', ({ picture }) => ({ path: picture })],
  ['page, rendered', () => ({ path: '/case-studies', headers: { authorization: 'Bearer {any}' } })],
  ['search, rendered', () => ({ path: '/case-studies?q={any}' })],
  ['data, cached', ({ key }) => ({ path: DATA, headers: { apikey: key } })],
  ['data, uncached', ({ key }) => ({ path: DATA, headers: { apikey: key, 'x-draft-secret': '{any}{any}' } })],
];

/**
 * Cost of a request with one worker and with four, each with its own PostgreSQL server: CPU time of servers, workers and
 * database, and statements. On one machine throughput cannot rise, so the bench checks that the cost per request does not.
 * The load generator keeps the servers busy, because a process that sleeps between requests finds cold CPU caches, which
 * doubles the cost of a cached response. Also measures the cost of a picture.
 * @param filters only kinds of requests whose name contains one of them
 */
export default async function scale(filters: string[]): Promise<void> {
  const instances: Instance[] = [];
  try {
    for (const workers of [FEW, MANY]) instances.push(await startInstance(workers));
    const [few, many] = instances as [Instance, Instance];
    const etags = new Map([[few, await fetchETag(few)]]).set(many, await fetchETag(many));
    for (const instance of instances) await waitUntilIdle(instance);
    for (const [label, request] of KINDS) {
      if (filters.length && !filters.some((word) => label.includes(word))) continue;
      const requestInstance = (instance: Instance, seconds: number) =>
        requestForSeconds(instance.server.base, request(instance, etags.get(instance)!), seconds, CONCURRENCY);
      for (const instance of instances) await requestInstance(instance, WARM_S * instance.workers);
      const measureCost = (instance: Instance) => async () => {
        const before = { cpu: cpuOf(instance.processes), statements: await instance.statements() };
        const requests = await requestInstance(instance, ROUND_S);
        const cpu = ((cpuOf(instance.processes) - before.cpu) / requests) * 1e6;
        const statements = ((await instance.statements()) - before.statements) / requests;
        return { cpu, statements };
      };
      const rounds = await interleaved(ROUNDS, { few: measureCost(few), many: measureCost(many) });
      const medianOf = (side: 'few' | 'many', read: (cost: { cpu: number; statements: number }) => number) =>
        median(rounds[side]!.map(read));
      const [fewMicros, manyMicros] = [medianOf('few', ({ cpu }) => cpu), medianOf('many', ({ cpu }) => cpu)];
      ratio(`${label}: CPU, 1 worker beside ${MANY}`, fewMicros, manyMicros, 'µs', 1 / MAX_RATIO);
      const statements = (side: 'few' | 'many') => medianOf(side, (cost) => cost.statements).toFixed(2);
      figure(`${label}: statements`, `${statements('few')}, and ${statements('many')} with ${MANY} workers`);
    }
    await reportPictures(few);
  } finally {
    for (const instance of instances) await instance.stop();
  }
}

async function startInstance(workers: number): Promise<Instance> {
  const others = children();
  const database = await startPostgres();
  await countStatements(database);
  const server = await startServer({
    DATABASE_URL: database.url,
    DATABASE_SESSIONS: String(SESSIONS),
    WORKERS: String(workers),
    METRICS: `127.0.0.1:${await freePort()}`,
    SEED: 'demo',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'silent',
  });
  const { secret, publishable: key } = keysIn(server.dataDir);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  return {
    workers,
    server,
    secret,
    key,
    picture: await findPicture(`${server.base}/case-studies`),
    processes: children().difference(others),
    statements: () => statementsSoFar(sql),
    async stop() {
      await sql.end();
      await server.stop();
      await database.stop();
    },
  };
}

/** Cost of a picture from its upload until all widths used by pages are rendered. */
async function reportPictures(instance: Instance): Promise<void> {
  // With sensor noise, because a smooth picture would be cheaper to encode than a photograph.
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 };
  const grain = await sharp({ create: { width: WIDE, height: HIGH, channels: 3, background: '#808080', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const picture = await sharp('supabase/seed-pictures/3/0.webp')
    .resize(WIDE, HIGH, { fit: 'cover' })
    .composite([{ input: grain, blend: 'overlay' }])
    .jpeg({ quality: 88 })
    .toBuffer();
  const bytes = () =>
    Number(execFileSync('du', ['-sb', join(instance.server.dataDir, 'objects')], { encoding: 'utf8' }).split('\t')[0]);
  const cpuSeconds: number[] = [];
  const initialBytes = bytes();
  for (let round = 0; round < 3; round++) {
    const before = cpuOf(instance.processes);
    const uploaded = await fetch(`${instance.server.base}/storage/v1/object/case-studies/images/${randomUUID()}.jpg`, {
      method: 'POST',
      headers: { apikey: instance.secret, authorization: `Bearer ${instance.secret}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(picture),
    });
    if (!uploaded.ok) throw new Error(`The upload failed: ${uploaded.status} ${await uploaded.text()}`);
    cpuSeconds.push((await waitUntilIdle(instance)) - before);
  }
  const label = `a picture of ${((WIDE * HIGH) / 1e6).toFixed(0)} megapixels, all widths`;
  figure(label, `${median(cpuSeconds).toFixed(2)} s of CPU, ${instance.workers} workers`);
  const megabytes = (size: number) => (size / 1e6).toFixed(1);
  const stored = megabytes((bytes() - initialBytes) / cpuSeconds.length);
  figure('size on disk', `${stored} MB with all widths; uploaded as ${megabytes(picture.length)} MB`);
}

/** Waits until the server is idle. @returns CPU seconds used so far */
async function waitUntilIdle({ processes }: Instance): Promise<number> {
  for (let before = cpuOf(processes); ; ) {
    await sleep(QUIET_MS);
    const current = cpuOf(processes);
    // Listeners and timers use a few hundredths of a second.
    if (current - before < 0.1) return current;
    before = current;
  }
}

async function findPicture(page: string): Promise<string> {
  const html = await (await fetch(page)).text();
  return /(\/storage\/v1\/render\/[^"\s]*width=640[^"\s]*)/.exec(html)![1]!.replaceAll('&amp;', '&');
}

/** The ETag of the cached page: a private response has none. */
async function fetchETag({ server }: Instance): Promise<string> {
  const request = () => fetch(`${server.base}/case-studies`, { headers: { 'x-forwarded-for': newAddress() } });
  await (await request()).arrayBuffer();
  return (await request()).headers.get('etag')!;
}

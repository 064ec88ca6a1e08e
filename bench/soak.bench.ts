import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgrestClient } from '@supabase/postgrest-js';
import { StorageClient } from '@supabase/storage-js';
import { sendSubmission } from '../app/features/submissions/model/send.ts';
import { emptySubmission, type MediaItem, undescribed } from '../app/features/submissions/model/submission.ts';
import { heavyJpeg } from '../packages/backend/tests/storage/files.ts';
import { demoAccountsIn } from '../tests/seeded-data.ts';
import { keysIn, newAddress, type RunningServer } from '../tests/server.ts';
import { createAccount, PASSWORD, type Tokens } from './measuring/accounts.ts';
import { quantile } from './measuring/load.ts';
import { residentMegabytes } from './measuring/process-tree.ts';
import { figure, ratio } from './measuring/report.ts';
import { withServer } from './measuring/with-server.ts';

const DURATION_MS = 10 * 60_000;
const USERS = 20;
/** Pause of a user between two requests: all users send a little over a hundred requests per second. */
const PAUSE_MS = 150;
const SAMPLE_MS = 5_000;
const PUBLISH_MS = 3_000;
const MAX_GROWTH = 1.5;
const MAX_SLOWDOWN = 2;
const LISTS = ['/case-studies', '/case-studies?category=ai', '/case-studies?q=hand'];
const READS = ['/', '/about', '/join', ...LISTS, '/feed.xml'];

interface LogEntry {
  /** Milliseconds since the start. */
  at: number;
  kind: string;
  ms: number;
  status: number;
}

/**
 * Ten minutes of a busy day's load from twenty addresses: pages, data, searches, sign-ins, token refreshes, submissions
 * with pictures, image variants, publishing. There must be no 5xx response, memory may grow by at most 1.5 MB per minute
 * after the first third, and the p99 latency of the last third may be at most twice that of the first.
 * @throws Error when a condition is violated
 */
export default async function soak(): Promise<void> {
  await withServer({ SEED: 'demo', TRUST_PROXY: '1', LOG_LEVEL: 'error' }, async (server) => {
    const start = performance.now();
    const now = () => performance.now() - start;
    const key = keysIn(server.dataDir).publishable;
    const state: SoakState = { base: server.base, key, picture: await heavyJpeg(0.5), now, log: [] };
    const users = Array.from({ length: USERS }, (_, index) => new User(state, index));
    for (const { email } of users) await createAccount(server, email);
    const memory: Sample[] = [];
    const sampling = (async () => {
      while (state.now() < DURATION_MS) {
        memory.push({ at: state.now(), megabytes: residentMegabytes(server.process.pid!) });
        await sleep(SAMPLE_MS);
      }
    })();
    await Promise.all([sampling, publishRepeatedly(state, server), ...users.map((user) => user.live())]);
    report(state.log, memory, server.output());
  });
}

interface SoakState {
  base: string;
  key: string;
  /** Bytes of a photograph. */
  picture: Buffer;
  /** Milliseconds since the start. */
  now: () => number;
  log: LogEntry[];
}

interface Sample {
  at: number;
  megabytes: number;
}

class User {
  readonly email: string;
  readonly #soaked: SoakState;
  readonly #index: number;
  readonly #address = newAddress();
  #session: Tokens | null = null;
  #seen = '/case-studies';

  constructor(state: SoakState, index: number) {
    this.#soaked = state;
    this.#index = index;
    this.email = `soak-${index}@bench.example`;
  }

  /** Sends mostly reads, within all limits per address. */
  async live(): Promise<void> {
    await sleep((this.#index * PAUSE_MS) / USERS);
    for (let turn = this.#index; this.#soaked.now() < DURATION_MS; turn++) {
      if (turn % 400 === 0) await this.#submit();
      else if (turn % 150 === 0) await this.signIn();
      else if (turn % 40 === 0) await this.refresh();
      else if (turn % 7 === 0)
        await this.data(`/projects?select=id,title&order=created_at.desc&limit=10&offset=${turn % 13}`);
      else if (turn % 5 === 0) await this.#ask('experiment', this.#seen);
      // A page is rendered for each request with a credential.
      else if (turn % 11 === 0)
        await this.#ask('page rendered', '/about', { headers: { authorization: 'Bearer none' } });
      else await this.#read(READS[turn % READS.length]!);
      await sleep(PAUSE_MS);
    }
  }

  async signIn(email = this.email, password = PASSWORD): Promise<void> {
    this.#session = await this.#token('sign in', 'password', { email, password });
  }

  async refresh(): Promise<void> {
    const { refresh_token } = this.#session ?? {};
    if (refresh_token) this.#session = await this.#token('refresh', 'refresh_token', { refresh_token });
  }

  /** @returns the response body as text */
  data(path: string, init: RequestInit = {}): Promise<string> {
    const { access_token } = this.#session ?? {};
    const token: Record<string, string> = access_token ? { authorization: `Bearer ${access_token}` } : {};
    const headers = { apikey: this.#soaked.key, 'content-type': 'application/json', ...token };
    return this.#ask(init.method ? 'change' : 'data', `/rest/v1${path}`, { ...init, headers });
  }

  /** A guest's submission with a picture, as the form sends it, then two sizes of the picture. */
  async #submit(): Promise<void> {
    const { base, key, picture } = this.#soaked;
    const path = `images/${randomUUID()}.jpg`;
    const url = `${base}/storage/v1/object/public/case-studies/${path}`;
    const described = { ...undescribed, caption: 'Noise', alt: 'Noise of all colours' };
    const media: MediaItem = { id: randomUUID(), type: 'image', url, ...described, isUploading: false, file: null };
    const headers = { apikey: key, 'x-forwarded-for': this.#address };
    const asGuest = { ...headers, authorization: `Bearer ${key}` };
    const storage = new StorageClient(`${base}/storage/v1`, asGuest, this.#timed('upload'));
    const data = (own: Record<string, string>) =>
      new PostgrestClient(`${base}/rest/v1`, { headers: { ...headers, ...own }, fetch: this.#timed('submit') });
    const submission = { ...emptySubmission(), title: `Soak ${this.#index}`, brief: '<p>Noise.</p>', media: [media] };
    await sendSubmission(() => submission, randomBytes(32).toString('base64url'), {
      auth: { getSession: async () => ({ data: { session: null }, error: null }) },
      data,
      dataForGuest: data,
      finishUploads: async () => {
        await storage.from('case-studies').upload(path, new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }));
        return [media];
      },
    });
    for (const width of [384, 768])
      await this.#ask('picture', `/storage/v1/render/image/public/case-studies/${path}?width=${width}`);
  }

  async #read(path: string): Promise<void> {
    const html = await this.#ask('page', path);
    this.#seen = /href="(\/case-studies\/[0-9a-f-]{36}[^"]*)"/.exec(html)?.[1] ?? this.#seen;
  }

  async #token(kind: string, grant: string, body: Record<string, string>) {
    const headers = { apikey: this.#soaked.key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return JSON.parse(await this.#ask(kind, `/auth/v1/token?grant_type=${grant}`, init)) as Tokens;
  }

  async #ask(kind: string, path: string, init: RequestInit = {}): Promise<string> {
    const headers = { 'x-forwarded-for': this.#address, ...(init.headers as Record<string, string>) };
    return (await this.#timed(kind)(this.#soaked.base + path, { ...init, headers })).text();
  }

  /** `fetch` that logs status and duration of the complete response. */
  #timed(kind: string): typeof fetch {
    return async (input, init) => {
      const at = this.#soaked.now();
      const response = await fetch(input, init);
      const body = await response.arrayBuffer();
      this.#soaked.log.push({ at, kind, ms: this.#soaked.now() - at, status: response.status });
      return new Response([204, 205, 304].includes(response.status) ? null : body, response);
    };
  }
}

/** An admin unpublishes an experiment and publishes it again, so that every cached response is rebuilt. */
async function publishRepeatedly(state: SoakState, server: RunningServer): Promise<void> {
  const admin = new User(state, USERS);
  const { email, password } = demoAccountsIn(server.output()).admin;
  await admin.signIn(email, password);
  const shown = JSON.parse(await admin.data('/projects?select=id&status=eq.active&limit=1')) as { id: string }[];
  for (let turn = 0; state.now() < DURATION_MS; turn++) {
    await sleep(PUBLISH_MS);
    if (turn % 60 === 59) await admin.refresh();
    const body = JSON.stringify({ status: turn % 2 ? 'active' : 'archived' });
    await admin.data(`/projects?id=eq.${shown[0]!.id}`, { method: 'PATCH', body });
  }
}

function report(log: LogEntry[], memory: Sample[], output: string): void {
  const third = DURATION_MS / 3;
  const timesOf = (entries: LogEntry[]) => entries.map(({ ms }) => ms);

  for (const kind of [...new Set(log.map((one) => one.kind))].sort()) {
    const entries = log.filter((one) => one.kind === kind);
    const byStatus = Object.entries(Object.groupBy(entries, ({ status }) => status));
    const refused = byStatus.filter(([status]) => Number(status) >= 400);
    const counts = refused.map(([status, all]) => `${all!.length} × ${status}`);
    const ms = (share: number) => `${quantile(timesOf(entries), share).toFixed(1)} ms`;
    figure(`${kind}, ${entries.length}`, [`p50 ${ms(0.5)}`, `p99 ${ms(0.99)}`, ...counts].join(', '));
  }
  const faults = log.filter(({ status }) => status >= 500).length;
  const firstP99 = quantile(timesOf(log.filter(({ at }) => at < third)), 0.99);
  const lastP99 = quantile(timesOf(log.filter(({ at }) => at >= 2 * third)), 0.99);
  const growth = slope(memory.filter(({ at }) => at >= third).map(({ at, megabytes }) => [at / 60_000, megabytes]));
  figure('requests', `${log.length}, ${((log.length / DURATION_MS) * 1000).toFixed(0)} per s, ${faults} × 5xx`);
  const range = `${memory.at(0)!.megabytes.toFixed(0)} to ${memory.at(-1)!.megabytes.toFixed(0)} MB`;
  figure('resident memory', `${range}, ${growth.toFixed(2)} MB a minute after the first third`);
  ratio('p99 of the last third, compared with the first', lastP99, firstP99, 'ms');
  const violations = [
    ...(faults ? [`${faults} responses were 5xx`] : []),
    ...(growth > MAX_GROWTH ? [`memory grows by ${growth.toFixed(2)} MB a minute`] : []),
    ...(lastP99 > firstP99 * MAX_SLOWDOWN ? ['the last third was more than twice as slow as the first'] : []),
    ...(/"level":[56]0/.test(output) ? ['the log contains errors'] : []),
  ];
  if (violations.length) throw new Error(`Soak test failed: ${violations.join('; ')}.\n${output.slice(-2_000)}`);
}

function slope(points: [number, number][]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

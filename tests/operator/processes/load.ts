import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import sharp from 'sharp';
import { uploadMetadata } from '../../../packages/backend/tests/storage/files.ts';
import { childrenOf } from '../../child-processes.ts';
import { newAddress, type RunningServer } from '../../server.ts';

/** The failure of a request: its status, or the error of its connection. */
interface FailedRequest {
  what: string;
  when: number;
}

export const wasRefused = ({ what }: FailedRequest): boolean => /^\w+ 503 /.test(what);

export interface Load {
  acknowledged: string[];
  lost: FailedRequest[];
  answered: number;
  stop(): Promise<void>;
}

export const workersOf = (server: RunningServer) => childrenOf(server.process.pid!);

/** Number of processes that listen to a database, which equals the serving processes. */
export async function listeningOn(url: string): Promise<number> {
  const sql = postgres(url, { max: 1 });
  const found =
    await sql`select from pg_stat_activity where query like '%still listening%' and pid <> pg_backend_pid()`;
  await sql.end();
  return found.length;
}

/** Replaces the workers of a server, one by one. @throws Error when one is still there after five minutes */
export async function replaceWorkers(server: RunningServer): Promise<void> {
  const before = workersOf(server);
  server.process.kill('SIGHUP');
  const end = Date.now() + 300_000;
  while (workersOf(server).some((pid) => before.includes(pid))) {
    if (Date.now() > end) throw new Error('A worker was not replaced within five minutes');
    await sleep(200);
  }
}

interface LoadOptions {
  clients?: number;
  /** Persistent connections; by default each request uses a new one. */
  kept?: boolean;
  /** Milliseconds between the starts of two turns of a client; by default it pauses for 100 ms after each. */
  everyMs?: number;
}

/**
 * Reads pages and writes experiments on new or persistent connections until it is stopped. Every unexpected response counts
 * as lost.
 */
export const startLoad = (base: string, secret: string, options: LoadOptions = {}): Load =>
  repeat(options, async (agent, turn) => {
    if (turn % 3) {
      await send(agent, `${base}/case-studies`, { expected: 200 });
      return null;
    }
    const title = randomUUID();
    const headers = { apikey: secret, 'content-type': 'application/json' };
    const body = JSON.stringify({ title, status: 'draft' });
    await send(agent, `${base}/rest/v1/projects`, { headers, body, expected: 201 });
    return title;
  });

const BUCKET = 'case-studies';

/** Uploads pictures continuously, alternately whole and in two pieces. @returns the paths of acknowledged objects */
export const startUploads = (base: string, secret: string, picture: Buffer, options: LoadOptions = {}): Load =>
  repeat(options, async (agent, turn) => {
    const path = `images/${randomUUID()}.png`;
    const baseHeaders = { apikey: secret, authorization: `Bearer ${secret}` };
    if (turn % 2) {
      const headers = { ...baseHeaders, 'content-type': 'image/png' };
      await send(agent, `${base}/storage/v1/object/${BUCKET}/${path}`, { headers, body: picture, expected: 200 });
      return path;
    }
    const tus = { ...baseHeaders, 'tus-resumable': '1.0.0' };
    const metadata = uploadMetadata({ bucketName: BUCKET, objectName: path, contentType: 'image/png' });
    const headers = { ...tus, 'upload-length': String(picture.length), 'upload-metadata': metadata };
    const created = await send(agent, `${base}/storage/v1/upload/resumable`, { headers, body: '', expected: 201 });
    const { pathname } = new URL(created.location!, base);
    const half = Math.floor(picture.length / 2);
    for (const from of [0, half]) {
      const offset = { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' };
      const body = picture.subarray(from, from ? picture.length : half);
      await send(agent, base + pathname, { method: 'PATCH', headers: { ...tus, ...offset }, body, expected: 204 });
    }
    return path;
  });

/** Paths that do not show the uploaded pixels; the server may change other content of a file. */
export async function findChanged(base: string, paths: readonly string[], picture: Buffer): Promise<string[]> {
  const missing: string[] = [];
  const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer();
  const expectedPixels = await pixels(picture);
  for (const path of paths) {
    const headers = { 'x-forwarded-for': newAddress() };
    const response = await fetch(`${base}/storage/v1/object/public/${BUCKET}/${path}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok || !expectedPixels.equals(await pixels(bytes))) missing.push(`${response.status} ${path}`);
  }
  return missing;
}

/** @param act one turn of a client; returns the acknowledged write, if any */
function repeat(options: LoadOptions, act: (agent: Agent, turn: number) => Promise<string | null>): Load {
  const { clients = 6, kept = false, everyMs } = options;
  let stopped = false;
  const load: Load = { acknowledged: [], lost: [], answered: 0, stop };
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: kept, maxSockets: 1 }));
  const running = agents.map(async (agent, number) => {
    if (everyMs) await sleep((everyMs * number) / clients);
    for (let turn = number; !stopped; turn++) {
      const startedAt = performance.now();
      await act(agent, turn).then(
        (written) => {
          load.answered++;
          if (written) load.acknowledged.push(written);
        },
        (error: Error) => load.lost.push({ what: error.message, when: Date.now() }),
      );
      await sleep(everyMs ? Math.max(0, startedAt + everyMs - performance.now()) : 100);
    }
    agent.destroy();
  });
  return load;
  async function stop() {
    stopped = true;
    await Promise.all(running);
  }
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  /** With a body the method is POST by default. */
  body?: string | Buffer;
  expected: number;
}

function send(agent: Agent, address: string, question: Sent): Promise<IncomingHttpHeaders> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers, expected } = question;
  return new Promise((resolve, reject) => {
    const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
    const baseHeaders = { 'x-forwarded-for': newAddress(), ...headers, ...length };
    const sent = request(address, { agent, method, headers: baseHeaders }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === expected) resolve(response.headers);
        else reject(new Error(`${method} ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.setTimeout(20_000, () => sent.destroy(new Error('no response within 20 s')));
    sent.once('error', reject);
    sent.end(body);
  });
}

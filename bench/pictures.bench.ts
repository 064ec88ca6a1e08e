import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { findProgram } from '../tests/programs/debian-packages.ts';
import type { RunningServer } from '../tests/server.ts';
import { interleaved, median } from './measuring/load.ts';
import { cpuOf } from './measuring/process-tree.ts';
import { figure } from './measuring/report.ts';
import { withServer } from './measuring/with-server.ts';
import { requestForSeconds } from './measuring/wrk.ts';

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 8;
const CLIENT = join(import.meta.dirname, '..', 'build', 'client');
/** Maximum CPU time relative to a built file, and minimum rate relative to nginx. */
const MAX_CPU_RATIO = 3;
const MIN_NGINX_RATIO = 0.5;

interface Throughput {
  /** CPU time of the server per request in milliseconds. */
  cpuMs: number;
  perSecond: number;
}

/**
 * Public pictures, compared with the built file of the nearest size from the same server and with the same bytes from
 * nginx. The last picture has an uncacheable URL, which shows the cost of the storage service.
 */
export default async function pictures(): Promise<void> {
  await withServer({ SEED: 'demo', TRUST_PROXY: '1' }, async (server) => {
    const list = await (await fetch(`${server.base}/case-studies`)).text();
    const [variant] = /\/storage\/v1\/render\/image\/public\/[^"\s]+width=640/.exec(list.replaceAll('&amp;', '&'))!;
    await measure(server, 'variant, 640 wide', variant);
    await measure(server, 'variant, 1280 wide', variant.replace('width=640', 'width=1280'));
    await measure(server, 'original', variant.replace('render/image', 'object').replace(/[?&](still|width).*$/, ''));
    await measure(server, 'variant, 640 wide, not cached', `${variant}&x=1`, false);
  });
}

async function measure(server: RunningServer, label: string, path: string, hasGoal = true): Promise<void> {
  const headers = { accept: 'image/avif,image/webp,*/*' };
  const body = Buffer.from(await (await fetch(server.base + path, { headers })).arrayBuffer());
  const built = await builtFile(body.length);
  const nginx = await startNginx(body);
  const rounds = await interleaved<Throughput>(ROUNDS, {
    picture: () => measureRequests(server.process.pid!, server.base, path, headers),
    built: () => measureRequests(server.process.pid!, server.base, built.path, {}),
    ...(nginx && { nginx: () => measureRequests(nginx.pid, nginx.base, '/picture', {}) }),
  });
  await nginx?.stop();
  const medianOf = (side: string, read: (round: Throughput) => number) => median(rounds[side]!.map(read));
  const verdict = (goal: number, isMet: boolean) => (hasGoal ? ` (goal ${goal}, ${isMet ? 'met' : 'MISSED'})` : '');
  const [pictureMs, builtMs] = [medianOf('picture', ({ cpuMs }) => cpuMs), medianOf('built', ({ cpuMs }) => cpuMs)];
  const cpuRatio = pictureMs / builtMs;
  const costs = `${pictureMs.toFixed(3)} ms; built file of ${built.bytes} bytes ${builtMs.toFixed(3)} ms`;
  const times = `${cpuRatio.toFixed(2)} times${verdict(MAX_CPU_RATIO, cpuRatio <= MAX_CPU_RATIO)}`;
  figure(`${label}, ${body.length} bytes, CPU`, `${costs}; ${times}`);
  if (!nginx) return;
  const rateOf = (side: string) => medianOf(side, ({ perSecond }) => perSecond);
  const share = rateOf('picture') / rateOf('nginx');
  const compared = `${share.toFixed(2)}${verdict(MIN_NGINX_RATIO, share >= MIN_NGINX_RATIO)}`;
  const rates = `${rateOf('picture').toFixed(0)} per s of ${rateOf('nginx').toFixed(0)}`;
  figure(`${label}, compared with nginx`, `${rates}; ${compared}`);
}

async function measureRequests(pid: number, base: string, path: string, headers: Record<string, string>) {
  const process = new Set([pid]);
  const before = cpuOf(process);
  const requests = await requestForSeconds(base, { path, headers }, SECONDS, CONNECTIONS);
  return { cpuMs: ((cpuOf(process) - before) * 1000) / requests, perSecond: requests / SECONDS };
}

async function builtFile(bytes: number): Promise<{ path: string; bytes: number }> {
  const names = (await readdir(join(CLIENT, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name));
  const sizeOf = async (name: string) => (await stat(join(CLIENT, 'assets', name))).size;
  const files = await Promise.all(names.map(async (name) => ({ path: `/assets/${name}`, bytes: await sizeOf(name) })));
  return files.reduce((best, one) => (Math.abs(one.bytes - bytes) < Math.abs(best.bytes - bytes) ? one : best));
}

/** Starts nginx with one worker and one file; null when it is not installed. */
async function startNginx(body: Buffer) {
  const program = findProgram('nginx', 'pictures beside nginx');
  if (!program) return null;
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'picture'), body);
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type image/avif;
  server { listen 127.0.0.1:${port}; root ${folder}; } }`;
  await writeFile(join(folder, 'nginx.conf'), config);
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${base}/picture`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('nginx did not start');
    await new Promise((wait) => setTimeout(wait, 50));
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  return { pid: child.pid!, base, stop };
}

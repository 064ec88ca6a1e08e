import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { findProgram } from '../tests/programs/debian-packages.ts';
import { type RunningServer, startServer } from '../tests/server.ts';
import { interleaved, median } from './measuring/load.ts';
import { cpuOf } from './measuring/process-tree.ts';
import { figure } from './measuring/report.ts';
import { requestForSeconds } from './measuring/wrk.ts';

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 8;
const CLIENT = join(import.meta.dirname, '..', 'build', 'client');
/** Maximum CPU time relative to a built file, and minimum rate relative to nginx. */
const MOST_CPU = 3;
const LEAST_OF_NGINX = 0.5;

interface Answered {
  /** CPU time of the server per request in milliseconds. */
  cpuMs: number;
  perSecond: number;
}

/**
 * Public pictures, compared with the built file of the nearest size from the same server and with the same bytes from
 * nginx. The last picture has an uncacheable URL, which shows the cost of the storage service.
 */
export default async function pictures(): Promise<void> {
  const server = await startServer({ SEED: 'demo', TRUST_PROXY: '1', LOG_LEVEL: 'silent' });
  try {
    const list = await (await fetch(`${server.base}/case-studies`)).text();
    const [variant] = /\/storage\/v1\/render\/image\/public\/[^"\s]+width=640/.exec(list.replaceAll('&amp;', '&'))!;
    await measure(server, 'variant, 640 wide', variant);
    await measure(server, 'variant, 1280 wide', variant.replace('width=640', 'width=1280'));
    await measure(server, 'original', variant.replace('render/image', 'object').replace(/[?&](still|width).*$/, ''));
    await measure(server, 'variant, 640 wide, not cached', `${variant}&x=1`, false);
  } finally {
    await server.stop();
  }
}

async function measure(server: RunningServer, what: string, path: string, hasGoal = true): Promise<void> {
  const headers = { accept: 'image/avif,image/webp,*/*' };
  const body = Buffer.from(await (await fetch(server.base + path, { headers })).arrayBuffer());
  const built = await builtFile(body.length);
  const nginx = await startNginx(body);
  const rounds = await interleaved<Answered>(ROUNDS, {
    picture: () => answered(server.process.pid!, server.base, path, headers),
    built: () => answered(server.process.pid!, server.base, built.path, {}),
    ...(nginx && { nginx: () => answered(nginx.pid, nginx.base, '/picture', {}) }),
  });
  await nginx?.stop();
  const of = (side: string, read: (round: Answered) => number) => median(rounds[side]!.map(read));
  const verdict = (goal: number, isMet: boolean) => (hasGoal ? ` (goal ${goal}, ${isMet ? 'met' : 'MISSED'})` : '');
  const [own, file] = [of('picture', ({ cpuMs }) => cpuMs), of('built', ({ cpuMs }) => cpuMs)];
  const times = own / file;
  figure(
    `${what}, ${body.length} bytes, CPU`,
    `${own.toFixed(3)} ms; built file of ${built.bytes} bytes ${file.toFixed(3)} ms; ${times.toFixed(2)} times${verdict(MOST_CPU, times <= MOST_CPU)}`,
  );
  if (!nginx) return;
  const part = of('picture', ({ perSecond }) => perSecond) / of('nginx', ({ perSecond }) => perSecond);
  figure(
    `${what}, compared with nginx`,
    `${of('picture', ({ perSecond }) => perSecond).toFixed(0)} per s of ${of('nginx', ({ perSecond }) => perSecond).toFixed(0)}; ${part.toFixed(2)}${verdict(LEAST_OF_NGINX, part >= LEAST_OF_NGINX)}`,
  );
}

async function answered(pid: number, base: string, path: string, headers: Record<string, string>): Promise<Answered> {
  const process = new Set([pid]);
  const before = cpuOf(process);
  const requests = await requestForSeconds(base, { path, headers }, SECONDS, CONNECTIONS);
  return { cpuMs: ((cpuOf(process) - before) * 1000) / requests, perSecond: requests / SECONDS };
}

/** The built file whose size is nearest to `bytes`. */
async function builtFile(bytes: number): Promise<{ path: string; bytes: number }> {
  const names = (await readdir(join(CLIENT, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ path: `/assets/${name}`, bytes: (await stat(join(CLIENT, 'assets', name))).size })),
  );
  return files.reduce((best, one) => (Math.abs(one.bytes - bytes) < Math.abs(best.bytes - bytes) ? one : best));
}

/** Starts nginx with one worker and one file; null when it is not installed. */
async function startNginx(body: Buffer) {
  const program = findProgram('nginx', 'pictures beside nginx');
  if (!program) return null;
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'picture'), body);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type image/avif;
  server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${base}/picture`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('nginx did not start');
    await new Promise((wait) => setTimeout(wait, 50));
  }
  return {
    pid: child.pid!,
    base,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

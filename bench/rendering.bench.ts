import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { clientOf } from '../tests/operator/client.ts';
import { newAddress, type RunningServer, startServer } from '../tests/server.ts';
import { publishExperiments } from './measuring/experiments.ts';
import { interleaved, load, median, type Round } from './measuring/load.ts';
import { figure, ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const EXPERIMENTS = 1_000;
const CONCURRENCY = [1, 8, 32];

/**
 * Pages that are rendered for each request, because it has a credential, on a server with a thousand experiments. List and
 * experiment are compared with React Router alone, which renders the same rows from memory. An error status ends the bench.
 */
export default async function rendering(): Promise<void> {
  const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' });
  await publishExperiments(server, EXPERIMENTS);
  const bare = await startBareSite(await fetchRows(server));
  try {
    const list = await (await fetch(`${server.base}/case-studies`)).text();
    const experiment = /href="(\/case-studies\/[0-9a-f-]{36}[^"]*)"/.exec(list)![1]!;
    const headers = () => ({ authorization: 'Bearer none', 'accept-encoding': 'br', 'x-forwarded-for': newAddress() });
    const runRounds = async (ours: string, barePath: string | null, concurrency: number) => {
      const results = await interleaved<Round>(ROUNDS, {
        ours: () => load(server.base + ours, headers, ROUND_MS, concurrency),
        ...(barePath && { bare: () => load(bare.base + barePath, {}, ROUND_MS, concurrency) }),
      });
      const medianOf = (side: string, label: keyof Round) => median(results[side]!.map((round) => round[label]));
      const bareRate = barePath ? medianOf('bare', 'perSecond') : 0;
      return { ours: medianOf('ours', 'perSecond'), bare: bareRate, p99: medianOf('ours', 'p99') };
    };
    for (const [label, path, barePath, goal] of [
      ['list', '/case-studies', '/', 1.5],
      ['experiment', experiment, '/one', 1],
    ] as const)
      for (const concurrency of CONCURRENCY) {
        const result = await runRounds(path, barePath, concurrency);
        ratio(`${label}, rendered, ${concurrency} at once`, result.ours, result.bare, 'per s', goal);
        figure(`${label}, rendered, ${concurrency} at once, p99`, `${result.p99.toFixed(1)} ms`);
      }
    for (const path of ['/', '/about', '/privacy', '/join']) {
      const { ours, p99 } = await runRounds(path, null, 8);
      figure(`${path}, rendered, 8 at once`, `${ours.toFixed(0)} per s, p99 ${p99.toFixed(1)} ms (goal 1,000 per s)`);
    }
  } finally {
    bare.stop();
    await server.stop();
  }
}

/** The rows of a page of the list, as JSON. */
async function fetchRows(server: RunningServer): Promise<string> {
  const select = 'select=id,title,client,description,project_media(url,title)&status=eq.active';
  return (await clientOf(server).send(`/rest/v1/projects?${select}&order=created_at.desc&limit=24`)).text();
}

/** Builds React Router with two pages and serves it with `node:http`. */
async function startBareSite(rows: string) {
  const folder = join(process.cwd(), 'node_modules', '.cache', 'measuring', 'bare-site');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(import.meta.dirname, 'measuring', 'bare-site'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'rows.json'), rows);
  const bin = join(process.cwd(), 'node_modules', '@react-router', 'dev', 'bin.cjs');
  execFileSync(process.execPath, [bin, 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const args = [join(import.meta.dirname, 'measuring', 'bare-site', 'serve.ts'), String(port), folder];
  const env = { ...process.env, ROWS: join(folder, 'rows.json') };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return { base: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

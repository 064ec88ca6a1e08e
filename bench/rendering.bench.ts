import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { newAddress, publishableKeyOf, startServer } from '../tests/server.ts';
import { interleaved, load, median, type Round } from './measuring/load.ts';
import { figure, ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const EXPERIMENTS = 1_000;
const AT_A_TIME = 100;
const AT_ONCE = [1, 8, 32];

/**
 * Pages that are rendered for each request, because it has a credential, on a server with a thousand experiments. List and
 * experiment are compared with React Router alone, which renders the same rows from memory. An error status ends the bench.
 */
export default async function rendering(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const settings = { SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' };
  const server = await startServer(settings, folder);
  await publishExperiments(server.base, join(folder, 'keys.json'));
  const bare = await bareSite(await rowsOf(server.base));
  try {
    const list = await (await fetch(`${server.base}/case-studies`)).text();
    const experiment = /href="(\/case-studies\/[0-9a-f-]{36}[^"]*)"/.exec(list)![1]!;
    const headers = () => ({ authorization: 'Bearer none', 'accept-encoding': 'br', 'x-forwarded-for': newAddress() });
    const rounds = async (ours: string, beside: string | null, atOnce: number) => {
      const results = await interleaved<Round>(ROUNDS, {
        ours: () => load(server.base + ours, headers, ROUND_MS, atOnce),
        ...(beside && { bare: () => load(bare.base + beside, {}, ROUND_MS, atOnce) }),
      });
      const of = (side: string, what: keyof Round) => median(results[side]!.map((round) => round[what]));
      return { ours: of('ours', 'perSecond'), bare: beside ? of('bare', 'perSecond') : 0, p99: of('ours', 'p99') };
    };
    for (const [what, path, beside, goal] of [
      ['list', '/case-studies', '/', 1.5],
      ['experiment', experiment, '/one', 1],
    ] as const)
      for (const atOnce of AT_ONCE) {
        const found = await rounds(path, beside, atOnce);
        ratio(`${what}, rendered, ${atOnce} at once`, found.ours, found.bare, 'per s', goal);
        figure(`${what}, rendered, ${atOnce} at once, p99`, `${found.p99.toFixed(1)} ms`);
      }
    for (const path of ['/', '/about', '/privacy', '/join']) {
      const { ours, p99 } = await rounds(path, null, 8);
      figure(`${path}, rendered, 8 at once`, `${ours.toFixed(0)} per s, p99 ${p99.toFixed(1)} ms (goal 1,000 per s)`);
    }
  } finally {
    bare.stop();
    await server.stop({ keep: true });
    await rm(folder, { recursive: true });
  }
}

/** Through the data service, so that all triggers of the database run. */
async function publishExperiments(base: string, keys: string): Promise<void> {
  const { secret } = JSON.parse(readFileSync(keys, 'utf8'));
  const headers = { apikey: secret, 'content-type': 'application/json', prefer: 'return=representation' };
  const write = async (path: string, rows: unknown[]): Promise<{ id: string }[]> => {
    const answer = await fetch(`${base}/rest/v1/${path}?select=id`, {
      method: 'POST',
      headers,
      body: JSON.stringify(rows),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string }[];
  };
  for (let from = 0; from < EXPERIMENTS; from += AT_A_TIME) {
    const projects = Array.from({ length: AT_A_TIME }, (_, n) => ({
      title: `Experiment number ${from + n}`,
      client: `Client ${(from + n) % 97}`,
      status: 'active',
      description: `<p>${'Hands, machines and paper meet in a room of their own. '.repeat(12)}</p>`,
    }));
    const media = (await write('projects', projects)).flatMap(({ id }) =>
      [0, 1, 2].map((order) => ({
        project_id: id,
        type: 'image',
        url: `https://pictures.example/${id}/${order}.jpg`,
        title: `Picture ${order}`,
        order,
      })),
    );
    await write('project_media', media);
  }
}

/** The rows of a page of the list, as JSON. */
async function rowsOf(base: string): Promise<string> {
  const select = 'select=id,title,client,description,project_media(url,title)&status=eq.active';
  const address = `${base}/rest/v1/projects?${select}&order=created_at.desc&limit=24`;
  const answer = await fetch(address, { headers: { apikey: await publishableKeyOf(base) } });
  return answer.text();
}

/** Builds React Router with two pages and serves it with `node:http`. */
async function bareSite(rows: string) {
  const folder = join(process.cwd(), 'node_modules', '.cache', 'measuring', 'bare-site');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(import.meta.dirname, 'measuring', 'bare-site'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'rows.json'), rows);
  const bin = join(process.cwd(), 'node_modules', '@react-router', 'dev', 'bin.cjs');
  execFileSync(process.execPath, [bin, 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'measuring', 'bare-site', 'serve.ts'), String(port), folder],
    {
      env: { ...process.env, ROWS: join(folder, 'rows.json') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return { base: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

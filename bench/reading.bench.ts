import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { publishableKeyOf, startServer } from '../tests/server.ts';
import { interleaved, load, median, type Round } from './measuring/load.ts';
import { figure, ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;

/** Cached list and detail as HTML and JSON, compared with the same bytes from bare `node:http`. */
export default async function reading(): Promise<void> {
  const server = await startServer({ SEED: 'demo', LOG_LEVEL: 'silent' });
  try {
    const list = await (await fetch(`${server.base}/case-studies`)).text();
    const key = await publishableKeyOf(server.base);
    const detail = /href="(\/case-studies\/[0-9a-f-]{36}[^"]*)"/.exec(list)![1]!;
    const id = detail.split('/')[2]!;
    const data = { apikey: key };
    const select = 'select=*,project_media(*),case_study_metadata(category,tags)';
    await measure(server.base, 'list, HTML', '/case-studies', {}, 0.7);
    await measure(server.base, 'detail, HTML', detail, {}, 0.6);
    await measure(server.base, 'list, JSON', `/rest/v1/projects?${select}&order=created_at.desc&limit=24`, data, 0.7);
    await measure(server.base, 'detail, JSON', `/rest/v1/projects?${select}&id=eq.${id}`, data, 0.6);
    figure('list, HTML, bytes uncompressed', String(Buffer.byteLength(list)));
  } finally {
    await server.stop();
  }
}

async function measure(base: string, label: string, path: string, headers: Record<string, string>, goal: number) {
  const requestHeaders = { ...headers, 'accept-encoding': 'br' };
  const first = await fetch(base + path, { headers });
  const type = first.headers.get('content-type')!;
  await first.arrayBuffer();
  const { bytes, encoding } = await fetchEncoded(base + path, requestHeaders);
  const bare = await bareServer(bytes, type, encoding);
  const results = await interleaved<Round>(ROUNDS, {
    ours: () => load(base + path, requestHeaders, ROUND_MS),
    bare: () => load(bare.url, requestHeaders, ROUND_MS),
  });
  await bare.stop();
  ratio(
    label,
    median(results['ours']!.map((round) => round.perSecond)),
    median(results['bare']!.map((round) => round.perSecond)),
    'per s',
    goal,
  );
  ratio(
    `${label}, 99th percentile`,
    median(results['ours']!.map((round) => round.p99)),
    median(results['bare']!.map((round) => round.p99)),
    'ms',
  );
}

/** The encoded body, which `fetch` would decode. */
async function fetchEncoded(url: string, headers: Record<string, string>) {
  const { get } = await import('node:http');
  const [response] = await once(get(url, { headers }), 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), encoding: response.headers['content-encoding'] ?? '' };
}

async function bareServer(bytes: Buffer, type: string, encoding: string) {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const file = join(folder, 'body');
  await writeFile(file, bytes);
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'measuring', 'bare-server.ts'), String(port), file, type, encoding],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      child.kill();
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

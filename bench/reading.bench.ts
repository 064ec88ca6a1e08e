import { once } from 'node:events';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { keysIn } from '../tests/server.ts';
import { startBareServer } from './measuring/bare-server.ts';
import { interleaved, load, median, type Round } from './measuring/load.ts';
import { figure, ratio } from './measuring/report.ts';
import { withServer } from './measuring/with-server.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;

/** Cached list and detail as HTML and JSON, compared with the same bytes from bare `node:http`. */
export default async function reading(): Promise<void> {
  await withServer({ SEED: 'demo' }, async (server) => {
    const list = await (await fetch(`${server.base}/case-studies`)).text();
    const data = { apikey: keysIn(server.dataDir).publishable };
    const detail = /href="(\/case-studies\/[0-9a-f-]{36}[^"]*)"/.exec(list)![1]!;
    const id = detail.split('/')[2]!;
    const select = 'select=*,project_media(*),case_study_metadata(category,tags)';
    await measure(server.base, 'list, HTML', '/case-studies', {}, 0.7);
    await measure(server.base, 'detail, HTML', detail, {}, 0.6);
    await measure(server.base, 'list, JSON', `/rest/v1/projects?${select}&order=created_at.desc&limit=24`, data, 0.7);
    await measure(server.base, 'detail, JSON', `/rest/v1/projects?${select}&id=eq.${id}`, data, 0.6);
    figure('list, HTML, bytes uncompressed', String(Buffer.byteLength(list)));
  });
}

async function measure(base: string, label: string, path: string, given: Record<string, string>, goal: number) {
  const headers = { ...given, 'accept-encoding': 'br' };
  await (await fetch(base + path, { headers })).arrayBuffer();
  // `fetch` would decode the body.
  const [response] = await once(get(base + path, { headers }), 'response');
  const { 'content-type': type, 'content-encoding': encoding } = response.headers;
  const bare = await startBareServer(await buffer(response), type, encoding);
  const results = await interleaved<Round>(ROUNDS, {
    ours: () => load(base + path, headers, ROUND_MS),
    bare: () => load(bare.url, headers, ROUND_MS),
  });
  bare.stop();
  const medianOf = (side: string, read: (round: Round) => number) => median(results[side]!.map(read));
  const perSecond = ({ perSecond: rate }: Round) => rate;
  ratio(label, medianOf('ours', perSecond), medianOf('bare', perSecond), 'per s', goal);
}

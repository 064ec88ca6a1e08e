import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSecret } from '../app/lib/data/ids.ts';
import { archive } from '../tests/operator/archive/command.ts';
import { clientOf } from '../tests/operator/client.ts';
import type { RunningServer } from '../tests/server.ts';
import { publishExperiments } from './measuring/experiments.ts';
import { quantile } from './measuring/load.ts';
import { figure } from './measuring/report.ts';
import { withServer } from './measuring/with-server.ts';

const SIZES = [1_000, 10_000];
const READERS = 4;
const QUIET_MS = 5_000;

/** Latency of uncached reads while an archive of an embedded installation is written, compared with the same without. */
export default async function archiveDuringReads(): Promise<void> {
  for (const size of SIZES) {
    await withServer({ SEED: 'none', TRUST_PROXY: '1' }, async (server) => {
      await publishExperiments(server, size);
      const path = join(server.dataDir, 'archive.tar');
      const baseline = await readDuring(server, () => sleep(QUIET_MS));
      const started = performance.now();
      const duringArchive = await readDuring(server, () => archive(server.dataDir, 'make', path));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const { size: bytes } = await stat(path);
      figure(`archive of ${size} projects`, `${seconds} s, ${(bytes / 1024 ** 2).toFixed(1)} MB`);
      figure('  readers without it', baseline);
      figure('  readers during it', duringArchive);
    });
  }
}

/** Reads uncached pages of the list until `work` resolves. */
async function readDuring(server: RunningServer, work: () => Promise<unknown>): Promise<string> {
  const { send } = clientOf(server);
  const times: number[] = [];
  let isDone = false;
  const read = async () => {
    while (!isDone) {
      const headers = { 'x-draft-secret': newSecret() };
      const started = performance.now();
      const response = await send('/rest/v1/projects?select=id,title&order=created_at.desc&limit=24', { headers });
      await response.bytes();
      if (response.status !== 200) throw new Error(`A read failed with status ${response.status}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all([...Array.from({ length: READERS }, read), work().finally(() => (isDone = true))]);
  const ms = (share: number) => quantile(times, share).toFixed(0);
  return `${times.length} responses, p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms, longest ${ms(1)} ms`;
}

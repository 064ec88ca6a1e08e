import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archive } from '../tests/operator/archive/command.ts';
import { newAddress, publishableKeyOf, startServer } from '../tests/server.ts';
import { fillProjects } from './measuring/large-installation/fill-projects.ts';
import { figure } from './measuring/report.ts';

const SIZES = [1_000, 10_000];
const READERS = 4;
const QUIET_MS = 5_000;

/** Latency of uncached reads while an archive of an embedded installation is written, compared with the same without. */
export default async function archiveWhileServing(): Promise<void> {
  for (const size of SIZES) {
    const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
    const settings = { SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' };
    await (await startServer(settings, folder)).stop({ keep: true });
    await fillProjects(join(folder, 'database'), size);
    const server = await startServer(settings, folder);
    try {
      const path = join(folder, 'archive.tar');
      const quiet = await whileReading(server.base, () => sleep(QUIET_MS));
      const started = performance.now();
      const busy = await whileReading(server.base, () => archive(folder, 'make', path));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const { size: bytes } = await stat(path);
      figure(`archive of ${size} projects`, `${seconds} s, ${(bytes / 1024 ** 2).toFixed(1)} MB`);
      figure('  readers without it', quiet);
      figure('  readers during it', busy);
    } finally {
      await server.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads uncached pages of the list until `work` resolves. */
async function whileReading(base: string, work: () => Promise<unknown>): Promise<string> {
  const apikey = await publishableKeyOf(base);
  const times: number[] = [];
  let over = false;
  const read = async () => {
    while (!over) {
      const headers = {
        apikey,
        'x-draft-secret': randomBytes(32).toString('base64url'),
        'x-forwarded-for': newAddress(),
      };
      const started = performance.now();
      const answer = await fetch(`${base}/rest/v1/projects?select=id,title&order=created_at.desc&limit=24`, {
        headers,
      });
      await answer.bytes();
      if (answer.status !== 200) throw new Error(`A read failed with status ${answer.status}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all([...Array.from({ length: READERS }, read), work().finally(() => (over = true))]);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(0);
  return `${times.length} responses, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

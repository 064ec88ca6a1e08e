import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { startServer } from '../tests/server.ts';
import { load, median } from './measuring/load.ts';
import { residentMegabytes } from './measuring/process-tree.ts';
import { figure, ratio } from './measuring/report.ts';

const ROUNDS = 5;

/** First start, restart and memory with the embedded database; a restart is compared with opening the folder and one query. */
export default async function startup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const first = await measureMs(() => startServer({ SEED: 'none', LOG_LEVEL: 'silent' }, folder));
  figure('first start to ready', `${first.ms.toFixed(0)} ms`);
  await first.value.stop({ keep: true });

  const restarts: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const restarted = await measureMs(async () => {
      const server = await startServer({ SEED: 'none', LOG_LEVEL: 'silent' }, folder);
      await fetch(`${server.base}/case-studies`);
      return server;
    });
    restarts.push(restarted.ms);
    if (round === ROUNDS - 1) {
      figure('memory idle, resident', `${residentMegabytes(restarted.value.process.pid!).toFixed(0)} MiB`);
      await load(`${restarted.value.base}/case-studies`, {}, 3_000);
      for (let page = 2; page < 200; page++)
        await (await fetch(`${restarted.value.base}/case-studies?page=${page}`)).arrayBuffer();
      figure('memory after load, resident', `${residentMegabytes(restarted.value.process.pid!).toFixed(0)} MiB`);
    }
    await restarted.value.stop({ keep: true });
    const choice = { kind: 'embedded' as const, folder: join(folder, 'database') };
    const opened = await measureMs(async () => {
      const db = await openDatabase(choice, { log: pino({ level: 'silent' }) });
      await db.query('select id, title from public.projects order by created_at desc limit 24');
      return db;
    });
    bare.push(opened.ms);
    await opened.value.close();
  }
  ratio('restart to first list (lower is better)', median(restarts), median(bare), 'ms');
  await rm(folder, { recursive: true });
}

async function measureMs<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await run();
  return { ms: performance.now() - start, value };
}

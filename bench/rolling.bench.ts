import { setTimeout as sleep } from 'node:timers/promises';
import { png } from '../packages/backend/tests/storage/files.ts';
import { findChanged, replaceWorkers, startLoad, startUploads } from '../tests/operator/processes/load.ts';
import { keysIn, startServer } from '../tests/server.ts';
import { startShared } from '../tests/two-machines/run.ts';
import { startTwoMachines } from '../tests/two-machines/start.ts';
import { figure } from './measuring/report.ts';

const RESTARTS = 20;
/** Client turns per second; every second upload has three requests. */
const TURNS = { reading: 180, uploading: 10 };
const CLIENTS = { reading: 36, uploading: 4 };

/**
 * Two machines with two processes each behind HAProxy get two hundred requests and uploads per second while their workers
 * are replaced twenty times, one machine after the other.
 * @throws Error when a request or an acknowledged picture is lost
 */
export default async function rolling(): Promise<void> {
  const services = await startShared();
  const cluster = await startTwoMachines(services.shared, (settings, dataDir) => startServer(settings, dataDir), {
    SEED: 'none',
    TRUST_PROXY: '1',
  });
  try {
    const { secret } = keysIn(cluster.dataDir);
    const picture = await png();
    const start = performance.now();
    const loadOptions = (kind: keyof typeof TURNS) => ({
      clients: CLIENTS[kind],
      everyMs: (CLIENTS[kind] / TURNS[kind]) * 1_000,
    });
    const load = startLoad(cluster.base, secret, loadOptions('reading'));
    const uploads = startUploads(cluster.base, secret, picture, loadOptions('uploading'));
    for (let restart = 0; restart < RESTARTS; restart++) {
      await replaceWorkers(cluster.machines[restart % 2]!);
      await sleep(1_000);
    }
    await Promise.all([load.stop(), uploads.stop()]);
    const seconds = (performance.now() - start) / 1_000;
    const requests = load.answered + uploads.answered * 2;
    figure('rolling restarts', `${RESTARTS} in ${seconds.toFixed(0)} s`);
    figure('requests', `${requests}, ${(requests / seconds).toFixed(0)} a second`);
    figure('uploads, half of them in two pieces', String(uploads.answered));
    const failures = [...load.lost, ...uploads.lost].map(({ what: label }) => label);
    const missing = await findChanged(cluster.base, uploads.acknowledged, picture);
    figure('requests and uploads lost', `${failures.length}, ${missing.length}`);
    if (failures.length + missing.length) throw new Error([...failures, ...missing].slice(0, 20).join('\n'));
  } finally {
    await cluster.stop();
    await services.stop();
  }
}

import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownConfig } from '../../../config.ts';
import { clusterMetrics, serveMetrics } from '../../../server/telemetry/metrics.ts';

// A primary of two servers that share a port and a database, each with a folder of its own below the one that is given.
cluster.setupPrimary({ exec: join(import.meta.dirname, '..', '..', '..', 'server.ts'), args: [] });
const folder = process.argv[2]!;
const { metrics } = await ownConfig();
for (const name of ['one', 'two']) {
  const worker = cluster.fork({ DATA_DIR: join(folder, name) });
  // First it only tries whether the port is free.
  for (let heard = 0; heard < 2; heard++) await once(worker, 'listening');
}
const stop = await serveMetrics(metrics!, clusterMetrics());
process.on('message', async () => {
  await stop();
  for (const worker of Object.values(cluster.workers ?? {})) worker!.process.kill('SIGKILL');
  process.exit();
});
process.send!('ready');

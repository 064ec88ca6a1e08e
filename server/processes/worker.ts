import cluster from 'node:cluster';
import { releaseLog } from '../../backend/http/log.ts';
import type { Config } from '../../config.ts';
import { type Started, startedOf } from '../banner.ts';
import { startServer } from '../start-server.ts';

/** What a worker tells its primary: once what it started, then that it lives. */
export type FromWorker = Started | 'alive';
/** What the primary asks of a worker. */
export type ToWorker = 'told' | 'drain' | 'leave' | 'close';

export const ALIVE_MS = 1_000;

/** Answers requests for a primary, which alone hears signals and says when this ends. It never outlives that. */
export async function runWorker(config: Config): Promise<void> {
  // A terminal and a service manager send them to every process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const server = await startServer(config, { ownsPort: false });
  const tell = (message: FromWorker) => process.send!(message);
  const close = async () => {
    await server.close();
    process.exit(0);
  };
  const acts: Record<ToWorker, () => unknown> = {
    // Where this fails, the next start makes another key, and that is printed.
    told: () => {
      releaseLog();
      return server.backend?.setupKeyPrinted().catch(() => undefined);
    },
    drain: () => server.drain(),
    leave: () => server.leave().then(close),
    close,
  };
  // Figures are asked for as well.
  process.on('message', (message: ToWorker) => acts[message]?.());
  // The primary prints what the first one has started.
  if (cluster.worker?.id !== 1) releaseLog();
  tell(startedOf(server));
  setInterval(() => tell('alive'), ALIVE_MS).unref();
}

import cluster from 'node:cluster';
import type { Config } from '../../packages/backend/config/config.ts';
import { flushLog } from '../../packages/backend/http/log.ts';
import { type StartInfo, startInfo } from '../banner.ts';
import { startServer } from '../start-server.ts';

export type FromWorker = StartInfo | 'alive';
export type ToWorker = 'announced' | 'drain' | 'leave' | 'close';

export const ALIVE_MS = 1_000;

/** Only the primary handles signals. A worker never outlives it. */
export async function runWorker(config: Config): Promise<void> {
  // Terminals and service managers signal every process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const server = await startServer(config, { ownsPort: false });
  const report = (message: FromWorker) => process.send!(message);
  let closing: Promise<never> | undefined;
  const close = () => (closing ??= server.close().then(() => process.exit(0)));
  const handlers: Record<ToWorker, () => unknown> = {
    // If this fails, the next start creates and prints another key.
    announced: () => {
      flushLog();
      return server.backend?.setupKeyPrinted().catch(() => undefined);
    },
    drain: () => server.drain(),
    leave: () => server.leave().then(close),
    close,
  };
  process.on('message', (message: ToWorker) => handlers[message]?.());
  if (cluster.worker?.id !== 1) flushLog();
  report(startInfo(server));
  setInterval(() => report('alive'), ALIVE_MS).unref();
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../packages/backend/config/config.ts';

/** Time for a load balancer that polls `/ready` every second and acts on the second result. */
const DRAIN_MS = 5_000;

/** How long a draining server still serves requests. Only behind a proxy and with data that another server can reach. */
const drainMs = ({ trustProxy, backend }: Config): number =>
  trustProxy > 0 && !(backend.kind === 'own' && backend.database.kind === 'embedded') ? DRAIN_MS : 0;

/** SIGINT, as from a terminal, and a second signal skip the delay. @param close returns the exit code */
export function stopOnSignal(config: Config, server: { drain(): void; close(): Promise<number> }): void {
  const skipDelay = new AbortController();
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping || signal === 'SIGINT') skipDelay.abort();
    if (stopping) return;
    stopping = true;
    const delayMs = drainMs(config);
    if (delayMs) {
      server.drain();
      await sleep(delayMs, undefined, { signal: skipDelay.signal }).catch(() => {});
    }
    setTimeout(() => process.exit(1), 15_000).unref();
    process.exit(await server.close());
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

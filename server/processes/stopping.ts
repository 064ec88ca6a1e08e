import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';

/** A stop that takes longer has failed: what is under way ends after seven seconds, the database needs about one. */
const PATIENCE_MS = 15_000;
/** A balancer that asks `/ready` each second and believes the second answer has noticed by then. */
const NOTICE_MS = 5_000;

/**
 * How long a server that is asked to end goes on answering while `/ready` says no. Only where there may be another one to
 * go to: behind a proxy, and with data that another can reach.
 */
const noticeMs = ({ trustProxy, backend }: Config): number =>
  trustProxy > 0 && !(backend.kind === 'own' && backend.database.kind === 'embedded') ? NOTICE_MS : 0;

/**
 * Ends this process when it is asked to: `drain`, time for a balancer to notice, then `close`. SIGINT, which is somebody at
 * a terminal, and a second signal of either kind need no such time.
 * @param close answers the exit code
 */
export function stopWhenAsked(config: Config, server: { drain(): void; close(): Promise<number> }): void {
  const hurry = new AbortController();
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping || signal === 'SIGINT') hurry.abort();
    if (stopping) return;
    stopping = true;
    const notice = noticeMs(config);
    if (notice) {
      server.drain();
      await sleep(notice, undefined, { signal: hurry.signal }).catch(() => {});
    }
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    process.exit(await server.close());
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * For processes that run for seconds or minutes: V8 optimizes functions of the embedded engine fifteen times later than by
 * default, because optimizing the largest takes seconds that a test never regains (decision 049). Empty in a bench, which
 * measures the default.
 */
export const SHORT_LIVED = process.env['VITEST'] ? ['--wasm-tiering-budget=200000000'] : [];

/** CPU time of this process for `work` in milliseconds. Unlike wall-clock time it excludes other processes. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Measures how much longer work takes beside other processes. Call the returned function at the end.
 * @returns 1 on an idle machine, 3 where this process waited for a core twice as long as it ran; 1 where the system does not report it
 */
export function measureSlowdown(): () => number {
  const path = '/proc/self/schedstat';
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8').split(' ').map(Number) : [1, 0]);
  const [ran, waited] = read();
  return () => {
    const [ranNow, waitedNow] = read();
    return 1 + (waitedNow! - waited!) / Math.max(1, ranNow! - ran!);
  };
}

/** CPU time of all processes since this machine started, in seconds. */
export const cpuTimeOfMachine = () =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;

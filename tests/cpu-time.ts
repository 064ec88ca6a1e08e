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

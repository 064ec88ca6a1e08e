/**
 * For processes that end after seconds or minutes: V8 optimizes a function of the embedded engine after it has run fifteen
 * times as long as by itself. The largest cost seconds of a core, which a test never earns back (decision 049). Empty in
 * a bench, which measures what ships.
 */
export const SHORT_LIVED = process.env['VITEST'] ? ['--wasm-tiering-budget=200000000'] : [];

/** Processor time that this process used for `work`, in milliseconds. Unlike the clock it does not count other processes. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Processor time that this process used for `work`, in milliseconds. Unlike the clock it does not count other processes. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

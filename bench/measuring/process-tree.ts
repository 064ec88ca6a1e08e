import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Running {
  parent: number;
  /** CPU time of its own, and of children of its that have ended. */
  ticks: number;
}

function readProcesses(): Map<number, Running> {
  const found = new Map<number, Running>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name of a program may hold anything; what follows its bracket does not.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      found.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** The processes that this one has started and that are still there. */
export const children = (): Set<number> =>
  new Set([...readProcesses()].flatMap(([pid, { parent }]) => (parent === process.pid ? [pid] : [])));

/** Seconds of CPU that some processes and all they have started have used so far: servers, workers, a database's sessions. */
export function cpuOf(roots: ReadonlySet<number>): number {
  const found = readProcesses();
  const isBelow = (pid: number): boolean => {
    const parent = found.get(pid)?.parent;
    return roots.has(pid) || (parent !== undefined && isBelow(parent));
  };
  return [...found].reduce((sum, [pid, { ticks }]) => sum + (isBelow(pid) ? ticks : 0), 0) / TICKS_PER_SECOND;
}

/** Memory that a process holds, without what it has started, in MiB. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface ProcessInfo {
  parent: number;
  /** CPU time of the process and of its terminated children. */
  ticks: number;
}

function readProcesses(): Map<number, ProcessInfo> {
  const found = new Map<number, ProcessInfo>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The program name in brackets may contain any character.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      found.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // The process has terminated meanwhile.
    }
  }
  return found;
}

export const children = (): Set<number> =>
  new Set([...readProcesses()].flatMap(([pid, { parent }]) => (parent === process.pid ? [pid] : [])));

/** CPU seconds of processes and all their descendants: servers, workers, database sessions. */
export function cpuOf(roots: ReadonlySet<number>): number {
  const found = readProcesses();
  const isBelow = (pid: number): boolean => {
    const parent = found.get(pid)?.parent;
    return roots.has(pid) || (parent !== undefined && isBelow(parent));
  };
  return [...found].reduce((sum, [pid, { ticks }]) => sum + (isBelow(pid) ? ticks : 0), 0) / TICKS_PER_SECOND;
}

/** Resident memory of a process without its children, in MiB. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

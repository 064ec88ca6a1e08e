import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../tests/programs/debian-packages.ts';

const SCRIPT = join(import.meta.dirname, 'wrk.lua');

/** The request to repeat: each `{any}` in it differs from request to request. */
export interface RequestSpec {
  path: string;
  headers?: Record<string, string>;
}

/**
 * Sends requests with `wrk`, each from an address of its own. It costs a fraction of what a loader of ours does, so that
 * the servers are the bottleneck.
 * @returns how many were answered
 * @throws Error when one was refused, or there is no `wrk`
 */
export async function requestForSeconds(
  base: string,
  request: RequestSpec,
  seconds: number,
  connections: number,
): Promise<number> {
  const wrk = findProgram('wrk', 'bench/pictures', '/usr/bin/wrk');
  if (!wrk) throw new Error('This needs wrk, a package of Debian.');
  const words = [request.path, ...Object.entries(request.headers ?? {}).flat()];
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT, base, '--', ...words];
  const { stdout } = await promisify(execFile)(wrk, args);
  const [, answered] = /(\d+) requests in/.exec(stdout)!;
  if (/Non-2xx|Socket errors/.test(stdout) || answered === '0') throw new Error(`${request.path}: ${stdout}`);
  return Number(answered);
}

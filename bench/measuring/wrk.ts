import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../tests/programs/debian-packages.ts';

const SCRIPT = join(import.meta.dirname, 'wrk.lua');

/** A request to repeat. Each `{any}` is replaced by a random value. */
export interface RequestSpec {
  path: string;
  headers?: Record<string, string>;
}

/**
 * Sends requests with `wrk`, each from a different client address. It uses less CPU than a load generator in Node, so the
 * servers are the bottleneck.
 * @returns number of responses
 * @throws Error when a request failed, or `wrk` is not installed
 */
export async function requestForSeconds(base: string, request: RequestSpec, seconds: number, connections: number) {
  const wrk = findProgram('wrk', 'bench/pictures', '/usr/bin/wrk');
  if (!wrk) throw new Error('wrk is missing: install the Debian package wrk.');
  const headerArgs = [request.path, ...Object.entries(request.headers ?? {}).flat()];
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT];
  const { stdout } = await promisify(execFile)(wrk, [...options, base, '--', ...headerArgs]);
  const [, count] = /(\d+) requests in/.exec(stdout)!;
  if (/Non-2xx|Socket errors/.test(stdout) || count === '0') throw new Error(`${request.path}: ${stdout}`);
  return Number(count);
}

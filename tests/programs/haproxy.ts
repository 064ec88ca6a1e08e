import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { findProgram } from './debian-packages.ts';

export interface TestBalancer {
  base: string;
  stop(): Promise<void>;
}

export const findHaproxy = (): string | null => findProgram('haproxy', 'two machines behind a balancer');

/**
 * Starts HAProxy in front of servers as recommended in `docs/decisions/057-worker-processes.md`: without stickiness, each
 * request goes to the next ready server.
 * @param port default: a free port
 */
export async function startHaproxy(servers: readonly string[], port?: number): Promise<TestBalancer> {
  const folder = mkdtempSync(join(tmpdir(), 'madhouse-haproxy-'));
  const own = port ?? (await freePort());
  const file = join(folder, 'haproxy.cfg');
  const lines = servers.map((origin, at) => `  server machine${at} ${new URL(origin).host}`);
  const config = `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option forwardfor
  option http-server-close
  option redispatch
  option httpchk GET /ready
  default-server check inter 1s fall 1 rise 1
listen site
  bind 127.0.0.1:${own}
  balance roundrobin
${lines.join('\n')}
`;
  writeFileSync(file, config);
  const balancer: ChildProcess = spawn(findHaproxy()!, ['-db', '-q', '-f', file], { stdio: 'ignore' });
  const ended = once(balancer, 'exit');
  const base = `http://127.0.0.1:${own}`;
  while (!(await fetch(`${base}/health`).catch(() => null))?.ok) {
    if (balancer.exitCode !== null) throw new Error('HAProxy did not start');
    await new Promise((wait) => setTimeout(wait, 50));
  }
  const stop = async () => {
    balancer.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { base, stop };
}

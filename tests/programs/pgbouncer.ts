import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { findProgram } from './debian-packages.ts';
import { ownerOfServer } from './postgres.ts';

export interface TestPooler {
  url: string;
  /** Restarts it at the same address, as an update of its package does. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const findPgBouncer = (): string | null => findProgram('pgbouncer', 'a connection pooler');

/**
 * Starts PgBouncer in transaction mode in front of a test PostgreSQL, with the package's configuration except names and ports.
 * @param sessions maximum server sessions per database
 */
export async function startPgBouncer(server: string, sessions = 4): Promise<TestPooler> {
  const { port: behind, pathname } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), 'madhouse-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    // All clients connect as the user above.
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: sessions,
    max_client_conn: 200,
    // Seconds between reconnection attempts to an unreachable server.
    server_login_retry: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=127.0.0.1 port=${behind} user=postgres`;
  writeFileSync(file, `[databases]\n${databases}\n[pgbouncer]\n${lines.join('\n')}\n`);
  // PgBouncer refuses to run as root.
  const owner = ownerOfServer();
  for (const path of owner ? [folder, file] : []) chownSync(path, owner!.uid, owner!.gid);
  let pooler: ChildProcess;
  const start = async () => {
    pooler = spawn(findPgBouncer()!, [file], { ...owner, cwd: folder, stdio: 'ignore' });
    while (!(await responses(port))) {
      if (pooler.exitCode !== null) throw new Error('PgBouncer did not start');
      await sleep(20);
    }
  };
  const end = async () => {
    const ended = once(pooler, 'exit');
    // An immediate shutdown, which also closes active connections.
    pooler.kill('SIGTERM');
    await ended;
  };
  await start();
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `postgres://postgres@127.0.0.1:${port}${pathname}`, restart: () => end().then(start), stop };
}

async function responses(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(() => true)
    .catch(() => false)
    .finally(() => socket.destroy());
}

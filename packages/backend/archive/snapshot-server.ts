import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, realpath, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BackendContext } from '../context.ts';
import { fsyncPath } from '../data-dir/durable-file.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { type CheckResult, recordArchive, recordCheck } from './archive-checks.ts';
import type { Manifest } from './manifest.ts';
import { InsufficientSpace, requireFreeSpace } from './write-new-file.ts';

/** Archives and the snapshot socket; accessible to the owner only. Forced to the disk: a power loss may keep its name alone. */
export const archivesFolder = (dataDir: string): string => join(dataDir, 'archives');

export type SnapshotResponse = { database: string | null } | { refused: string };

/** The command's JSON lines: a request for a snapshot, or the result of a check to record. */
export type SnapshotRequest = { want: 'snapshot' } | { want: 'remember'; check: CheckResult };
export type ArchiveReport = { made: Pick<Manifest, 'contents' | 'madeAt'> };

export const IN_PROGRESS_MESSAGE = 'Another archive is in progress. Try again when it is done.';

/** @returns `release`, to be called after closing the socket */
export async function socketAddress(dataDir: string): Promise<{ address: string; release: () => Promise<void> }> {
  const folder = archivesFolder(dataDir);
  if (await mkdir(folder, { recursive: true, mode: 0o700 })) await fsyncPath(folder);
  const noop = async () => {};
  if (process.platform === 'win32') {
    const name = hash('sha256', await realpath(folder), 'hex').slice(0, 32);
    return { address: `\\\\.\\pipe\\madhouse-archives-${name}`, release: noop };
  }
  if (process.platform !== 'linux') return { address: join(folder, 'socket'), release: noop };
  // A socket's path is limited to about a hundred bytes; that of an open folder is short.
  const handle = await open(folder, 'r');
  return { address: `/proc/self/fd/${handle.fd}/socket`, release: () => handle.close() };
}

const SNAPSHOT_PREFIX = 'snapshot-';
const MAX_SESSION_MS = 6 * 60 * 60 * 1000;
const REQUEST_TIMEOUT_MS = 10_000;
const WAL_BYTES = 64 * 1024 * 1024;

/**
 * While the archive command is connected, provides a copy of the embedded database and pauses removals. Same OS user only.
 * @param pauseRemovals pauses removals until the returned function is called
 */
export async function serveSnapshots({ config, db, log }: BackendContext, pauseRemovals: () => () => void) {
  // Workers would compete for the socket, and a database server needs no copy: bytes outlive their rows by weeks.
  if (config.workers > 1) return { busy: () => false, requireSpaceForCopy: async () => {}, close: async () => {} };
  const folder = archivesFolder(config.dataDir);
  const { address, release } = await socketAddress(config.dataDir);
  for (const name of await readdir(folder))
    if (name.startsWith(SNAPSHOT_PREFIX) || name === 'socket')
      await rm(join(folder, name), { recursive: true, force: true });
  let session: Promise<void> | null = null;
  let activeSocket: Socket | null = null;

  /** @throws InsufficientSpace when there is too little space to copy the database */
  const requireSpaceForCopy = async () => {
    if (!db.copyFolder) return;
    const { rows } = await db.query<{ size: number }>('select pg_database_size(current_database()) as size');
    await requireFreeSpace(folder, rows[0]!.size + WAL_BYTES, config.diskReserve);
  };
  const copyDatabase = async (targetFolder: string): Promise<SnapshotResponse> => {
    if (!db.copyFolder) return { database: null };
    try {
      await requireSpaceForCopy();
      await mkdir(targetFolder, { mode: 0o700 });
      const database = join(targetFolder, 'database');
      await db.copyFolder(database, { durable: false });
      return { database };
    } catch (error) {
      if (error instanceof InsufficientSpace) return { refused: error.message };
      if (error instanceof DatabaseUnavailable) return { refused: 'The server is too busy. Try again.' };
      log.error({ err: error }, 'copying the database for an archive failed');
      return { refused: 'The database could not be copied; see the server’s log.' };
    }
  };
  const serveSnapshot = async (socket: Socket, reports: AsyncIterable<string>): Promise<void> => {
    const timer = setTimeout(() => socket.destroy(), MAX_SESSION_MS).unref();
    const resumeRemovals = pauseRemovals();
    const snapshot = join(folder, SNAPSHOT_PREFIX + randomUUID());
    try {
      const response = await copyDatabase(snapshot);
      socket.write(`${JSON.stringify(response)}\n`);
      if ('refused' in response) socket.destroySoon();
      for await (const line of reports) await recordArchive(db, (JSON.parse(line) as ArchiveReport).made);
    } finally {
      clearTimeout(timer);
      resumeRemovals();
      await rm(snapshot, { recursive: true, force: true });
    }
  };
  const handleConnection = async (socket: Socket): Promise<void> => {
    const reader = createInterface({ input: socket });
    socket.once('close', () => reader.close());
    const lines = reader[Symbol.asyncIterator]();
    const timer = setTimeout(() => socket.destroy(), REQUEST_TIMEOUT_MS).unref();
    const { value: first } = await lines.next();
    clearTimeout(timer);
    if (!first) return;
    const request = JSON.parse(first) as SnapshotRequest;
    const respond = (response: SnapshotResponse) => socket.end(`${JSON.stringify(response)}\n`);
    if (request.want === 'remember') {
      await recordCheck(db, request.check);
      respond({ database: null });
    } else if (session) respond({ refused: IN_PROGRESS_MESSAGE });
    else {
      activeSocket = socket;
      session = serveSnapshot(socket, lines).finally(() => (session = null));
      await session;
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    handleConnection(socket).catch((err: unknown) => {
      log.warn({ err }, 'archive session ended early');
      socket.destroy();
    });
  });
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', (err) => {
      // Some file systems do not support sockets.
      log.warn({ err }, 'archive socket unavailable: archives need a stopped server');
      resolve(false);
    });
    server.listen(address, () => resolve(true));
  });
  server.unref();
  return {
    busy: () => session !== null,
    requireSpaceForCopy,
    async close(): Promise<void> {
      activeSocket?.destroy();
      await session?.catch(() => undefined);
      if (listening) await new Promise((resolve) => server.close(resolve));
      await release();
    },
  };
}

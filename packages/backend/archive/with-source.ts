import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { OwnConfig } from '../config/config.ts';
import { openDatabase } from '../database/open-database.ts';
import { openReadOnlyStore } from '../storage/open-store.ts';
import { type CheckResult, recordArchive, recordCheck } from './archive-checks.ts';
import type { ArchiveSource } from './make-archive.ts';
import type { Manifest } from './manifest.ts';
import type { ArchiveReport, SnapshotRequest, SnapshotResponse } from './snapshot-server.ts';
import { archivesFolder, socketAddress } from './snapshot-server.ts';

type Installation = Pick<OwnConfig, 'dataDir' | 'backend'>;

export async function recordCheckResult({ dataDir, backend }: Installation, check: CheckResult, log: Logger) {
  const server = await connectToServer(dataDir, { want: 'remember', check });
  if (server) return server.release();
  await using db = await openDatabase(backend.database, { log });
  await recordCheck(db, check);
}

/**
 * Uses the running server's snapshot or, without one, the stopped installation. @throws Error for the operator
 * @param work returns the manifest of the verified archive, to be recorded; null: none
 */
export async function withSource<Result extends Manifest | null>(
  { dataDir, backend }: Installation,
  log: Logger,
  work: (source: ArchiveSource, fromServer: boolean) => Promise<Result>,
): Promise<Result> {
  const server = await connectToServer(dataDir, { want: 'snapshot' });
  const choice = server?.database ? { kind: 'embedded' as const, folder: server.database } : backend.database;
  try {
    await using db = await openDatabase(choice, { log });
    const store = await openReadOnlyStore(backend.objects);
    const requireSnapshot = () => {
      if (server?.socket.closed)
        throw new Error('The server stopped while the archive was made. Nothing was written; try again.');
    };
    const manifest = await work({ db, store, requireSnapshot }, server !== null);
    if (manifest && server) {
      const { contents, madeAt } = manifest;
      server.socket.write(`${JSON.stringify({ made: { contents, madeAt } } satisfies ArchiveReport)}\n`);
    } else if (manifest) await recordArchive(db, manifest);
    return manifest;
  } finally {
    await server?.release();
  }
}

async function connectToServer(dataDir: string, request: SnapshotRequest) {
  if (!existsSync(archivesFolder(dataDir))) return null;
  const { address, release: releaseAddress } = await socketAddress(dataDir);
  const socket = connect(address);
  socket.write(`${JSON.stringify(request)}\n`);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const release = async () => {
    socket.end();
    await closed;
    await releaseAddress();
  };
  try {
    const response = await readResponse(socket);
    if (response && 'refused' in response) throw new Error(response.refused);
    if (response) return { socket, database: response.database, release };
    await release();
    return null;
  } catch (error) {
    await release();
    throw error;
  }
}

const readResponse = (socket: Socket) =>
  new Promise<SnapshotResponse | null>((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(JSON.parse(text) as SnapshotResponse);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ECONNREFUSED'
        ? resolve(null)
        : reject(new Error(`Cannot connect to the running server (${code}). Run this as the server’s user.`)),
    );
    socket.on('close', () => reject(new Error('The server stopped before it responded. Try again.')));
  });

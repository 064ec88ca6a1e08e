import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Config, OwnBackend } from '../../config.ts';
import { openDatabase } from '../database/open-database.ts';
import { readStore } from '../storage/open-store.ts';
import { type Check, recordCheck, recordMade } from './archive-checks.ts';
import type { Source } from './make-archive.ts';
import type { Manifest } from './manifest.ts';
import { archivesFolder, type Greeting, type Made, type SnapshotRequest, socketAddress } from './snapshot-socket.ts';

type House = Pick<Config, 'dataDir'> & { backend: OwnBackend };

export async function rememberCheck({ dataDir, backend }: House, check: Check, log: Logger): Promise<void> {
  const server = await askServer(dataDir, { want: 'remember', check });
  if (server) return server.letGo();
  const db = await openDatabase(backend.database, { log });
  await recordCheck(db, check).finally(() => db.close());
}

/**
 * Uses the running server's snapshot or, without one, the stopped installation.
 * @param work returns the manifest of the verified archive, to be recorded; null: none
 * @throws Error with a message for the operator
 */
export async function withSource<Result extends Manifest | null>(
  { dataDir, backend }: House,
  log: Logger,
  work: (source: Source, fromServer: boolean) => Promise<Result>,
): Promise<Result> {
  const server = await askServer(dataDir, { want: 'snapshot' });
  const choice = server?.database ? { kind: 'embedded' as const, folder: server.database } : backend.database;
  try {
    const db = await openDatabase(choice, { log });
    try {
      const store = await readStore(backend.objects);
      const held = () => {
        if (server?.socket.closed)
          throw new Error('The server stopped while the archive was made. Nothing was written; try again.');
      };
      const manifest = await work({ db, store, held }, server !== null);
      if (manifest && server) server.socket.write(`${JSON.stringify({ made: memorable(manifest) })}\n`);
      else if (manifest) await recordMade(db, manifest);
      return manifest;
    } finally {
      await db.close();
    }
  } finally {
    await server?.letGo();
  }
}

const memorable = ({ contents, madeAt }: Manifest): Made['made'] => ({ contents, madeAt });

interface Held {
  socket: Socket;
  database: string | null;
  letGo(): Promise<void>;
}

async function askServer(dataDir: string, request: SnapshotRequest): Promise<Held | null> {
  if (!existsSync(archivesFolder(dataDir))) return null;
  const { address, done } = await socketAddress(dataDir);
  const socket = connect(address);
  socket.write(`${JSON.stringify(request)}\n`);
  const closed = new Promise<void>((over) => socket.once('close', () => over()));
  const letGo = async () => {
    socket.end();
    await closed;
    await done();
  };
  try {
    const greeting = await greetingOf(socket);
    if (greeting && 'refused' in greeting) throw new Error(greeting.refused);
    if (greeting) return { socket, database: greeting.database, letGo };
    await letGo();
    return null;
  } catch (error) {
    await letGo();
    throw error;
  }
}

const greetingOf = (socket: Socket) =>
  new Promise<Greeting | null>((answer, refuse) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) answer(JSON.parse(text) as Greeting);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ECONNREFUSED'
        ? answer(null)
        : refuse(new Error(`Cannot connect to the running server (${code}). Run this as the server’s user.`)),
    );
    socket.on('close', () => refuse(new Error('The server stopped before it answered. Try again.')));
  });

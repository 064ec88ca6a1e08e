import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { BackendContext } from '../context.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { recordCheck, recordMade } from './archive-checks.ts';
import { databaseSize, NoRoom, requireRoom } from './free-space.ts';
import {
  ANOTHER,
  archivesFolder,
  type Greeting,
  type Made,
  type SnapshotRequest,
  socketAddress,
} from './snapshot-socket.ts';

const SNAPSHOT = 'snapshot-';
const LONGEST_MS = 6 * 60 * 60 * 1000;
const FIRST_LINE_MS = 10_000;
const LOG_BYTES = 64 * 1024 * 1024;

interface Snapshots {
  busy(): boolean;
  /** @throws NoRoom when there is too little space to copy the database */
  requireRoom(): Promise<void>;
  close(): Promise<void>;
}

/**
 * While the archive command is connected: a copy of the embedded database, and no removals. Same OS user only.
 * @param holdRemovals suspends removals until its result is called
 */
export async function serveSnapshots(
  { config, db, log }: BackendContext,
  holdRemovals: () => () => void,
): Promise<Snapshots> {
  // Workers would compete for the socket, and a database server needs no copy: bytes outlive their rows by weeks.
  if (config.workers > 1) return { busy: () => false, requireRoom: async () => {}, close: async () => {} };
  const folder = archivesFolder(config.dataDir);
  const { address, done } = await socketAddress(config.dataDir);
  for (const name of await readdir(folder))
    if (name.startsWith(SNAPSHOT) || name === 'socket') await rm(join(folder, name), { recursive: true, force: true });
  let serving: Promise<void> | null = null;
  let held: Socket | null = null;

  const roomForCopy = async () => {
    if (db.copyFolder) await requireRoom(folder, (await databaseSize(db)) + LOG_BYTES, config.diskReserve);
  };
  const copyDatabase = async (to: string): Promise<Greeting> => {
    if (!db.copyFolder) return { database: null };
    try {
      await roomForCopy();
      await mkdir(to, { mode: 0o700 });
      const database = join(to, 'database');
      await db.copyFolder(database, { durable: false });
      return { database };
    } catch (error) {
      if (error instanceof NoRoom) return { refused: error.message };
      if (error instanceof DatabaseUnavailable) return { refused: 'The server is too busy. Try again.' };
      log.error({ err: error }, 'copying the database for an archive failed');
      return { refused: 'The database could not be copied; see the server’s log.' };
    }
  };
  const serve = async (socket: Socket, heard: () => string[], closed: Promise<void>): Promise<void> => {
    const timer = setTimeout(() => socket.destroy(), LONGEST_MS).unref();
    const letGo = holdRemovals();
    const snapshot = join(folder, SNAPSHOT + randomUUID());
    try {
      const greeting = await copyDatabase(snapshot);
      socket.write(`${JSON.stringify(greeting)}\n`);
      if ('refused' in greeting) socket.destroySoon();
      await closed;
      for (const line of heard().slice(1)) await recordMade(db, (JSON.parse(line) as Made).made);
    } finally {
      clearTimeout(timer);
      letGo();
      await rm(snapshot, { recursive: true, force: true });
    }
  };
  const answer = async (socket: Socket): Promise<void> => {
    const closed = new Promise<void>((over) => socket.once('close', () => over()));
    let text = '';
    const heard = () => text.split('\n').slice(0, -1);
    const timer = setTimeout(() => socket.destroy(), FIRST_LINE_MS).unref();
    await new Promise<void>((asked) => {
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (heard().length) asked();
      });
      void closed.then(asked);
    });
    clearTimeout(timer);
    const [first] = heard();
    if (!first) return;
    const request = JSON.parse(first) as SnapshotRequest;
    const refuse = (refused: string) => socket.end(`${JSON.stringify({ refused })}\n`);
    if (request.want === 'remember') {
      await recordCheck(db, request.check);
      socket.end(`${JSON.stringify({ database: null })}\n`);
    } else if (serving) refuse(ANOTHER);
    else {
      held = socket;
      serving = serve(socket, heard, closed).finally(() => (serving = null));
      await serving;
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket).catch((err: unknown) => {
      log.warn({ err }, 'archive session ended early');
      socket.destroy();
    });
  });
  const listening = await new Promise<boolean>((answer) => {
    server.once('error', (err) => {
      // Some file systems do not support sockets.
      log.warn({ err }, 'archive socket unavailable: archives need a stopped server');
      answer(false);
    });
    server.listen(address, () => answer(true));
  });
  server.unref();
  return {
    busy: () => serving !== null,
    requireRoom: roomForCopy,
    async close() {
      held?.destroy();
      await serving?.catch(() => undefined);
      if (listening) await new Promise((closed) => server.close(closed));
      await done();
    },
  };
}

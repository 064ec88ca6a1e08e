import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { recordOwn } from '../auth/audit.ts';
import type { BackendContext } from '../context.ts';
import { DatabaseUnavailable } from '../database/database.ts';
import { databaseSize, NoRoom, requireRoom } from './room.ts';
import { archivesFolder, type Greeting, MADE, socketAddress } from './snapshot-socket.ts';

const SNAPSHOT = 'snapshot-';
/** Whoever holds the house for longer was forgotten. */
const LONGEST_MS = 6 * 60 * 60 * 1000;
/** What the database keeps of its log, beside its tables. */
const LOG_BYTES = 64 * 1024 * 1024;

/**
 * Lets the command that makes archives have a house that stands still, while this one goes on: a copy of the embedded
 * database, and no object's bytes removed, for as long as the command stays connected. Only this user can connect.
 * @param holdRemovals keeps the bytes of objects from being removed until what it returns is called
 * @returns ends it
 */
export async function serveSnapshots(
  { config, db, log }: BackendContext,
  holdRemovals: () => () => void,
): Promise<() => Promise<void>> {
  const folder = archivesFolder(config.dataDir);
  const { address, done } = await socketAddress(config.dataDir);
  for (const name of await readdir(folder))
    if (name.startsWith(SNAPSHOT) || name === 'socket') await rm(join(folder, name), { recursive: true, force: true });
  let serving: Promise<void> | null = null;
  let held: Socket | null = null;

  const copyDatabase = async (to: string): Promise<Greeting> => {
    if (!db.copyFolder) return { database: null };
    try {
      await requireRoom(folder, (await databaseSize(db)) + LOG_BYTES, config.diskReserve);
      await mkdir(to, { mode: 0o700 });
      const database = join(to, 'database');
      await db.copyFolder(database, { durable: false });
      return { database };
    } catch (error) {
      if (error instanceof NoRoom) return { refused: error.message };
      if (error instanceof DatabaseUnavailable) return { refused: 'The server is too busy. Try again.' };
      log.error({ err: error }, 'the database was not copied for an archive');
      return { refused: 'The database could not be copied; the log of the server says why.' };
    }
  };
  const serve = async (socket: Socket): Promise<void> => {
    const closed = new Promise<void>((over) => socket.once('close', () => over()));
    const timer = setTimeout(() => socket.destroy(), LONGEST_MS).unref();
    const letGo = holdRemovals();
    const snapshot = join(folder, SNAPSHOT + randomUUID());
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    try {
      const greeting = await copyDatabase(snapshot);
      socket.write(`${JSON.stringify(greeting)}\n`);
      if ('refused' in greeting) socket.destroySoon();
      await closed;
      if (heard === MADE) await recordOwn(db, { action: 'archive_made', outcome: 'success' });
    } finally {
      clearTimeout(timer);
      letGo();
      await rm(snapshot, { recursive: true, force: true });
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (serving) {
      socket.write(`${JSON.stringify({ refused: 'Another archive is being made. Try again when it is done.' })}\n`);
      socket.destroySoon();
      return;
    }
    held = socket;
    serving = serve(socket)
      .catch((err: unknown) => log.warn({ err }, 'an archive was not held to its end'))
      .finally(() => (serving = null));
  });
  const listening = await new Promise<boolean>((answer) => {
    server.once('error', (err) => {
      // Some file systems have no sockets.
      log.warn({ err }, 'archives can only be made while the server is stopped');
      answer(false);
    });
    server.listen(address, () => answer(true));
  });
  server.unref();
  return async () => {
    held?.destroy();
    await serving;
    if (listening) await new Promise((closed) => server.close(closed));
    await done();
  };
}

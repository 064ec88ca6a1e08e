import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { acquireLease } from '../schedule.ts';
import { NoRoom } from './room.ts';

const COMMAND = join(import.meta.dirname, 'archive-command.ts');
/** The response begins after this time at the latest; copying a large database takes longer. */
const FIRST_BYTE_MS = 20_000;
/** Estimated compression ratio of rows. */
const USUAL_PACKING = 8;
/** A client that reads nothing for this long has disconnected. */
const LONGEST_PAUSE_MS = 120_000;

type Command = ChildProcessByStdio<null, Readable, Readable>;

export interface Download {
  bytes: ReadableStream<Uint8Array>;
  about: number;
}

export type NoDownload = 'another' | 'full' | 'failed';

/** Downloads without credentials, made in a child process. Embedded, the database is copied to disk meanwhile. */
export function archiveDownloads(
  { db, log }: { db: Database; log: Logger },
  snapshots: { busy(): boolean; requireRoom(): Promise<void> },
) {
  let running: { command: Command; ended: Promise<boolean> } | null = null;
  return {
    async begin(gone: AbortSignal): Promise<Download | NoDownload> {
      if (running || snapshots.busy()) return 'another';
      try {
        await snapshots.requireRoom();
      } catch (error) {
        if (error instanceof NoRoom) return 'full';
        throw error;
      }
      const { sizesOf } = await import('./make.ts');
      const { objects, rows } = await sizesOf(db);
      const about = objects + Math.ceil(rows / USUAL_PACKING);
      const release = await acquireLease(db, 'archive download');
      if (!release) return 'another';
      // Embedded, a lease is also granted to a second request of the same process.
      if (running) {
        await release();
        return 'another';
      }
      const command = spawn(process.execPath, [COMMAND, 'make', '-', '--take-away'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const end = () => void command.kill('SIGKILL');
      gone.addEventListener('abort', end);
      const ended = endOf(command, log).finally(async () => {
        gone.removeEventListener('abort', end);
        await release().catch((err: unknown) => log.warn({ err }, 'releasing the archive download failed'));
        running = null;
      });
      running = { command, ended };
      if (gone.aborted) end();
      const chunks = command.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const first = chunks.next();
      const begun = await Promise.race([
        first.then(
          ({ done }) => !done,
          () => false,
        ),
        new Promise<true>((late) => setTimeout(() => late(true), FIRST_BYTE_MS).unref()),
      ]);
      return begun ? { bytes: bytesOf(command, first, chunks, ended), about } : 'failed';
    },
    async close(): Promise<void> {
      running?.command.kill('SIGKILL');
      await running?.ended;
    },
  };
}

function endOf(command: Command, log: Logger): Promise<boolean> {
  let said = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const silent = new Promise<void>((over) => command.stderr.once('end', over));
  const complain = (reason: object) => log.error(reason, 'data export failed');
  return new Promise((over) => {
    command.once('error', (err) => {
      complain({ err });
      over(false);
    });
    command.once('exit', (code, signal) => {
      over(code === 0);
      // Killed because the client disconnected or the server stops.
      if (code !== 0 && signal !== 'SIGKILL') void silent.then(() => complain({ said: said.trim() }));
    });
  });
}

function bytesOf(
  command: Command,
  first: Promise<IteratorResult<Buffer>>,
  chunks: AsyncIterator<Buffer>,
  ended: Promise<boolean>,
): ReadableStream<Uint8Array> {
  let waiting: Promise<IteratorResult<Buffer>> | null = first;
  let pause: NodeJS.Timeout | undefined;
  const end = () => {
    command.kill('SIGKILL');
    command.stdout.destroy();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(pause);
        const next = await (waiting ?? chunks.next()).catch(() => null);
        waiting = null;
        if (next && !next.done) {
          controller.enqueue(new Uint8Array(next.value));
          pause = setTimeout(end, LONGEST_PAUSE_MS).unref();
        } else if (next && (await ended)) controller.close();
        else controller.error(new Error('The archive is incomplete.'));
      },
      cancel() {
        clearTimeout(pause);
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

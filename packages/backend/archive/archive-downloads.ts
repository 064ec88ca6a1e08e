import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { acquireLease } from '../database/schedule.ts';
import { InsufficientSpace } from './write-new-file.ts';

const COMMAND = join(import.meta.dirname, 'archive-command.ts');
/** The response begins after this time at the latest; copying a large database takes longer. */
const FIRST_BYTE_MS = 20_000;
const ROW_COMPRESSION_RATIO = 8;
/** A client that reads nothing for this long has disconnected. */
const MAX_CLIENT_PAUSE_MS = 120_000;

type ArchiveProcess = ChildProcessByStdio<null, Readable, Readable>;

export interface ArchiveDownload {
  bytes: ReadableStream<Uint8Array>;
  /** Estimated size in bytes. */
  about: number;
}

export type DownloadRefusal = 'another' | 'full' | 'failed';

/** Archives without credentials, made in a child process. An embedded database is copied to disk meanwhile. */
export function createArchiveDownloads(
  { db, log }: { db: Database; log: Logger },
  snapshots: { busy(): boolean; requireSpaceForCopy(): Promise<void> },
) {
  let running: { child: ArchiveProcess; exited: Promise<boolean> } | null = null;
  return {
    async start(signal: AbortSignal): Promise<ArchiveDownload | DownloadRefusal> {
      if (running || snapshots.busy()) return 'another';
      try {
        await snapshots.requireSpaceForCopy();
      } catch (error) {
        if (error instanceof InsufficientSpace) return 'full';
        throw error;
      }
      const { readSizes } = await import('./make-archive.ts');
      const { objects, rows } = await readSizes(db);
      const about = objects + Math.ceil(rows / ROW_COMPRESSION_RATIO);
      const release = await acquireLease(db, 'archive download');
      if (!release) return 'another';
      // Embedded, a lease is also granted to a second request of the same process.
      if (running) {
        await release();
        return 'another';
      }
      const child = spawn(process.execPath, [COMMAND, 'make', '-', '--take-away'], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const kill = () => void child.kill('SIGKILL');
      signal.addEventListener('abort', kill);
      const exited = waitForExit(child, log).finally(async () => {
        signal.removeEventListener('abort', kill);
        await release().catch((err: unknown) => log.warn({ err }, 'releasing the archive download failed'));
        running = null;
      });
      running = { child, exited };
      if (signal.aborted) kill();
      const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const firstChunk = chunks.next();
      const hasStarted = await Promise.race([
        firstChunk.then(
          ({ done }) => !done,
          () => false,
        ),
        new Promise<true>((resolve) => setTimeout(() => resolve(true), FIRST_BYTE_MS).unref()),
      ]);
      return hasStarted ? { bytes: streamOutput(child, firstChunk, chunks, exited), about } : 'failed';
    },
    async close(): Promise<void> {
      running?.child.kill('SIGKILL');
      await running?.exited;
    },
  };
}

function waitForExit(child: ArchiveProcess, log: Logger): Promise<boolean> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const stderrEnd = new Promise<void>((resolve) => child.stderr.once('end', resolve));
  const logFailure = (reason: object) => log.error(reason, 'data export failed');
  return new Promise((resolve) => {
    child.once('error', (err) => {
      logFailure({ err });
      resolve(false);
    });
    child.once('exit', (code, signal) => {
      resolve(code === 0);
      // Killed because the client disconnected or the server stops.
      if (code !== 0 && signal !== 'SIGKILL') void stderrEnd.then(() => logFailure({ stderr: stderr.trim() }));
    });
  });
}

function streamOutput(
  child: ArchiveProcess,
  firstChunk: Promise<IteratorResult<Buffer>>,
  chunks: AsyncIterator<Buffer>,
  exited: Promise<boolean>,
): ReadableStream<Uint8Array> {
  let pending: Promise<IteratorResult<Buffer>> | null = firstChunk;
  let pauseTimer: NodeJS.Timeout | undefined;
  const kill = () => {
    child.kill('SIGKILL');
    child.stdout.destroy();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(pauseTimer);
        const next = await (pending ?? chunks.next()).catch(() => null);
        pending = null;
        if (next && !next.done) {
          controller.enqueue(new Uint8Array(next.value));
          pauseTimer = setTimeout(kill, MAX_CLIENT_PAUSE_MS).unref();
        } else if (next && (await exited)) controller.close();
        else controller.error(new Error('The archive is incomplete.'));
      },
      cancel() {
        clearTimeout(pauseTimer);
        kill();
      },
    },
    { highWaterMark: 0 },
  );
}

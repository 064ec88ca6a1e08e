import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Archives without credentials, made in a child process. An embedded database is copied to disk meanwhile. */
export function createArchiveDownloads(
  { db, log }: { db: Database; log: Logger },
  snapshots: { busy(): boolean; requireSpaceForCopy(): Promise<void> },
) {
  let running: { child: ArchiveProcess; exited: Promise<boolean> } | null = null;
  return {
    async start(signal: AbortSignal) {
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
      const args = [COMMAND, 'make', '-', '--take-away'];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const kill = () => void child.kill('SIGKILL');
      signal.addEventListener('abort', kill);
      const exited = waitForExit(child, log).finally(async () => {
        signal.removeEventListener('abort', kill);
        await release().catch((err: unknown) => log.warn({ err }, 'releasing the archive download failed'));
        running = null;
      });
      running = { child, exited };
      if (signal.aborted) kill();
      const hasStarted = await Promise.race([
        once(child.stdout, 'readable').then(() => child.stdout.readableLength > 0),
        once(child.stdout, 'close').then(() => false),
        sleep(FIRST_BYTE_MS, true, { ref: false }),
      ]);
      return hasStarted ? { bytes: ReadableStream.from(readOutput(child, exited)), about } : 'failed';
    },
    async close(): Promise<void> {
      running?.child.kill('SIGKILL');
      await running?.exited;
    },
  };
}

async function waitForExit(child: ArchiveProcess, log: Logger): Promise<boolean> {
  const stderr = text(child.stderr);
  try {
    const [code, signal] = await once(child, 'exit');
    // Killed because the client disconnected or the server stops.
    if (code !== 0 && signal !== 'SIGKILL') log.error({ stderr: (await stderr).trim() }, 'data export failed');
    return code === 0;
  } catch (err) {
    log.error({ err }, 'data export failed');
    return false;
  }
}

async function* readOutput(child: ArchiveProcess, exited: Promise<boolean>): AsyncGenerator<Uint8Array> {
  let pauseTimer: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of child.stdout) {
      pauseTimer = setTimeout(() => child.kill('SIGKILL'), MAX_CLIENT_PAUSE_MS).unref();
      yield new Uint8Array(chunk);
      clearTimeout(pauseTimer);
    }
    if (!(await exited)) throw new Error('The archive is incomplete.');
  } finally {
    clearTimeout(pauseTimer);
    child.kill('SIGKILL');
  }
}

import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BackendContext } from '../context.ts';
import { runHourly } from '../database/schedule.ts';
import { FAILED_CHECK, recordCheck } from './archive-checks.ts';
import { archivesFolder, IN_PROGRESS_MESSAGE } from './snapshot-server.ts';

const execFileAsync = promisify(execFile);
const COMMAND = join(import.meta.dirname, 'archive-command.ts');
const DAY_MS = 24 * 60 * 60 * 1000;
const ARCHIVE_FILE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/;
const PARTIAL_FILE = /^\d{8}T\d{6}Z\.tar\.\d+\.part$/;

/** Hourly: creates an archive, without keys, if the last day has none. @returns stops it, and an archive in progress */
export function startDailyArchives({ config, db, log }: BackendContext): () => Promise<void> {
  const { database, keepArchives: keepCount } = config.backend;
  if (database.kind !== 'embedded' || keepCount === 0) return async () => {};
  let isStopped = false;
  let running: ReturnType<typeof execFileAsync> | undefined;
  const make = async (path: string) => {
    running = execFileAsync(process.execPath, [COMMAND, 'make', path]);
    await running.catch(async ({ stderr, message }: Error & { stderr?: string }) => {
      const reason = stderr?.trim() || message;
      // The next try is in an hour; a stop or a concurrent archive is no failure.
      if (!isStopped && reason !== IN_PROGRESS_MESSAGE) await recordCheck(db, FAILED_CHECK);
      throw new Error(reason);
    });
  };
  const job = () => makeDailyArchive(archivesFolder(config.dataDir), keepCount, make);
  const stop = runHourly(job, { db, name: 'archive', log });
  return async () => {
    isStopped = true;
    running?.child.kill('SIGKILL');
    await stop();
  };
}

/** Skipped when the newest is less than a day old. Removes all but the newest `keepCount`. */
export async function makeDailyArchive(folder: string, keepCount: number, make: (path: string) => Promise<void>) {
  const names = await readdir(folder);
  const archives = names.filter((name) => ARCHIVE_FILE.test(name)).sort();
  // A wrong clock may have named one in the future.
  const ages = archives.map((name) => Date.now() - Date.parse(name.replace(ARCHIVE_FILE, '$1-$2-$3T$4:$5:$6Z')));
  if (ages.some((age) => age >= 0 && age < DAY_MS)) return;
  for (const name of names.filter((one) => PARTIAL_FILE.test(one))) await rm(join(folder, name), { force: true });
  const name = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`;
  await make(join(folder, name));
  for (const old of [...archives, name].slice(0, -keepCount)) await rm(join(folder, old), { force: true });
}

import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackendContext } from '../context.ts';
import { runHourly } from '../schedule.ts';
import { FAILED, recordCheck } from './checks.ts';
import { ANOTHER, archivesFolder } from './snapshot-socket.ts';

const COMMAND = join(import.meta.dirname, 'archive-command.ts');
const DAY_MS = 24 * 60 * 60 * 1000;
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/;
/** Left behind by a killed process. */
const LEFT = /^\d{8}T\d{6}Z\.tar\.\d+\.part$/;

/** Hourly: creates an archive, without keys, if the last day has none. @returns stops it, and an archive in progress */
export function keepArchives({ config, db, log }: BackendContext): () => Promise<void> {
  const { database, keepArchives: kept } = config.backend;
  if (database.kind !== 'embedded' || kept === 0) return async () => {};
  const ending = new AbortController();
  const make = (path: string) =>
    runCommand(['make', path], ending.signal).catch(async (error: Error) => {
      // The next try is in an hour; an abort or a concurrent archive is no failure.
      if (!ending.signal.aborted && error.message !== ANOTHER) await recordCheck(db, FAILED);
      throw error;
    });
  const stop = runHourly(() => archiveOfToday(archivesFolder(config.dataDir), kept, make), {
    db,
    name: 'archive',
    log,
    failureMessage: 'daily archive failed',
  });
  return async () => {
    ending.abort();
    await stop();
  };
}

/** Skipped when the newest is less than a day old. Removes all but `kept`. */
export async function archiveOfToday(folder: string, kept: number, make: (path: string) => Promise<void>) {
  const names = await readdir(folder);
  const archives = names.filter((name) => NAME.test(name)).sort();
  const newest = archives.at(-1)?.replace(NAME, '$1-$2-$3T$4:$5:$6Z');
  if (newest && Date.now() - Date.parse(newest) < DAY_MS) return;
  for (const name of names.filter((one) => LEFT.test(one))) await rm(join(folder, name), { force: true });
  const name = `${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar`;
  await make(join(folder, name));
  for (const old of [...archives, name].slice(0, -kept)) await rm(join(folder, old), { force: true });
}

/** @throws Error with the command's output when it failed */
function runCommand(words: string[], signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [COMMAND, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end);
    child.on('error', failed);
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      if (code === 0) done();
      else failed(new Error(said.trim() || `The command ended with ${code ?? 'a signal'}.`));
    });
  });
}

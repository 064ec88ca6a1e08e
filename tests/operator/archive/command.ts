import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Archive } from '../../../packages/backend/archive/open-archive.ts';
import { SHORT_LIVED } from '../../cpu-time.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const COMMAND = join(ROOT, 'packages', 'backend', 'archive', 'archive-command.ts');

export function startArchive(dataDir: string, words: string[], settings: Record<string, string> = {}) {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [...SHORT_LIVED, COMMAND, ...words], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise<{ code: number | null; output: string }>((end) =>
    child.on('close', (code) => end({ code, output })),
  );
  return { child, ended, output: () => output };
}

export const archive = (dataDir: string, ...words: string[]) => startArchive(dataDir, words).ended;

export const snapshotsOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'archives'))).filter((name) => name.startsWith('snapshot-'));

/** The rows of a table in an archive, by column. @param title schema and name */
export async function rowsIn(opened: Archive, title: string): Promise<Record<string, string | null>[]> {
  const table = opened.manifest.tables.find(({ schema, name }) => `${schema}.${name}` === title)!;
  const rows: Record<string, string | null>[] = [];
  for await (const part of opened.readLines(table))
    for (const line of part)
      rows.push(Object.fromEntries((JSON.parse(line) as string[]).map((value, at) => [table.columns[at], value])));
  return rows;
}

/** Checks the exit code of a command, and part of its output. */
export async function expectOutput(
  command: Promise<{ code: number | null; output: string }>,
  code: number,
  words: string | RegExp,
): Promise<void> {
  const matcher = typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);
  expect(await command).toEqual({ code, output: matcher });
}

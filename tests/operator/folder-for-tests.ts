import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a temporary folder that is deleted after the last test of the surrounding `describe`. */
export function folderForTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'madhouse-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

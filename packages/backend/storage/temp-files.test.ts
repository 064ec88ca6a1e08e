import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiskSpace } from '../data-dir/disk-space.ts';
import { TempFiles } from './temp-files.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'madhouse-temp-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const disk = new DiskSpace(tmpdir(), 0);

/** A process with temporary files, until it is killed. */
async function otherProcess() {
  const script = `
    const { TempFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'temp-files.ts'))});
    const files = new TempFiles(${JSON.stringify(root)}, {});
    await files.prepare();
    console.log(files.folder);
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [folder] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, folder: folder.toString().trim() };
}

it('temporary files survive the start of a second process, and are removed after their process has died', async () => {
  const { child, folder } = await otherProcess();
  const file = join(folder, 'incoming');
  await writeFile(file, 'bytes');
  const hoursAgo = new Date(Date.now() - 3 * 60 * 60 * 1000);
  await utimes(folder, hoursAgo, hoursAgo);
  const files = new TempFiles(root, disk);
  await files.prepare();
  expect(existsSync(file)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await files.removeAbandoned();
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(files.folder)).toBe(true);
  await files.close();
  expect(await readdir(root)).toEqual([]);
});

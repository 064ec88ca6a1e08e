import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tests/database.ts';
import { copyWhileInUse } from './folder-copy.ts';

/** Every file below with its content, every folder with null. */
async function contentsOf(folder: string): Promise<Record<string, string | null>> {
  const paths = (await readdir(folder, { recursive: true })).sort();
  const entries = paths.map(async (path) => {
    const place = join(folder, path);
    return [path, (await stat(place)).isDirectory() ? null : await readFile(place, 'utf8')];
  });
  return Object.fromEntries(await Promise.all(entries));
}

it('D11: copies the state of a folder during the pause, including files that changed while copying', async () => {
  const { folder, remove } = await temporaryFolder({ onDisk: true });
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  await mkdir(join(from, 'deep', 'empty'), { recursive: true });
  for (const name of ['same', 'longer', 'as-long', 'gone', 'replaced', 'deep/inner'])
    await writeFile(join(from, name), `first ${name}`);
  await copyWhileInUse(from, to, async (work) => {
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
    await writeFile(join(from, 'longer'), 'more in it than there was');
    // Same size and, on a coarse clock, same time.
    await writeFile(join(from, 'as-long'), 'other as-long');
    await rm(join(from, 'gone'));
    await writeFile(join(from, 'deep', 'fresh'), 'new');
    await rename(join(from, 'deep', 'inner'), join(from, 'replaced'));
    await mkdir(join(from, 'deeper'));
    await work();
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
  });
  await remove();
});

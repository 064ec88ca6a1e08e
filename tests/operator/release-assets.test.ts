import { createHash } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDisk } from '../../backend/storage/disk.ts';
import { headersOf, type Stored, store as stored } from '../../server/files.ts';
import { ReleaseAssets } from '../../server/release-assets.ts';
import { temporaryFolder } from '../database.ts';
import { startServer } from '../server.ts';

const SCRIPT = '/assets/page-Ab_12.js';
const WORDS = 'export const words = "of the release before";';
const nameOf = (path: string) => createHash('sha256').update(path).digest('hex');

let home: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(() => home.remove());

/** A release with these files, and the same file outside of its assets. */
async function release(...paths: string[]): Promise<ReleaseAssets> {
  const files = new Map<string, Stored>();
  for (const path of [...paths, '/robots.txt'])
    files.set(path, await stored(200, headersOf(path), Buffer.from(path === SCRIPT ? WORDS : path)));
  return new ReleaseAssets(await openDisk(home.folder), files, 0);
}

/** Lets a release leave what it has, and answers what lies there then. */
async function leave(assets: ReleaseAssets): Promise<string[]> {
  const before = new Set(await kept());
  const failures: unknown[] = [];
  assets.keep((error) => failures.push(error));
  await expect
    .poll(async () => (await kept()).some((name) => name.startsWith('release-') && !before.has(name)))
    .toBe(true);
  await assets.close();
  expect(failures).toEqual([]);
  return kept();
}
const kept = () => readdir(join(home.folder, 'assets')).catch(() => [] as string[]);

describe('the assets of a release', () => {
  it('are found by the next one, for a page of the first; nothing else of it is', async () => {
    expect(await leave(await release(SCRIPT))).toHaveLength(2);
    const next = await release('/assets/page-Cd_34.js');
    const found = await next.find(SCRIPT);
    expect(found).toMatchObject({ status: 200, headers: headersOf(SCRIPT) });
    expect(found!.plain.toString()).toBe(WORDS);
    for (const path of ['/robots.txt', '/assets/none-Ef_56.js', '/assets/../objects', '/about'])
      expect(await next.find(path), path).toBeNull();
  });

  it('go when they are a month old, those of the release that runs stay', async () => {
    await leave(await release(SCRIPT));
    const long = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    for (const name of await kept()) await utimes(join(home.folder, 'assets', name), long, long);
    const other = '/assets/page-Cd_34.js';
    expect((await leave(await release(other))).sort()).toEqual([nameOf(other), expect.stringMatching(/^release-/)]);
  });

  it('are sent by a server that has them in its store alone', async () => {
    const server = await startServer({ SEED: 'none' });
    try {
      await mkdir(join(server.dataDir, 'objects', 'assets'), { recursive: true });
      await writeFile(join(server.dataDir, 'objects', 'assets', nameOf(SCRIPT)), WORDS);
      const answer = await fetch(server.base + SCRIPT);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
        'public, max-age=31536000, immutable',
      ]);
      expect(await answer.text()).toBe(WORDS);
      expect((await fetch(`${server.base}/assets/none-Ef_56.js`)).status).toBe(404);
    } finally {
      await server.stop();
    }
  });
});

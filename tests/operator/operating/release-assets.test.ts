import { createHash } from 'node:crypto';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDiskStore } from '../../../packages/backend/storage/disk-store.ts';
import { headersOf, type Stored, store as stored } from '../../../server/files.ts';
import { ReleaseAssets } from '../../../server/release-assets.ts';
import { temporaryFolder } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { openRelay } from '../../programs/s3-relay.ts';
import { findSwift, startSwift } from '../../programs/swift.ts';
import { newAddress, startServerOnPostgres } from '../../server.ts';

const SCRIPT = '/assets/page-Ab_12345.js';
const WORDS = 'export const words = "of the release before";';
const nameOf = (path: string) => createHash('sha256').update(path).digest('hex');

let home: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(() => home.remove());

async function release(...paths: string[]): Promise<ReleaseAssets> {
  const files = new Map<string, Stored>();
  for (const path of [...paths, '/robots.txt'])
    files.set(path, await stored(200, headersOf(path), Buffer.from(path === SCRIPT ? WORDS : path)));
  return new ReleaseAssets(await openDiskStore(home.folder), files);
}

/** Runs a release's asset upload. @returns the files stored afterwards */
async function leave(assets: ReleaseAssets): Promise<string[]> {
  const before = new Set(await kept());
  const failures: unknown[] = [];
  await assets.store((error) => failures.push(error), false, 0);
  const isStored = async () => (await kept()).some((name) => name.startsWith('release-') && !before.has(name));
  await expect.poll(isStored).toBe(true);
  await assets.close();
  expect(failures).toEqual([]);
  return kept();
}
const kept = () => readdir(join(home.folder, 'assets')).catch(() => [] as string[]);

describe('the assets of a release', () => {
  it('are served by the next release to open pages of the first, but no other files are', async () => {
    expect(await leave(await release(SCRIPT))).toHaveLength(2);
    const next = await release('/assets/page-Cd_34567.js');
    const found = await next.find(SCRIPT);
    expect(found).toMatchObject({ status: 200, headers: headersOf(SCRIPT) });
    expect(found!.plain.toString()).toBe(WORDS);
    for (const path of ['/robots.txt', '/assets/none-Ef_56789.js', '/assets/../objects', '/about'])
      expect(await next.find(path), path).toBeNull();
  });

  it('are in a store that servers share when the start of the next release continues', async () => {
    const script = '/assets/page-Cd_34567.js';
    await leave(await release(SCRIPT));
    await (await release(script)).store(() => {}, true);
    expect(await kept()).toContain(nameOf(script));
  });

  it('are deleted a month after the next release, except those of the running one', async () => {
    const aMonthPasses = async () => {
      for (const name of await kept()) {
        const path = join(home.folder, 'assets', name);
        const before = new Date((await stat(path)).mtimeMs - 31 * 24 * 60 * 60 * 1000);
        await utimes(path, before, before);
      }
    };
    const [both, second, third] = ['both', 'second', 'third'].map((name) => `/assets/${name}-Cd_34567.js`);
    const scripts = async (...paths: string[]) =>
      (await leave(await release(...paths))).filter((name) => !name.startsWith('release-')).sort();
    const namesOf = (...paths: string[]) => paths.map(nameOf).sort();

    await leave(await release(SCRIPT, both!));
    await aMonthPasses();
    expect(await scripts(both!, second!), 'the first release ended just now').toEqual(namesOf(SCRIPT, both!, second!));
    await aMonthPasses();
    expect(await scripts(third!)).toEqual(namesOf(both!, second!, third!));

    // The second release returns for a month, and ends just now.
    await aMonthPasses();
    const back = await release(both!, second!);
    await back.store(() => {}, false, 0);
    const isRecent = async (name: string) =>
      (await stat(join(home.folder, 'assets', name))).mtimeMs > Date.now() - 60_000;
    await expect.poll(async () => (await Promise.all((await kept()).map(isRecent))).filter(Boolean)).toHaveLength(3);
    await back.close();
    await aMonthPasses();
    expect(await scripts(SCRIPT)).toEqual(namesOf(SCRIPT, both!, second!));
  });
});

describe.skipIf(!findSwift())('a missing URL below /assets', () => {
  const swift = forAllTests(startSwift);
  const relay = forAllTests(() => openRelay(swift.url));
  const server = forAllTests(async () => {
    const settings = { ...(await swift.settings()), S3_URL: relay.url, CDN_SECONDS: '30' };
    return startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1', ...settings });
  });

  const status = async (path: string, address: string) => {
    const response = await fetch(server.base + path, { headers: { 'x-forwarded-for': address } });
    await response.arrayBuffer();
    return response.status;
  };
  const requests = (path: string) => relay.requests.filter((line) => line.includes(nameOf(path))).length;

  it('causes one request to the store, however often it is requested (S4)', async () => {
    for (let time = 0; time < 5; time++) expect(await status('/assets/none-Gh_78901.js', newAddress())).toBe(404);
    expect(requests('/assets/none-Gh_78901.js')).toBe(1);
  });

  it('causes no request when its name has no content hash (S4)', async () => {
    for (const path of ['/assets/none.js', '/assets/login-Gh_78901.php', '/assets/.env', '/assets/none-Gh_78.js']) {
      expect(await status(path, newAddress()), path).toBe(404);
      expect(requests(path), path).toBe(0);
    }
  });

  it('causes no request once the client’s limit is used up; such a 429 has no header for a CDN (S4)', async () => {
    const busy = newAddress();
    // The smallest uncached responses that the limit counts.
    const headers = { authorization: 'Bearer none', 'x-forwarded-for': busy };
    const read = async () => (await fetch(`${server.base}/sign-in.data`, { headers })).text();
    for (let count = 0; count < 600; count += 20) await Promise.all(Array.from({ length: 20 }, read));
    expect(await status('/assets/late-Gh_78901.js', busy)).toBe(429);
    expect(requests('/assets/late-Gh_78901.js')).toBe(0);
    const page = await fetch(`${server.base}/case-studies?page=1`, { headers: { 'x-forwarded-for': busy } });
    expect([page.status, page.headers.get('cdn-cache-control')]).toEqual([429, null]);
    expect(await status('/assets/late-Gh_78901.js', newAddress())).toBe(404);
    expect(requests('/assets/late-Gh_78901.js')).toBe(1);
  });
});

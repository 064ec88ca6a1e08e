import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { copyMigratedTemplate } from '../../database.ts';
import { startPostgres } from '../../programs/postgres.ts';
import { folderOnDisk } from '../../scratch.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { clientOf } from '../client.ts';
import { archive, expectOutput, snapshotsOf, startArchive } from './command.ts';

const KILLS = 3;
const POSTGRES_KILLS = 2;
const FILES = 20;

const folder = folderOnDisk();
const passphrase = join(folder, 'passphrase');
let server: RunningServer;
/** An archive of the server, and how long it took. */
let archived: string;
let durationMs: number;
const newFile = () => join(folder, `${randomUUID()}.tar`);

beforeAll(async () => {
  await writeFile(passphrase, 'tangerine bicycle');
  const installation = join(folder, 'installation');
  mkdirSync(installation);
  await copyMigratedTemplate(join(installation, 'database'));
  server = await startServer({ SEED: 'none' }, installation);
  const client = clientOf(server);
  await client.createBucket('files');
  for (let at = 0; at < FILES; at++) {
    const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1000) };
    expect((await client.asService(`/storage/v1/object/files/${randomUUID()}`, init)).status).toBe(200);
  }
  archived = newFile();
  const started = performance.now();
  const made = await archive(server.dataDir, 'make', archived, '--keys', '--passphrase-file', passphrase);
  durationMs = performance.now() - started;
  expect(made.code).toBe(0);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('kill -9 (D11)', () => {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it(`of ${KILLS} archive creations leaves complete files or none, and no snapshot at the server`, async () => {
    const path = join(await mkdtemp(join(folder, 'kills-')), 'archive.tar');
    for (let kill = 0; kill < KILLS; kill++) {
      const making = startArchive(server.dataDir, ['make', path]);
      await pause(Math.random() * durationMs);
      making.child.kill('SIGKILL');
      await making.ended;
      await expect.poll(() => snapshotsOf(server.dataDir)).toEqual([]);
      if (!existsSync(path)) continue;
      expect((await archive(server.dataDir, 'check', path)).code).toBe(0);
      await rm(path);
    }
    expect(await archive(server.dataDir, 'make', path)).toMatchObject({ code: 0 });
    expect(await readdir(join(path, '..'))).toEqual(['archive.tar']);
  });

  it(`of ${KILLS} loads leaves no data or all, and the next load succeeds`, async () => {
    const installation = join(folder, randomUUID());
    const load = () => startArchive(installation, ['load', archived, '--passphrase-file', passphrase]);
    const isHalf = () => existsSync(join(installation, 'archive-loading', 'state.json'));
    let [cut, refused] = [0, false];
    for (let kill = 0; kill < KILLS; kill++) {
      const loading = load();
      // Kills after the first change, later with each try.
      await expect.poll(isHalf, { interval: 20 }).toBe(true);
      await pause(kill * 700);
      loading.child.kill('SIGKILL');
      await loading.ended;
      const parts = ['database', 'objects', 'keys.json'].filter((name) => existsSync(join(installation, name)));
      if (!isHalf()) {
        expect([[], ['database', 'objects', 'keys.json']]).toContainEqual(parts);
        await rm(installation, { recursive: true, force: true });
        continue;
      }
      cut++;
      if (refused) continue;
      refused = true;
      const interrupted = /was interrupted\. Repeat "npm run archive -- load FILE"/;
      await expect(startServer({ SEED: 'none' }, installation)).rejects.toThrow(interrupted);
    }
    expect(cut, 'loads that were cut').toBeGreaterThan(0);
    expect(await load().ended).toMatchObject({ code: 0, output: expect.stringContaining('all identical') });
    expect((await readdir(installation)).sort()).toEqual(expect.arrayContaining(['database', 'keys.json', 'objects']));
    expect(existsSync(join(installation, 'archive-loading'))).toBe(false);
    const copy = await startServer({ SEED: 'none' }, installation);
    expect((await fetch(`${copy.base}/case-studies`)).status).toBe(200);
    await copy.stop();
  });

  it('of loads into a PostgreSQL server leaves no data or all, and the next load succeeds', async () => {
    const postgres = await startPostgres();
    const settings = { DATABASE_URL: postgres.url };
    const installation = join(folder, randomUUID());
    const load = () => startArchive(installation, ['load', archived, '--passphrase-file', passphrase], settings);
    try {
      const isHalf = () => existsSync(join(installation, 'archive-loading', 'state.json'));
      for (let kill = 0; kill < POSTGRES_KILLS; kill++) {
        const loading = load();
        // Kills after the first change, later with each try.
        await expect.poll(isHalf, { interval: 20 }).toBe(true);
        await pause(200 + kill * 700);
        loading.child.kill('SIGKILL');
        await loading.ended;
        if (!isHalf()) break;
        expect(existsSync(join(installation, 'keys.json'))).toBe(false);
      }
      if (isHalf()) await expectOutput(load().ended, 0, 'all identical');
      const back = newFile();
      expect(await startArchive(installation, ['make', back], settings).ended).toMatchObject({ code: 0 });
      const [before, after] = [await sumsOf(archived), await sumsOf(back)];
      expect(after).toEqual(before);
      expect(after.objects.length).toBe(FILES);
    } finally {
      await postgres.stop();
    }
  });
});

/** The content without the audit entries of archives. */
async function sumsOf(path: string) {
  const opened = await openArchive(path);
  const objects = opened.objects.map((version) => `${version} ${opened.checksumOf(version)}`).sort();
  await opened.close();
  const tables = opened.manifest.tables.filter(({ name }) => name !== 'audit_log_entries');
  return { objects, tables: tables.map(({ schema, name, checksum }) => `${schema}.${name} ${checksum}`) };
}

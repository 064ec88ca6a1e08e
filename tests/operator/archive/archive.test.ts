import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../packages/backend/archive/manifest.ts';
import { openArchive } from '../../../packages/backend/archive/open-archive.ts';
import { fileOf, png } from '../../../packages/backend/tests/storage/files.ts';
import { addWebhook, callerAt, startWebhookReceiver } from '../../contract/webhook-receiver.ts';
import { findPostgres18, startPostgres } from '../../programs/postgres.ts';
import { copySeededData, DEMO_ACCOUNTS } from '../../seeded-data.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';
import { folderForTests } from '../folder-for-tests.ts';
import { archive, expectOutput, rowsIn, snapshotsOf, startArchive } from './command.ts';

/** Tokens contain the public URL as issuer, wherever the server listens. */
const SITE_URL = 'http://madhouse.example';
const BUCKET = 'case-studies';
/** Null when not installed, which `npm test` reports. */
const newest = findPostgres18();

const folder = folderForTests();
const passphrase = join(folder, 'passphrase');
let server: RunningServer;
const { admin } = DEMO_ACCOUNTS;
let session: { access_token: string; refresh_token: string };
const newFile = () => join(folder, `${randomUUID()}.tar`);
const newDataDir = () => join(folder, randomUUID());

beforeAll(async () => {
  await writeFile(passphrase, 'tangerine bicycle\nanother line\n');
  const settings = { SEED: 'none', TRUST_PROXY: '1', SITE_URL, WEBHOOK_NETWORKS: '127.0.0.1' };
  server = await startServer(settings, await copySeededData());
  session = await clientOf(server).signIn(admin);
});
afterAll(() => server?.stop());

const refresh = async (of: RunningServer) => {
  const json = { refresh_token: session.refresh_token };
  const response = await clientOf(of).send('/auth/v1/token?grant_type=refresh_token', { json });
  expect(response.status).toBe(200);
  return (await response.json()) as typeof session;
};
const statusOf = async (of: RunningServer, token: string) =>
  (await clientOf(of).send('/auth/v1/user', { token })).status;

const withKeys = () => ['--passphrase-file', passphrase];

async function contentsOf(path: string) {
  const opened = await openArchive(path);
  const objects = new Map(opened.objects.map((version) => [version, opened.checksumOf(version)]));
  const contents = {
    manifest: opened.manifest,
    objects,
    files: await rowsIn(opened, 'storage.objects'),
    media: await rowsIn(opened, 'public.project_media'),
    library: await rowsIn(opened, 'public.media_files'),
    references: await rowsIn(opened, 'private.object_references'),
  };
  await opened.close();
  return contents;
}

const sums = ({ tables }: Manifest) =>
  tables.filter(({ name }) => name !== 'audit_log_entries').map(({ parts: _, ...table }) => table);

const objects = (path: string, call: Call) => clientOf(server).asService(`/storage/v1/object/${BUCKET}${path}`, call);

async function uploadPicture(): Promise<string> {
  const name = `images/${randomUUID()}.png`;
  const uploaded = await objects(`/${name}`, { method: 'POST', body: fileOf(await png(64, 48), 'image/png') });
  expect(uploaded.status).toBe(200);
  return name;
}

async function removePictures(prefixes: string[]): Promise<void> {
  expect((await objects('', { method: 'DELETE', json: { prefixes } })).status).toBe(200);
}

const newWork = () => ({ over: false, done: [] as { name: string; media: string | null }[], removed: [] as string[] });

/** Continuously uploads pictures, submits drafts with them, and removes every second one. */
async function busyVisitor(work: ReturnType<typeof newWork>) {
  const { base } = server;
  const call = (path: string, json: object) => clientOf(server).asService(`/rest/v1/${path}`, { json });
  for (let turn = 0; !work.over; turn++) {
    const name = await uploadPicture();
    if (turn % 2) {
      await removePictures([name]);
      work.removed.push(name);
      continue;
    }
    const created = await call('rpc/create_case_study', { title: 'While it is copied' });
    const url = `${base}/storage/v1/object/public/${BUCKET}/${name}`;
    const picture = { type: 'image', url, title: '', description: '', order: 0 };
    const media = { id: randomUUID(), project_id: await created.json(), ...picture };
    work.done.push({ name, media: (await call('project_media', media)).ok ? media.id : null });
  }
}

describe('an archive of a running server (D11)', () => {
  it('contains all acknowledged and no partial writes, and restores an identical installation', async () => {
    const work = newWork();
    const { done, removed } = work;
    const visitors = [busyVisitor(work), busyVisitor(work)];
    await expect.poll(() => done.length).toBeGreaterThan(6);
    const before = [...done];
    const removedBefore = [...removed];
    const hooks = await startWebhookReceiver();
    const hook = await addWebhook(await callerAt(server, admin), hooks);
    const victims = await Promise.all(Array.from({ length: 10 }, uploadPicture));
    const path = newFile();
    const making = startArchive(server.dataDir, ['make', path, '--keys', ...withKeys()]);
    await expect.poll(() => making.output()).toContain('Reading from the running server');
    // Deletes objects that are in the snapshot but not yet copied.
    await removePictures(victims);
    expect(making.child.exitCode, 'the archive is still being made').toBeNull();
    const made = await making.ended;
    const during = done.length - before.length;
    work.over = true;
    await Promise.all(visitors);
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Reading from the running server') });
    expect(during, 'drafts that were submitted meanwhile').toBeGreaterThan(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(server.dataDir, 'archives'))).mode & 0o777).toBe(0o700);

    const { manifest, objects, files, media, library } = await contentsOf(path);
    expect(manifest.missing).toEqual([]);
    // Every row has its bytes, including objects removed during the archive.
    expect(new Set(files.map(({ version }) => version))).toEqual(new Set(objects.keys()));
    const names = [...before.map(({ name }) => name), ...victims];
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const submitted = expect.arrayContaining(before.map(({ media }) => media));
    expect(media.map(({ id }) => id)).toEqual(submitted);
    const listed = files.flatMap(({ bucket_id, name }) => ([BUCKET, 'films'].includes(bucket_id!) ? [name] : []));
    expect(library.map(({ name }) => name).sort()).toEqual(listed.sort());
    expect(files.filter(({ name }) => removedBefore.includes(name!))).toEqual([]);
    await expect.poll(() => snapshotsOf(server.dataDir)).toEqual([]);

    const installation = newDataDir();
    const loaded = await archive(installation, 'load', path, ...withKeys());
    expect(loaded).toMatchObject({ code: 0, output: expect.stringContaining('all identical') });
    expect(loaded.output).toMatch(/public\.projects +\d+ rows, identical/);
    expect((await stat(join(installation, 'keys.json'))).mode & 0o777).toBe(0o600);
    // Without a running server the folder is read directly, with the same checksums.
    const again = newFile();
    await expectOutput(archive(installation, 'make', again), 0, 'Reading the database and the stored files');
    const second = await contentsOf(again);
    expect(sums(second.manifest)).toEqual(sums(manifest));
    expect(second.objects).toEqual(objects);
    expect(second.library).toEqual(library);
    // References are indexed immediately, so no file counts as unused.
    expect(second.references.map(({ record }) => record)).toEqual(submitted);

    const copy = await startServer({ SEED: 'none', SITE_URL, WEBHOOK_NETWORKS: '127.0.0.1' }, installation);
    try {
      expect(await statusOf(copy, session.access_token)).toBe(200);
      expect(await statusOf(copy, (await refresh(copy)).access_token)).toBe(200);
      for (const { name } of before) {
        const address = `/storage/v1/object/public/${BUCKET}/${name}`;
        const both = [server, copy].map(async ({ base }) => (await fetch(base + address)).bytes());
        const [here, there] = await Promise.all(both);
        expect(Buffer.from(there!).equals(Buffer.from(here!)), name).toBe(true);
      }
      // The keys are in the archive, so webhooks are signed with the same secrets.
      const call = await callerAt(copy, admin);
      await call('/rest/v1/rpc/test_webhook', { p_webhook: hook });
      await expect.poll(() => hooks.received).toMatchObject([{ event: { type: 'webhook.test' } }]);
    } finally {
      await copy.stop({ keep: true });
      await hooks.stop();
    }
  });

  it('moves from the embedded database to the newest PostgreSQL and back with valid sessions', async () => {
    const first = newFile();
    expect((await archive(server.dataDir, 'make', first, '--keys', ...withKeys())).code).toBe(0);
    const before = await contentsOf(first);
    const target = await startPostgres(undefined, newest ?? undefined);
    try {
      let path = first;
      for (const postgres of [target, null]) {
        const settings: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {};
        const installation = newDataDir();
        const load = (dataDir: string) => startArchive(dataDir, ['load', path, ...withKeys()], settings).ended;
        await expectOutput(load(installation), 0, 'all identical');
        const isRefused = /is not empty: it has .* other tables. Nothing was changed/;
        if (postgres) await expectOutput(load(newDataDir()), 1, isRefused);
        // Read before a continued session changes data.
        const next = newFile();
        const making = startArchive(installation, ['make', next, '--keys', ...withKeys()], settings).ended;
        await expectOutput(making, 0, postgres ? 'from a PostgreSQL server' : 'from the embedded database');
        const after = await contentsOf(next);
        expect(after.objects).toEqual(before.objects);
        expect(sums(after.manifest)).toEqual(sums(before.manifest));
        const keysOf = (dataDir: string) => readFile(join(dataDir, 'keys.json'), 'utf8').then(JSON.parse);
        expect(await keysOf(installation)).toEqual(await keysOf(server.dataDir));
        path = next;

        // The data is identical, so that one server shows it for both.
        if (!postgres) continue;
        const moved = await startServer({ ...settings, SEED: 'none', SITE_URL }, installation);
        expect(await statusOf(moved, session.access_token)).toBe(200);
        await refresh(moved);
        await moved.stop({ keep: true });
      }
    } finally {
      await target.stop();
    }
  });

  it('rejects existing files, running servers, non-empty targets and damaged archives without changes', async () => {
    const path = newFile();
    expect((await archive(server.dataDir, 'make', path)).code).toBe(0);
    const written = await readFile(path);
    const exists = 'exists already. Choose another file name; files are never overwritten.';
    await expectOutput(archive(server.dataDir, 'make', path), 1, exists);
    expect((await readFile(path)).equals(written)).toBe(true);
    await expectOutput(archive(server.dataDir, 'load', path), 1, `in use by process ${server.process.pid}`);
    await expectOutput(archive(newDataDir(), 'check', path), 0, /is intact: .*no keys/s);

    const full = newDataDir();
    await mkdir(join(full, 'objects', 'aa'), { recursive: true });
    await writeFile(join(full, 'keys.json'), '{}');
    const isUsed = 'would replace objects, keys.json. Nothing was changed. Set DATA_DIR to a new folder';
    await expectOutput(archive(full, 'load', path), 1, isUsed);
    expect(existsSync(join(full, 'archive-loading'))).toBe(false);
    const keysElsewhere = { KEYS_FILE: join(full, 'keys.json') };
    await expectOutput(startArchive(newDataDir(), ['load', path], keysElsewhere).ended, 0, 'all identical');
    expect(await readFile(join(full, 'keys.json'), 'utf8')).toBe('{}');
    const sealed = newFile();
    expect((await archive(server.dataDir, 'make', sealed, '--keys', ...withKeys())).code).toBe(0);
    const target = newDataDir();
    const isTaken = `would replace ${relative(target, keysElsewhere.KEYS_FILE)}. Nothing was changed.`;
    await expectOutput(startArchive(target, ['load', sealed, ...withKeys()], keysElsewhere).ended, 1, isTaken);

    const damaged = newFile();
    written[written.length >> 1]! ^= 1;
    await writeFile(damaged, written);
    const empty = newDataDir();
    for (const act of ['check', 'load']) await expectOutput(archive(empty, act, damaged), 1, 'is damaged: ');
    expect(existsSync(empty)).toBe(false);
  });

  it('prints its usage for invalid arguments', async () => {
    const empty = newDataDir();
    for (const words of [[], ['make', 'a', 'b'], ['check', 'a', '--keys']])
      await expectOutput(archive(empty, ...words), 1, 'Usage: npm run archive');
    expect((await archive(empty, 'make', newFile())).output).toContain('has no installation yet');
    expect((await archive(empty, 'load', newFile())).output).toContain('cannot be read: ENOENT');
    expect((await archive(server.dataDir, 'make', newFile(), '--keys')).output).toContain('use --passphrase-file FILE');
    const short = join(folder, 'short');
    await writeFile(short, 'short');
    const weak = await archive(server.dataDir, 'make', newFile(), '--keys', '--passphrase-file', short);
    expect(weak.output).toContain('must have at least 12 characters');
  });

  it('reports that the server stopped meanwhile, and leaves no file', async () => {
    const installation = server.dataDir;
    const cut = newFile();
    const making = startArchive(installation, ['make', cut]);
    await expect.poll(() => making.output()).toContain('Reading from the running server');
    await server.stop({ keep: true, signal: 'SIGKILL' });
    const { code, output } = await making.ended;
    expect([code, output]).toEqual([1, expect.stringContaining('The server stopped while the archive was made')]);
    expect((await readdir(folder)).filter((name) => cut.endsWith(name) || name.endsWith('.part'))).toEqual([]);
    server = await startServer({ SEED: 'none' }, installation);
    expect(await snapshotsOf(installation)).toEqual([]);
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fileOf } from '../../../packages/backend/tests/storage/files.ts';
import { copyMigratedTemplate } from '../../database.ts';
import { mountSmallDisk, type SmallDisk, smallDiskProblem } from '../../programs/small-disk.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { type Call, clientOf } from '../client.ts';

const MB = 1024 ** 2;
const RESERVE_MB = 96;
/** Slightly above the reserve, because files need rows. */
const FILES_STOP_MB = 99;
const DISK_MB = 200;
const NO_UPLOADS = { part: 'disk', reason: `uploads refused: less than ${FILES_STOP_MB} MB free` };
const NO_CHANGES = { part: 'disk', reason: `changes refused: less than ${RESERVE_MB / 4} MB free` };
const SETTINGS = { SEED: 'none', TRUST_PROXY: '1', DISK_RESERVE_MB: String(RESERVE_MB) };
/** Matches internals in a message. */
const INSIDE = /No space left|could not|base\/|pg_wal|\/(tmp|dev|proc|work)\b|ENOSPC/;

let disk: SmallDisk;
let server: RunningServer;
let picture: Buffer;
const done = { files: [] as string[], projects: [] as string[] };

const testOrSkip = it.skipIf(smallDiskProblem !== null);
if (smallDiskProblem) console.warn(`The tests of a full disk are skipped: ${smallDiskProblem}.`);

beforeAll(async () => {
  if (smallDiskProblem) return;
  disk = await mountSmallDisk(DISK_MB);
  await copyMigratedTemplate(disk.path('database'));
  server = await startServer(SETTINGS, disk.folder, { launcher: disk.launcher });
  const raw = { width: 900, height: 800, channels: 3 } as const;
  picture = await sharp(randomBytes(900 * 800 * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  // Waits for the reserved file, which must exist before the tests.
  await vi.waitUntil(() => existsSync(disk.path('database.ballast')), { timeout: 60_000 });
});
afterAll(async () => {
  await server?.stop({ keep: true, signal: 'SIGKILL' });
  await disk?.end();
});

const client = () => clientOf({ base: server.base, dataDir: disk.path() });
const send = (path: string, call?: Call) => client().send(path, call);
const asService = (path: string, call?: Call) => client().asService(path, call);

async function upload(): Promise<Response> {
  const name = `images/${randomUUID()}.png`;
  const init = { method: 'POST', body: fileOf(picture, 'image/png') };
  const response = await send(`/storage/v1/object/case-studies/${name}`, init);
  if (response.ok) done.files.push(name);
  return response;
}

async function publish(title: string): Promise<Response> {
  const json = { title, description: '<p>Brief</p>', status: 'active' };
  const response = await asService('/rest/v1/projects', { json, headers: { prefer: 'return=representation' } });
  if (response.ok) done.projects.push((await response.clone().json())[0].id);
  return response;
}

const rename = (id: string, client: string) =>
  asService(`/rest/v1/projects?id=eq.${id}`, { method: 'PATCH', json: { client } });

const render = (name: string, query: string, accept = 'image/webp') =>
  send(`/storage/v1/render/image/public/case-studies/${name}?${query}`, { headers: { accept } });

async function leastFreeDuring(work: Promise<unknown>): Promise<number> {
  let least = disk.free();
  let over = false;
  const end = work.finally(() => (over = true));
  while (!over) {
    least = Math.min(least, disk.free());
    await sleep(2);
  }
  await end;
  return least;
}

async function expectReads(): Promise<void> {
  const [project] = done.projects;
  const [file] = done.files;
  const page = await send(`/case-studies/${project}`);
  expect([page.status, (await page.text()).includes('Shown on a full disk')]).toEqual([200, true]);
  // New URLs, so that no cached response is used.
  const list = await send(`/rest/v1/projects?select=id,title&order=id&limit=${100 + Math.floor(Math.random() * 800)}`);
  expect(list.status).toBe(200);
  expect(((await list.json()) as { id: string }[]).map(({ id }) => id)).toContain(project);
  const original = await send(`/storage/v1/object/public/case-studies/${file}`);
  expect([original.status, (await original.arrayBuffer()).byteLength > MB]).toEqual([200, true]);
}

async function expectRefused(response: Response, what: string): Promise<void> {
  const text = await response.text();
  expect([response.status, text], what).toEqual([507, expect.stringMatching(/out of disk space/)]);
  expect(Number(response.headers.get('retry-after')), what).toBeGreaterThan(0);
  expect(text, what).not.toMatch(INSIDE);
}

async function expectAllData(): Promise<void> {
  for (const file of done.files)
    expect((await send(`/storage/v1/object/public/case-studies/${file}`, { method: 'HEAD' })).status, file).toBe(200);
  const response = await asService('/rest/v1/projects?select=id');
  const ids = ((await response.json()) as { id: string }[]).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(done.projects));
}

testOrSkip('guests that upload and request image variants at full rate do not use the reserve (C2, D7)', async () => {
  expect((await publish('Shown on a full disk')).status).toBe(201);
  expect((await publish('Deleted on a full disk')).status).toBe(201);
  const refusals: Response[] = [];
  const busy = async () => {
    while (refusals.length < 6) {
      const response = await upload();
      if (response.status === 507) refusals.push(response);
      else expect(response.status, await response.text()).toBe(200);
      const last = done.files.at(-1);
      if (!last) continue;
      const cropped = 'width=640&height=333&quality=100&format=origin';
      const sizes = ['width=1920&format=origin', 'width=1280', cropped, 'width=600&height=77'];
      for (const answer of await Promise.all(sizes.map((size) => render(last, size)))) {
        expect([200, 507]).toContain(answer.status);
        await answer.arrayBuffer();
      }
    }
  };
  const least = await leastFreeDuring(Promise.all(Array.from({ length: 4 }, busy)));
  // The row of a file is written after the file.
  expect(least / MB).toBeGreaterThanOrEqual(RESERVE_MB - 1);
  for (const refusal of refusals) await expectRefused(refusal, 'upload');
  expect(done.files.length).toBeGreaterThan(5);
});

testOrSkip('without space for rows, users can still sign in and delete (D7)', async () => {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  await client().createUser(account);
  const deleted = done.projects.pop();
  disk.fill((RESERVE_MB / 4 - 4) * MB);
  const [project] = done.projects;
  await expect.poll(async () => (await rename(project!, randomUUID())).status).toBe(507);
  const { refresh_token } = await client().signIn(account);
  expect((await send('/auth/v1/token?grant_type=refresh_token', { json: { refresh_token } })).status).toBe(200);
  expect((await asService(`/rest/v1/projects?id=eq.${deleted}`, { method: 'DELETE' })).status).toBe(204);
  await expectRefused(await send('/auth/v1/signup', { json: { ...account, email: 'other@example.com' } }), 'sign-up');
  disk.drain();
  await expect.poll(async () => (await rename(project!, 'again')).status).toBe(204);
});

const warnings = async () => (await (await send('/ready')).json()).warnings;

testOrSkip('without space for files, all other requests succeed and readiness reports it (C2, C15)', async () => {
  disk.fill((FILES_STOP_MB - 1) * MB);
  await expect.poll(warnings).not.toEqual([]);
  const ready = await send('/ready');
  expect([ready.status, await ready.json()]).toEqual([200, { ready: true, problems: [], warnings: [NO_UPLOADS] }]);
  // A standard size is rendered and sent but not stored; other sizes and new submissions are rejected.
  const file = done.files.at(-1)!;
  const before = disk.free();
  for (const again of [1, 2]) expect((await render(file, 'width=960&format=origin')).status, `${again}`).toBe(200);
  await expectRefused(await render(file, 'width=900&height=12'), 'odd size');
  expect(disk.free()).toBeGreaterThan(before - MB);
  await expectRefused(await send('/rest/v1/rpc/create_case_study', { json: { title: 'New' } }), 'submission');
  await expectRefused(await upload(), 'upload');
  expect((await rename(done.projects[0]!, 'edited near the reserve')).status).toBe(204);
  await expectReads();
});

testOrSkip.each([
  ['rows', (RESERVE_MB / 4 - 4) * MB],
  ['anything', 0],
])('without space for %s, deleted files are removed despite their retention (D7)', async (_what, left) => {
  const remove = () => asService(`/storage/v1/object/case-studies/${done.files.shift()}`, { method: 'DELETE' });
  disk.drain();
  // Else a check that is under way might remove the file before the disk is full. The first test can leave too little space.
  const warningsLeft = async () => {
    const found = await warnings();
    if (found.length > 0) await remove();
    return found;
  };
  await expect.poll(warningsLeft, { interval: 2_000 }).toEqual([]);
  expect((await remove()).status).toBe(200);
  disk.fill(left);
  await expect.poll(() => disk.free()).toBeGreaterThan(left + MB);
});

testOrSkip(
  'on a disk filled by another program, reads succeed, writes fail without revealing paths, and the server recovers (D7)',
  async () => {
    const [project] = done.projects;
    const fillUp = async () => {
      disk.fill();
      // The server checks the disk once a second.
      const nothing = `/rest/v1/projects?id=eq.${randomUUID()}`;
      await expect.poll(async () => (await asService(nothing, { method: 'DELETE' })).status).toBe(507);
    };
    await fillUp();
    const refuseAll = async () => {
      await expectRefused(await rename(project!, 'no'), 'PATCH');
      await expectRefused(await publish('no'), 'POST');
      await expectRefused(await asService(`/rest/v1/projects?id=eq.${project}`, { method: 'DELETE' }), 'DELETE');
      const message = { p_name: 'A', p_email: 'a@example.com', p_message: 'Hello there, this is a message.' };
      await expectRefused(await send('/rest/v1/rpc/send_message', { json: message }), 'message');
      await expectRefused(await upload(), 'upload');
      const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
      await expectRefused(await send('/auth/v1/signup', { json: account }), 'sign-up');
    };
    await refuseAll();
    await expectReads();
    const ready = await send('/ready');
    expect([ready.status, (await ready.json()).warnings]).toEqual([200, [NO_UPLOADS, NO_CHANGES]]);
    expect(server.output()).not.toMatch(/"level":[56]0/);

    // After a kill the engine recovers before the first read, which uses the remaining space.
    await server.stop({ keep: true, signal: 'SIGKILL' });
    disk.fill();
    server = await startServer(SETTINGS, disk.folder, { launcher: disk.launcher });
    await fillUp();
    await expectReads();
    await refuseAll();
    expect(server.output()).not.toMatch(/PANIC/);

    disk.drain();
    await expect.poll(async () => (await publish('After the flood')).status).toBe(201);
    await expectAllData();
    const removal = { method: 'DELETE', json: { prefixes: done.files.splice(0, 4) } };
    expect((await asService('/storage/v1/object/case-studies', removal)).status).toBe(200);
    await expect.poll(async () => (await upload()).status).toBe(200);
    expect(await server.stop({ keep: true })).toBe(0);
  },
);

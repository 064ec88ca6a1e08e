import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileOf, newPath, png, uploadMetadata } from './files.ts';
import { newAddress, onDisk, openStorageServer, type StorageServer } from './storage-server.ts';
import { BUCKET, tus } from './tus-client.ts';

const MB = 1024 ** 2;

type Left = Record<'files' | 'bytes', { limit: number; left: number }>;

interface Sender {
  token?: string;
  address: string;
}

const picture = await png();
let installation: StorageServer;
beforeAll(async () => {
  installation = await openStorageServer({ store: onDisk, environment: { UPLOAD_FILES: '4', UPLOAD_SECONDS: '600' } });
});
afterAll(() => installation.close());
/** Runs tests with an installation with other settings. */
async function withSettings(environment: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const shared = installation;
  installation = await openStorageServer({ store: onDisk, environment });
  try {
    await work();
  } finally {
    await installation.close();
    installation = shared;
  }
}
const headersOf = ({ token = installation.keys.publishable, address }: Sender) => ({
  authorization: `Bearer ${token}`,
  'x-test-address': address,
});
const newGuest = (): Sender => ({ address: newAddress() });
const account = async (address = newAddress(), options = {}): Promise<Sender> => ({
  token: (await installation.person(options)).token,
  address,
});

const padded = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)]);

const left = async (sender: Sender, request = fetch): Promise<Left> =>
  (await request(`${installation.url}/upload/allowance`, { headers: headersOf(sender) })).json();
const filesLeft = async (sender: Sender) => (await left(sender)).files.left;

/** Uploads a file like the form. @returns the status */
async function send(sender: Sender, bytes: Uint8Array | string = picture, request = fetch): Promise<number> {
  const form = new FormData();
  form.append('cacheControl', '3600');
  form.append('', fileOf(bytes, 'image/png'));
  const init = { method: 'POST', headers: headersOf(sender), body: form };
  const answer = await request(`${installation.url}/object/${BUCKET}/${newPath()}`, init);
  return answer.ok ? 200 : Number(((await answer.json()) as { statusCode: string }).statusCode);
}

const CHARGE = `update internal.upload_allowances set files = files + $1, bytes = bytes + $2
  where ends_at = (select max(ends_at) from internal.upload_allowances)`;
/** Increases the used allowance of the last sender. */
const charge = (files: number, bytes: number) => installation.db.query(CHARGE, [files, bytes]);

const sendAll = async (sender: Sender, count: number, bytes?: Uint8Array | string) => {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent++) statuses.push(await send(sender, bytes));
  return statuses;
};

function create(sender: Sender, size: number, first: Uint8Array = new Uint8Array(), path = newPath()) {
  const metadata = uploadMetadata({ bucketName: BUCKET, objectName: path, contentType: 'image/png' });
  const headers = { ...headersOf(sender), 'upload-length': String(size), 'upload-metadata': metadata };
  return tus(`${installation.url}/upload/resumable`, 'POST', headers, first);
}

const post = (sender: Sender, body: BodyInit) =>
  installation.post(`${BUCKET}/${newPath()}`, body, { headers: headersOf(sender) });

/** Uploads a file in pieces of 6 MB like the form. @returns the last status */
async function sendInPieces(sender: Sender, bytes: Buffer): Promise<number> {
  const piece = 6 * MB;
  const created = await create(sender, bytes.length, bytes.subarray(0, piece));
  if (created.status !== 201) return created.status;
  const rest = bytes.subarray(piece);
  if (!rest.length) return 200;
  const headers = { ...headersOf(sender), 'upload-offset': String(piece) };
  const { status } = await tus(created.headers.get('location')!, 'PATCH', headers, rest);
  return status === 204 ? 200 : status;
}

it('lets a guest upload one full form of 50 files of 10 MB an hour', () =>
  withSettings({}, async () => {
    const guest = newGuest();
    const full = padded(10 * MB);
    const bytes = { limit: 500 * MB, left: 500 * MB };
    expect(await left(guest)).toEqual({ files: { limit: 50, left: 50 }, bytes, seconds: 0 });
    for (const sent of [0, 48]) {
      if (sent) await charge(sent - 2, (sent - 2) * 10 * MB);
      expect(await Promise.all([send(guest, full), sendInPieces(guest, full)]), `files ${sent}`).toEqual([200, 200]);
    }
    expect(await left(guest)).toMatchObject({ files: { left: 0 }, bytes: { left: 0 } });
    expect([await send(guest), await sendInPieces(guest, picture)]).toEqual([429, 429]);
    expect(await send(newGuest())).toBe(200);
  }));

it('lets an account upload ten full forms an hour', async () => {
  await withSettings({}, async () => {
    const bytes = { limit: 5000 * MB, left: 5000 * MB };
    expect(await left(await account())).toMatchObject({ files: { limit: 500, left: 500 }, bytes });
  });
  const small = await account();
  expect(await sendAll(small, 1)).toEqual([200]);
  await charge(38, 0);
  expect(await sendAll(small, 2)).toEqual([200, 429]);
  const ban = "update auth.users set banned_until = 'infinity' where id not in (select user_id from public.user_roles)";
  await installation.db.query(ban);
  expect(await left(small)).toMatchObject({ statusCode: '403', message: 'User is banned' });
});

it('counts a guest by address and an account by its id', async () => {
  const guest = newGuest();
  expect(await sendAll(guest, 5)).toEqual([200, 200, 200, 200, 429]);
  const [first, second] = [await account(guest.address), await account(guest.address, { admin: true })];
  expect(await sendAll(first, 5)).toEqual([200, 200, 200, 200, 200]);
  expect([await filesLeft(guest), await filesLeft(first), await filesLeft(second)]).toEqual([0, 35, 40]);
  expect(await send({ ...first, address: newAddress() })).toBe(200);
  expect(await filesLeft(first)).toBe(34);
  expect(await send(newGuest())).toBe(200);
});

it('counts an anonymous account as a guest, and never the service', async () => {
  const guest = newGuest();
  expect(await sendAll(await account(guest.address, { anonymous: true }), 2)).toEqual([200, 200]);
  expect(await filesLeft(guest)).toBe(2);
  const service = { token: installation.keys.secret, address: guest.address };
  expect(await sendAll(service, 6)).toEqual(Array(6).fill(200));
  expect([await left(service), await filesLeft(guest)]).toEqual([null, 2]);
});

it('gives guests behind an office address ten times the quota', () =>
  withSettings({ UPLOAD_FILES: '2', OFFICE_NETWORKS: '203.0.113.0/24, 2001:db8:42::/48' }, async () => {
    const limits = async (address: string) => (await left({ address })).files.limit;
    expect(await limits('203.0.113.9')).toBe(20);
    expect(await limits('203.0.114.9')).toBe(2);
    expect(await limits('2001:db8:42:7::/64')).toBe(20);
    expect(await limits('2001:db8:43:7::/64')).toBe(2);
    expect((await left(await account('203.0.113.9'))).files.limit).toBe(20);
    // More than one guest's limit of pending uploads.
    const office = { address: '203.0.113.10' };
    for (let opened = 0; opened < 6; opened++) expect((await create(office, 100)).status).toBe(201);
  }));

it('counts every kind of upload alike', async () => {
  const guest = newGuest();
  const usedBytes = async () => 4 * 10 * MB - (await left(guest)).bytes.left;
  expect(await send(guest, padded(1000))).toBe(200);
  expect([await filesLeft(guest), await usedBytes()]).toEqual([3, 1000]);
  const raw = await post(guest, new Uint8Array(padded(2000)));
  expect([raw.status, await filesLeft(guest), await usedBytes()]).toEqual([200, 2, 3000]);
  expect(await sendInPieces(guest, padded(4000))).toBe(200);
  expect([await filesLeft(guest), await usedBytes()]).toEqual([1, 7000]);
  // A URL signed by the service and used by the guest.
  const path = newPath();
  const { data } = await installation.service.from(BUCKET).createSignedUploadUrl(path);
  const files = installation.client(undefined, guest.address).from(BUCKET);
  expect((await files.uploadToSignedUrl(path, data!.token, fileOf(padded(8000), 'image/png'))).error).toBeNull();
  expect([await filesLeft(guest), await usedBytes()]).toEqual([0, 15_000]);
  expect(await send(guest)).toBe(429);
  // The object exists already; a new one would get 429.
  const existing = await files.uploadToSignedUrl(path, data!.token, fileOf(picture, 'image/png'));
  expect(existing.error).toMatchObject({ statusCode: '409' });
  const other = newPath();
  const { data: next } = await installation.service.from(BUCKET).createSignedUploadUrl(other);
  const again = await files.uploadToSignedUrl(other, next!.token, fileOf(picture, 'image/png'));
  expect(again.error).toMatchObject({ statusCode: '429' });
});

it('counts the bytes of a body without a length', async () => {
  const guest = newGuest();
  expect((await post(guest, new Blob([new Uint8Array(padded(3000))]).stream())).status).toBe(200);
  expect(await left(guest)).toMatchObject({ files: { left: 3 }, bytes: { left: 40 * MB - 3000 } });
});

it('rejects a file above the remaining bytes, and accepts a smaller one', async () => {
  const guest = newGuest();
  expect(await sendAll(guest, 2, padded(10 * MB))).toEqual([200, 200]);
  await charge(0, 15 * MB);
  expect(await left(guest)).toMatchObject({ files: { left: 2 }, bytes: { left: 5 * MB } });
  expect(await send(guest, padded(5 * MB + 100_000))).toBe(429);
  expect(await sendInPieces(guest, padded(6 * MB))).toBe(429);
  expect(await send(guest, padded(5 * MB))).toBe(200);
  expect(await left(guest)).toMatchObject({ files: { left: 1 }, bytes: { left: 0 } });
});

it('refunds a rejected upload, whatever the reason', async () => {
  // An account, which has a higher limit of rejected uploads.
  const guest = await account();
  const { files, bytes } = await left(guest);
  const isWhole = async () => expect(await left(guest)).toMatchObject({ files, bytes });
  expect(await send(guest, 'no picture')).toBe(415);
  await isWhole();
  expect(await send(guest, new Uint8Array(11 * MB))).toBe(413);
  await isWhole();
  await installation.db.script(`create function storage.refuse() returns trigger language plpgsql as
    $$ begin if new.metadata <> '{}' then raise 'full' using errcode = '53100'; end if; return new; end $$;
    create trigger refuse before insert on storage.objects for each row execute function storage.refuse()`);
  expect(await send(guest)).toBe(507);
  expect(await sendInPieces(guest, picture)).toBe(507);
  await installation.db.script('drop trigger refuse on storage.objects');
  expect(await filesLeft(guest)).toBe(files.left - 1);
  // A resumable upload can continue until it is deleted.
  const age = `update storage.unfinished_uploads set created_at = now() - interval '25 hours' where not done`;
  await installation.db.query(age);
  await installation.storage.sweep();
  await isWhole();
  expect(await sendInPieces(guest, Buffer.from('no picture'))).toBe(415);
  await isWhole();
});

const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';

it.each([
  ['image/png', ''],
  ['multipart/form-data; boundary=b', PART],
])('refunds an interrupted upload of %s, and stores nothing', async (type, part) => {
  const guest = newGuest();
  const end = new AbortController();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(part + 'x'.repeat(1000))) });
  const path = newPath();
  const headers = { ...headersOf(guest), 'content-type': type };
  const sending = installation.post(`${BUCKET}/${path}`, body, { headers, signal: end.signal }).catch(() => null);
  await expect.poll(() => filesLeft(guest)).toBe(3);
  await expect.poll(() => installation.incoming()).toHaveLength(1);
  end.abort();
  await sending;
  await expect.poll(() => left(guest)).toMatchObject({ files: { left: 4 }, bytes: { left: 40 * MB } });
  await expect.poll(() => installation.incoming()).toEqual([]);
  expect(await installation.rowsOf(path)).toEqual([]);
});

it('blocks a guest whose uploads are all rejected', async () => {
  const guest = newGuest();
  expect(await sendAll(guest, 5, 'no picture')).toEqual([415, 415, 415, 415, 429]);
  expect(await left(guest)).toMatchObject({ files: { left: 0 }, bytes: { left: 0 } });
  expect(await send(newGuest())).toBe(200);
});

it('counts a resumable upload once, however often it is started and continued', async () => {
  const guest = newGuest();
  const path = newPath();
  const bytes = padded(30_000);
  // The responses to the first two requests were lost.
  for (let tries = 0; tries < 3; tries++) {
    expect((await create(guest, bytes.length, bytes.subarray(0, 100 * tries), path)).status).toBe(201);
    expect(await left(guest)).toMatchObject({ files: { left: 3 }, bytes: { left: 40 * MB - 30_000 } });
  }
  const address = (await create(guest, bytes.length, bytes.subarray(0, 500), path)).headers.get('location')!;
  const patch = (from: number, to: number) =>
    tus(address, 'PATCH', { ...headersOf(guest), 'upload-offset': String(from) }, bytes.subarray(from, to));
  expect((await patch(500, 20_000)).status).toBe(204);
  expect((await patch(500, 20_000)).status).toBe(409);
  expect((await patch(20_000, 30_000)).status).toBe(204);
  expect(await left(guest)).toMatchObject({ files: { left: 3 }, bytes: { left: 40 * MB - 30_000 } });
  expect((await create(guest, bytes.length, bytes, path)).status).toBe(409);
  expect(await filesLeft(guest)).toBe(3);
  // Deleting a complete upload refunds nothing.
  await tus(address, 'DELETE', headersOf(guest));
  expect(await filesLeft(guest)).toBe(3);
});

it('refunds a cancelled resumable upload', async () => {
  const guest = newGuest();
  const address = (await create(guest, 5 * MB, padded(1000))).headers.get('location')!;
  expect(await left(guest)).toMatchObject({ files: { left: 3 }, bytes: { left: 35 * MB } });
  expect((await tus(address, 'DELETE', headersOf(guest))).status).toBe(204);
  expect(await left(guest)).toMatchObject({ files: { left: 4 }, bytes: { left: 40 * MB } });
});

it('never exceeds the quota for concurrent uploads, on any process', async () => {
  await using other = await installation.another();
  const guest = newGuest();
  const uploads = Array.from({ length: 16 }, (_, at) => send(guest, picture, at % 2 ? other.fetch : fetch));
  const statuses = await Promise.all(uploads);
  expect(statuses.filter((status) => status === 200)).toHaveLength(4);
  expect(statuses.filter((status) => status === 429)).toHaveLength(12);
  const rest = { files: { left: 0 }, bytes: { left: 40 * MB - 4 * picture.length } };
  for (const request of [fetch, other.fetch]) expect(await left(guest, request)).toMatchObject(rest);
});

it('resets at the end of the window, and reports when', () =>
  withSettings({ UPLOAD_FILES: '1', UPLOAD_SECONDS: '10' }, async () => {
    const guest = newGuest();
    expect(await send(guest)).toBe(200);
    const refused = await post(guest, new Uint8Array(picture));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    const message = /^The upload limit of 1 files and 10 MB is reached; it is lifted in \d+ s\.$/;
    const tooMany = { statusCode: '429', code: 'SlowDown', message: expect.stringMatching(message) };
    expect(await refused.json()).toMatchObject(tooMany);
    const inPieces = await create(guest, picture.length, picture);
    expect(inPieces.status).toBe(429);
    expect(Number(inPieces.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    await expect.poll(() => filesLeft(guest)).toBe(1);
    expect(await send(guest)).toBe(200);
  }));

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { heavyJpeg, newPath, svg, uploadMetadata } from './files.ts';
import { newAddress, openStorageServer } from './storage-server.ts';
import { BUCKET, tokenIn, tus, tusClient } from './tus-client.ts';

// Tests that do not depend on the store; the others are in `resumable.ts`.
const server = forAllTests(() => openStorageServer());
const picture = await heavyJpeg(0.5);

const { serviceHeaders, guestHeaders, create, begin, patch, shown, send } = tusClient(() => server);

it('a resumable upload is rejected with the real status and the message as text', async () => {
  const metadata = { bucketName: BUCKET, objectName: newPath('jpg'), contentType: 'image/jpeg' };
  const refusals: [Record<string, string>, number, RegExp, Buffer?][] = [
    [{ bucketName: 'nowhere' }, 404, /Bucket not found/],
    [{ objectName: 'images/mine.jpg' }, 403, /row-level security/],
    [{ contentType: 'text/html' }, 415, /mime type text\/html is not supported/],
    [{}, 413, /^Maximum size exceeded$/m, Buffer.alloc(11 * 1024 ** 2)],
  ];
  for (const [more, status, message, bytes = picture] of refusals) {
    const sending = send({ metadata: { ...metadata, ...more }, retryDelays: null }, bytes);
    const failure = await sending.catch((error: unknown) => error);
    const answer = (failure as { originalResponse: { getStatus(): number; getBody(): string } }).originalResponse;
    expect([answer.getStatus(), answer.getBody()]).toEqual([status, expect.stringMatching(message)]);
  }
});

it('a resumable upload is checked by its content at the end', async () => {
  const bytes = Buffer.from(svg);
  const { path, address } = await begin(bytes.length);
  const answer = await patch(address, 0, bytes);
  expect([answer.status, await answer.text()]).toEqual([415, 'mime type image/svg+xml is not supported']);
  expect((await shown(path)).status).toBe(400);
  expect((await tus(address, 'HEAD', guestHeaders())).status).toBe(404);
});

it('a resumable upload accepts no more bytes than announced', async () => {
  const { address } = await begin(100);
  expect((await patch(address, 0, new Uint8Array(101))).status).toBe(413);
  expect((await tus(address, 'HEAD', guestHeaders())).headers.get('upload-offset')).toBe('0');
});

it('a resumable upload can set its length later, within the limit', async () => {
  const path = newPath('jpg');
  const metadata = uploadMetadata({ bucketName: BUCKET, objectName: path });
  const deferred = { ...guestHeaders(), 'upload-defer-length': '1', 'upload-metadata': metadata };
  const address = (await tus(`${server.url}/upload/resumable`, 'POST', deferred)).headers.get('location')!;
  const headers = { ...guestHeaders(), 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const statusFor = async (length: number) =>
    (await tus(address, 'PATCH', { ...headers, 'upload-length': String(length) }, picture)).status;
  expect(await statusFor(11 * 1024 ** 2)).toBe(413);
  expect(await statusFor(picture.length)).toBe(204);
  expect((await shown(path)).status).toBe(200);
});

it('a resumable upload belongs to the user who began it', async () => {
  const [mine, yours] = [await server.person(), await server.person()];
  const my = { authorization: `Bearer ${mine.token}` };
  const { path, address } = await begin(picture.length, my);
  for (const headers of [{ authorization: `Bearer ${yours.token}` }, guestHeaders(), serviceHeaders()])
    for (const method of ['HEAD', 'DELETE']) expect((await tus(address, method, headers)).status, method).toBe(404);
  expect((await patch(address, 0, picture, guestHeaders())).status).toBe(404);
  expect((await patch(address, 0, picture, my)).status).toBe(204);
  const { rows } = await server.db.query('select owner_id from storage.objects where name = $1', [path]);
  expect(rows).toEqual([{ owner_id: mine.id }]);
});

it('a resumable upload has an address that cannot be guessed from its object', async () => {
  const path = newPath('jpg');
  await create(path, picture.length);
  const guess = Buffer.from(`${BUCKET}/${path}/${randomUUID()}`).toString('base64url');
  for (const id of [guess, 'nonsense', '..%2f..%2fkeys.json', Buffer.from('../../keys.json').toString('base64')])
    expect((await tus(`${server.url}/upload/resumable/${id}`, 'HEAD', guestHeaders())).status, id).toBe(404);
});

it('a guest may have five open resumable uploads, also when all are created at the same time', async () => {
  const headers = guestHeaders();
  const created = await Promise.all(Array.from({ length: 8 }, () => create(newPath('jpg'), 10, headers)));
  const refused = created.filter(({ status }) => status !== 201);
  expect(refused.map((one) => [one.status, one.headers.get('retry-after')])).toEqual(Array(3).fill([429, '60']));
  expect((await create(newPath('jpg'), 10)).status).toBe(201);
});

it('a user may have five open resumable uploads from all addresses; the service may have more (C11)', async () => {
  const { token } = await server.person();
  const from = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'x-test-address': newAddress() });
  for (let i = 0; i < 5; i++) expect((await create(newPath('jpg'), 10, from(token))).status).toBe(201);
  expect((await create(newPath('jpg'), 10, from(token))).status).toBe(429);
  for (let i = 0; i < 6; i++) expect((await create(newPath('jpg'), 10, from(server.keys.secret))).status).toBe(201);
});

it('a resumable upload reserves no space when created: 250 abandoned uploads of 10 MB block no other client (C11)', async () => {
  const statuses: number[] = [];
  for (let visitor = 0; visitor < 50; visitor++) {
    const headers = guestHeaders();
    const all = Array.from({ length: 5 }, () => create(newPath('jpg'), 10 * 1024 ** 2, headers));
    statuses.push(...(await Promise.all(all)).map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([201]));
  const path = newPath('jpg');
  await send({ metadata: { bucketName: BUCKET, objectName: path, contentType: 'image/jpeg' } }, picture);
  expect((await shown(path)).status).toBe(200);
});

it('the endpoint for resumable uploads reports its capabilities', async () => {
  const answer = await fetch(`${server.url}/upload/resumable`, { method: 'OPTIONS' });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('tus-version')).toBe('1.0.0');
  expect(answer.headers.get('tus-extension')).toContain('creation-with-upload');
  expect(Number(answer.headers.get('tus-max-size'))).toBeGreaterThan(0);
  const bad = await create(newPath(), 1, { authorization: 'Bearer a.b.c' });
  expect([bad.status, await bad.text()]).toEqual([403, 'invalid signature']);
});

it('a signed resumable upload needs no session, and writes only the signed object', async () => {
  const path = newPath('jpg');
  const { data } = await server.service.from(BUCKET).createSignedUploadUrl(path);
  const headers = { 'x-signature': data!.token, 'x-test-address': newAddress() };
  const metadata = (name: string) => ({ bucketName: BUCKET, objectName: name, contentType: 'image/jpeg' });
  const endpoint = `${server.url}/upload/resumable/sign`;
  await send({ endpoint, headers, chunkSize: 200_000, metadata: metadata(path) }, picture);
  expect((await shown(path)).status).toBe(200);
  const once = { endpoint, headers, retryDelays: null };
  await expect(send({ ...once, metadata: metadata(newPath('jpg')) }, picture)).rejects.toThrow(/Invalid signature/);
  const unsigned = send({ ...once, headers: { 'x-test-address': newAddress() }, metadata: metadata(path) }, picture);
  await expect(unsigned).rejects.toThrow(/Invalid upload Signature/);
});

it('a restart deletes empty uploads after ten minutes, and frees their slot (C11)', async () => {
  const headers = guestHeaders();
  const addresses: string[] = [];
  for (let i = 0; i < 5; i++) addresses.push((await begin(picture.length, headers)).address);
  await patch(addresses[0]!, 0, picture.subarray(0, 1000));
  const age = "update storage.unfinished_uploads set came_at = came_at - interval '11 minutes' where token = any ($1)";
  await server.db.query(age, [addresses.map(tokenIn)]);
  await server.restart();
  for (let i = 0; i < 4; i++) expect((await create(newPath('jpg'), 10, headers)).status).toBe(201);
  expect((await create(newPath('jpg'), 10, headers)).status).toBe(429);
  const found = await Promise.all(addresses.map((address) => tus(address, 'HEAD', headers)));
  expect(found.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404]);
});

it('an upload responds 423 while another process writes it, and is free when that process has ended', async () => {
  const { path, address } = await begin(picture.length);
  const take = `update storage.unfinished_uploads set lease = gen_random_uuid(), leased_until = now() + $2::interval where token = $1`;
  const lease = (until: string) => server.db.query(take, [tokenIn(address), until]);
  await lease('1 hour');
  expect((await patch(address, 0, picture)).status).toBe(423);
  await lease('-1 second');
  expect((await patch(address, 0, picture)).status).toBe(204);
  expect((await shown(path)).status).toBe(200);
});

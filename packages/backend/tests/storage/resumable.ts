import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import sharp from 'sharp';
import type { HttpRequest } from 'tus-js-client';
import { describe, expect, it, vi } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { heavyJpeg, newPath } from './files.ts';
import { openStorageServer, type TestStore } from './storage-server.ts';
import { BUCKET, tokenIn, tus, tusClient } from './tus-client.ts';

const picture = await heavyJpeg(0.5);
const half = Math.floor(picture.length / 2);

/** A request body that pauses after these bytes. */
function pausedBody(bytes: Uint8Array) {
  const { promise: paused, resolve: resume } = Promise.withResolvers<void>();
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes);
      await paused;
      controller.close();
    },
  });
  return { body, resume };
}

export function resumableTests(store: TestStore): void {
  const server = forAllTests(() => openStorageServer({ store }));

  const { serviceHeaders, guestHeaders, create, begin, patch, shown, send } = tusClient(() => server);

  const offsetOf = async (address: string, fetchFrom = fetch) =>
    Number((await tus(address, 'HEAD', guestHeaders(), undefined, fetchFrom)).headers.get('upload-offset'));

  /** Sends the beginning of a PATCH and breaks the connection. Resolves when the server has noticed. */
  async function sendTruncated(address: string, bytes: Buffer, announced: number): Promise<void> {
    const content = { 'content-type': 'application/offset+octet-stream', 'content-length': announced };
    const headers = { ...guestHeaders(), 'tus-resumable': '1.0.0', 'upload-offset': '0', ...content };
    const sending = request(address, { method: 'PATCH', headers });
    sending.on('error', () => {});
    await new Promise((written) => sending.write(bytes, written));
    await arrived(bytes.length);
    sending.destroy();
  }

  async function arrived(bytes: number): Promise<void> {
    const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size;
    await vi.waitUntil(async () => (await Promise.all((await server.incoming()).map(sizeOf))).includes(bytes), 60_000);
  }

  describe('official client', () => {
    it('uploads in chunks, with the first chunk in the creation', async () => {
      const path = newPath('jpg');
      const seen: number[] = [];
      const metadata = { bucketName: BUCKET, objectName: path, contentType: 'image/jpeg', cacheControl: '3600' };
      const onProgress = (sent: number) => void seen.push(sent);
      await send({ chunkSize: 200_000, uploadDataDuringCreation: true, metadata, onProgress }, picture);
      const response = await shown(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
      expect((await sharp(await response.arrayBuffer()).metadata()).format).toBe('jpeg');
      expect(seen.at(-1)).toBe(picture.length);
    });

    it('resumes after a lost connection', async () => {
      const { path, address } = await begin(picture.length);
      await sendTruncated(address, picture.subarray(0, half), picture.length);
      const offsets: string[] = [];
      const onBeforeRequest = (request: HttpRequest) => {
        if (request.getMethod() === 'PATCH') offsets.push(request.getHeader('Upload-Offset')!);
      };
      await send({ uploadUrl: address, onBeforeRequest }, picture);
      expect(offsets).toEqual([String(half)]);
      expect((await shown(path)).status).toBe(200);
    });
  });

  describe('resumable upload', () => {
    it('is invisible until it is complete, and public afterwards', async () => {
      const path = newPath('jpg');
      const created = await create(path, picture.length);
      expect(created.status).toBe(201);
      const address = created.headers.get('location')!;
      expect(address.startsWith(`${server.url}/upload/resumable/`)).toBe(true);
      expect(Date.parse(created.headers.get('upload-expires')!)).toBeGreaterThan(Date.now() + 23 * 3600 * 1000);
      const first = await patch(address, 0, picture.subarray(0, 1000));
      expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000']);
      const { status, headers } = await tus(address, 'HEAD', guestHeaders());
      expect(status).toBe(200);
      const length = String(picture.length);
      const progress = { 'upload-offset': '1000', 'upload-length': length, 'cache-control': 'no-store' };
      expect(Object.fromEntries(headers)).toMatchObject(progress);
      expect((await shown(path)).status).toBe(400);
      expect((await patch(address, 999, picture.subarray(999))).status).toBe(409);
      const last = await patch(address, 1000, picture.subarray(1000));
      expect([last.status, last.headers.get('tus-complete')]).toEqual([204, '1']);
      expect((await shown(path)).status).toBe(200);
      expect(await offsetOf(address)).toBe(picture.length);
      expect((await create(path, 10)).status).toBe(409);
    });

    it('is written by one client at a time', async () => {
      const { path, address } = await begin(picture.length);
      const responses = await Promise.all(Array.from({ length: 5 }, () => patch(address, 0, picture)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409]);
      expect((await shown(path)).status).toBe(200);
    });

    it('can be cancelled', async () => {
      const before = await server.stored('unfinished');
      const { address } = await begin(picture.length);
      await patch(address, 0, picture.subarray(0, 500));
      expect((await tus(address, 'DELETE', guestHeaders())).status).toBe(204);
      expect((await tus(address, 'HEAD', guestHeaders())).status).toBe(404);
      expect(await server.stored('unfinished')).toEqual(before);
    });
  });

  describe('server restart during an upload', () => {
    /** Sends the picture while the database refuses a write. */
    async function patchWithout(write: string, address: string): Promise<Response> {
      await server.db.script(`
        create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = 'XX000'; end $$;
        create trigger fail before ${write} execute function public.fail();`);
      const response = await patch(address, 0, picture);
      await server.db.script('drop function public.fail() cascade;');
      return response;
    }

    it('requests the last byte again when all bytes arrived but could not be recorded', async () => {
      const { path, address } = await begin(picture.length);
      const failed = await patchWithout("insert on storage.objects for each row when (new.metadata <> '{}')", address);
      expect([failed.status, await failed.text()]).toEqual([500, 'Internal server error']);
      expect((await shown(path)).status).toBe(400);
      const missing = picture.length - 1;
      expect(await offsetOf(address)).toBe(missing);
      expect((await patch(address, missing, picture.subarray(missing))).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
    });

    it('accepts the last byte again when it had recorded the object and not yet closed the upload', async () => {
      const { path, address } = await begin(picture.length);
      const failed = await patchWithout('update on storage.unfinished_uploads for each row when (new.done)', address);
      expect([failed.status, (await shown(path)).status]).toEqual([500, 200]);
      const missing = picture.length - 1;
      expect(await offsetOf(address)).toBe(missing);
      expect((await patch(address, missing, picture.subarray(missing))).status).toBe(204);
      expect(await offsetOf(address)).toBe(picture.length);
      const { rows } = await server.db.query('select from storage.objects where name = $1', [path]);
      expect([rows.length, (await shown(path)).status]).toEqual([1, 200]);
    });

    it('finds unfinished uploads again', async () => {
      const { path, address } = await begin(picture.length);
      await patch(address, 0, picture.subarray(0, 5000));
      await server.restart();
      expect(await offsetOf(address)).toBe(5000);
      expect((await patch(address, 5000, picture.subarray(5000))).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
    });

    it('deletes uploads that were not finished within a day', async () => {
      const { address } = await begin(picture.length);
      const token = tokenIn(address);
      await patch(address, 0, picture.subarray(0, 500));
      expect(await server.stored(`unfinished/${token}`)).toHaveLength(1);
      const age = `update storage.unfinished_uploads set created_at = created_at - interval '25 hours' where token = $1`;
      await server.db.query(age, [token]);
      await server.restart();
      expect((await patch(address, 500, picture.subarray(500))).status).toBe(410);
      expect(await server.storage.sweep()).toMatchObject({ expired: 1 });
      expect(await server.stored(`unfinished/${token}`)).toEqual([]);
    });
  });

  describe('upload on several machines', () => {
    it('starts on one, continues on the next and finishes on a third with identical bytes', async () => {
      await using second = await server.another();
      await using third = await server.another();
      await server.service.createBucket('anything', { public: false, fileSizeLimit: '10MB' });
      // More than two pieces per request.
      const bytes = randomBytes(9.5 * 1024 ** 2);
      const binary = { bucketName: 'anything', contentType: 'application/octet-stream' };
      const address = (await create('noise.bin', bytes.length, serviceHeaders(), binary)).headers.get('location')!;
      const cuts = [0, 300_000, 9_000_000, bytes.length];
      for (const [at, machine] of [{ fetch }, second, third].entries()) {
        const piece = bytes.subarray(cuts[at], cuts[at + 1]);
        const response = await patch(address, cuts[at]!, piece, serviceHeaders(), machine.fetch);
        expect([response.status, response.headers.get('upload-offset')]).toEqual([204, String(cuts[at + 1])]);
      }
      const { data } = await server.service.from('anything').download('noise.bin');
      expect(Buffer.from(await data!.arrayBuffer()).equals(bytes)).toBe(true);
      expect(await server.stored(`unfinished/${tokenIn(address)}`)).toEqual([]);
    });

    it('is written by one machine at a time; the next continues when the first has stored its bytes', async () => {
      await using other = await server.another();
      const { path, address } = await begin(picture.length);
      const { body, resume } = pausedBody(new Uint8Array(picture.subarray(0, half)));
      const first = patch(address, 0, body);
      await arrived(half);
      expect(await offsetOf(address, other.fetch)).toBe(half);
      expect((await patch(address, half, picture.subarray(half), guestHeaders(), other.fetch)).status).toBe(204);
      resume();
      await first.catch(() => {});
      expect((await shown(path)).status).toBe(200);
    });

    it('keeps its bytes when a writer has lost its lease', async () => {
      const { path, address } = await begin(picture.length);
      const { body, resume } = pausedBody(new Uint8Array(1000));
      const zombie = patch(address, 0, body);
      // Checks the lease of this upload, because files of earlier ones may be on the disk.
      const leased = 'select from storage.unfinished_uploads where token = $1 and lease is not null';
      await vi.waitUntil(async () => (await server.db.query(leased, [tokenIn(address)])).rows.length > 0, 60_000);
      const release = 'update storage.unfinished_uploads set lease = null, leased_until = null where token = $1';
      await server.db.query(release, [tokenIn(address)]);
      resume();
      expect((await zombie).status).not.toBe(204);
      await using other = await server.another();
      const patchThere = (offset: number, bytes: Buffer) => patch(address, offset, bytes, guestHeaders(), other.fetch);
      expect((await patchThere(0, picture.subarray(0, half))).status).toBe(204);
      expect((await patchThere(half, picture.subarray(half))).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
      expect(await server.stored(`unfinished/${tokenIn(address)}`)).toEqual([]);
    });
  });
}

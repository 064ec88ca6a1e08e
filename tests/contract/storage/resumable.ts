import { randomBytes, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import sharp from 'sharp';
import { type HttpRequest, Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { heavyJpeg, newPath, svg, uploadMetadata } from './files.ts';
import { newAddress, openStorageServer, type StorageServer, type TestStore } from './storage-server.ts';

export function resumableTests(store: TestStore): void {
  let server: StorageServer;
  let picture: Buffer;
  beforeAll(async () => {
    server = await openStorageServer({ store });
    picture = await heavyJpeg(0.5);
  });
  afterAll(() => server.close());

  const BUCKET = 'case-studies';
  const tokenIn = (address: string) =>
    Buffer.from(address.split('/').at(-1)!, 'base64url').toString().split('/').at(-1)!;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const serviceHeaders = () => ({ authorization: `Bearer ${server.keys.secret}` });
  const guestHeaders = (address = newAddress()) => ({
    authorization: `Bearer ${server.keys.publishable}`,
    'x-test-address': address,
  });

  /** A bare request of the protocol. */
  const tus = (address: string, method: string, headers: Record<string, string>, body?: Uint8Array) =>
    fetch(address, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    });

  function create(
    path: string,
    length: number,
    headers: Record<string, string> = guestHeaders(),
    more: Record<string, string> = {},
  ) {
    const metadata = { bucketName: BUCKET, objectName: path, contentType: 'image/jpeg', cacheControl: '3600', ...more };
    return tus(`${server.url}/upload/resumable`, 'POST', {
      ...headers,
      'upload-length': String(length),
      'upload-metadata': uploadMetadata(metadata),
    });
  }

  const patch = (
    address: string,
    offset: number,
    bytes: Uint8Array,
    headers: Record<string, string> = guestHeaders(),
  ) =>
    tus(
      address,
      'PATCH',
      { ...headers, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      bytes,
    );

  const shown = (path: string) => fetch(`${server.url}/object/public/${BUCKET}/${path}`);

  /** Sends the beginning of a PATCH, then pulls the cable. Resolves when the server knows. */
  async function breakOff(address: string, bytes: Buffer, announced: number): Promise<void> {
    const sending = request(address, {
      method: 'PATCH',
      headers: {
        ...guestHeaders(),
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': announced,
      },
    });
    sending.on('error', () => {});
    await new Promise((written) => sending.write(bytes, written));
    await arrived(bytes.length);
    sending.destroy();
  }

  /** Waits until so many bytes of a request lie on the disk. */
  async function arrived(bytes: number): Promise<void> {
    const sizeOf = (path: string) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    await vi.waitUntil(async () => (await Promise.all((await server.incoming()).map(sizeOf))).includes(bytes), 60_000);
  }

  /** Runs the official client to its end. */
  function send(options: ConstructorParameters<typeof Upload>[1], bytes: Buffer): Promise<Upload> {
    return new Promise((resolve, reject) => {
      const upload: Upload = new Upload(bytes, {
        endpoint: `${server.url}/upload/resumable`,
        headers: guestHeaders(),
        retryDelays: [0, 50, 100],
        ...options,
        onSuccess: () => resolve(upload),
        onError: reject,
      });
      upload.start();
    });
  }

  describe('the official client', () => {
    it('uploads in pieces, with the first piece in the creation', async () => {
      const path = newPath('jpg');
      const seen: number[] = [];
      await send(
        {
          chunkSize: 200_000,
          uploadDataDuringCreation: true,
          metadata: { bucketName: BUCKET, objectName: path, contentType: 'image/jpeg', cacheControl: '3600' },
          onProgress: (sent) => seen.push(sent),
        },
        picture,
      );
      const answer = await shown(path);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        'public, max-age=3600',
      ]);
      expect((await sharp(await answer.arrayBuffer()).metadata()).format).toBe('jpeg');
      expect(seen.at(-1)).toBe(picture.length);
    });

    it('goes on where the connection broke', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      const half = Math.floor(picture.length / 2);
      await breakOff(address, picture.subarray(0, half), picture.length);
      const offsets: string[] = [];
      await send(
        {
          uploadUrl: address,
          onBeforeRequest: (request: HttpRequest) => {
            if (request.getMethod() === 'PATCH') offsets.push(request.getHeader('Upload-Offset')!);
          },
        },
        picture,
      );
      expect(offsets).toEqual([String(half)]);
      expect((await shown(path)).status).toBe(200);
    });

    it('is refused with the real status and the message as text', async () => {
      const metadata = { bucketName: BUCKET, objectName: newPath('jpg'), contentType: 'image/jpeg' };
      const refusals: [Record<string, string>, number, RegExp, Buffer?][] = [
        [{ bucketName: 'nowhere' }, 404, /Bucket not found/],
        [{ objectName: 'images/mine.jpg' }, 403, /row-level security/],
        [{ contentType: 'text/html' }, 415, /mime type text\/html is not supported/],
        [{}, 413, /^Maximum size exceeded$/m, Buffer.alloc(11 * 1024 ** 2)],
      ];
      for (const [more, status, message, bytes = picture] of refusals) {
        const failure = await send({ metadata: { ...metadata, ...more }, retryDelays: null }, bytes).catch(
          (error: unknown) => error,
        );
        const answer = (failure as { originalResponse: { getStatus(): number; getBody(): string } }).originalResponse;
        expect([answer.getStatus(), answer.getBody()]).toEqual([status, expect.stringMatching(message)]);
      }
    });
  });

  describe('an upload in pieces', () => {
    it('is invisible until it is whole, and public afterwards', async () => {
      const path = newPath('jpg');
      const created = await create(path, picture.length);
      expect(created.status).toBe(201);
      const address = created.headers.get('location')!;
      expect(address.startsWith(`${server.url}/upload/resumable/`)).toBe(true);
      expect(Date.parse(created.headers.get('upload-expires')!)).toBeGreaterThan(Date.now() + 23 * 3600 * 1000);
      const first = await patch(address, 0, picture.subarray(0, 1000));
      expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '1000']);
      const head = await tus(address, 'HEAD', guestHeaders());
      expect([
        head.status,
        head.headers.get('upload-offset'),
        head.headers.get('upload-length'),
        head.headers.get('cache-control'),
      ]).toEqual([200, '1000', String(picture.length), 'no-store']);
      expect((await shown(path)).status).toBe(400);
      expect((await patch(address, 999, picture.subarray(999))).status).toBe(409);
      const last = await patch(address, 1000, picture.subarray(1000));
      expect([last.status, last.headers.get('tus-complete')]).toEqual([204, '1']);
      expect((await shown(path)).status).toBe(200);
      expect((await tus(address, 'HEAD', guestHeaders())).headers.get('upload-offset')).toBe(String(picture.length));
      expect((await create(path, 10)).status).toBe(409);
    });

    it('is judged by its content in the end', async () => {
      const path = newPath('jpg');
      const bytes = Buffer.from(svg);
      const address = (await create(path, bytes.length)).headers.get('location')!;
      const answer = await patch(address, 0, bytes);
      expect([answer.status, await answer.text()]).toEqual([415, 'mime type image/svg+xml is not supported']);
      expect((await shown(path)).status).toBe(400);
      expect((await tus(address, 'HEAD', guestHeaders())).status).toBe(404);
    });

    it('takes no more bytes than were announced', async () => {
      const address = (await create(newPath('jpg'), 100)).headers.get('location')!;
      expect((await patch(address, 0, new Uint8Array(101))).status).toBe(413);
      expect((await tus(address, 'HEAD', guestHeaders())).headers.get('upload-offset')).toBe('0');
    });

    it('may learn its length later, within the limit', async () => {
      const path = newPath('jpg');
      const metadata = uploadMetadata({ bucketName: BUCKET, objectName: path });
      const created = await tus(`${server.url}/upload/resumable`, 'POST', {
        ...guestHeaders(),
        'upload-defer-length': '1',
        'upload-metadata': metadata,
      });
      const address = created.headers.get('location')!;
      const headers = { ...guestHeaders(), 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
      expect(
        (await tus(address, 'PATCH', { ...headers, 'upload-length': String(11 * 1024 ** 2) }, picture)).status,
      ).toBe(413);
      expect(
        (await tus(address, 'PATCH', { ...headers, 'upload-length': String(picture.length) }, picture)).status,
      ).toBe(204);
      expect((await shown(path)).status).toBe(200);
    });

    it('is written by one of many at a time', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      const answers = await Promise.all(Array.from({ length: 5 }, () => patch(address, 0, picture)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409]);
      expect((await shown(path)).status).toBe(200);
    });

    it('belongs to the user who began it', async () => {
      const [mine, yours] = [await server.person(), await server.person()];
      const path = newPath('jpg');
      const my = { authorization: `Bearer ${mine.token}` };
      const address = (await create(path, picture.length, my)).headers.get('location')!;
      for (const headers of [{ authorization: `Bearer ${yours.token}` }, guestHeaders(), serviceHeaders()])
        for (const method of ['HEAD', 'DELETE']) expect((await tus(address, method, headers)).status, method).toBe(404);
      expect((await patch(address, 0, picture, guestHeaders())).status).toBe(404);
      expect((await patch(address, 0, picture, my)).status).toBe(204);
      const { rows } = await server.db.query('select owner_id from storage.objects where name = $1', [path]);
      expect(rows).toEqual([{ owner_id: mine.id }]);
    });

    it('cannot be guessed from its object', async () => {
      const path = newPath('jpg');
      await create(path, picture.length);
      const guess = Buffer.from(`${BUCKET}/${path}/${randomUUID()}`).toString('base64url');
      for (const id of [guess, 'nonsense', '..%2f..%2fkeys.json', base64('../../keys.json')])
        expect((await tus(`${server.url}/upload/resumable/${id}`, 'HEAD', guestHeaders())).status, id).toBe(404);
    });

    it('can be given up', async () => {
      const before = await server.stored('unfinished');
      const address = (await create(newPath('jpg'), picture.length)).headers.get('location')!;
      await patch(address, 0, picture.subarray(0, 500));
      expect((await tus(address, 'DELETE', guestHeaders())).status).toBe(204);
      expect((await tus(address, 'HEAD', guestHeaders())).status).toBe(404);
      expect(await server.stored('unfinished')).toEqual(before);
    });

    it('is one of five that a guest may leave open', async () => {
      const headers = guestHeaders();
      for (let i = 0; i < 5; i++) expect((await create(newPath('jpg'), 10, headers)).status).toBe(201);
      const sixth = await create(newPath('jpg'), 10, headers);
      expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '60']);
      expect((await create(newPath('jpg'), 10)).status).toBe(201);
    });

    it('C11: is one of five that a person may leave open, from wherever; the service may more', async () => {
      const { token } = await server.person();
      const from = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'x-test-address': newAddress() });
      for (let i = 0; i < 5; i++) expect((await create(newPath('jpg'), 10, from(token))).status).toBe(201);
      expect((await create(newPath('jpg'), 10, from(token))).status).toBe(429);
      for (let i = 0; i < 6; i++) expect((await create(newPath('jpg'), 10, from(server.keys.secret))).status).toBe(201);
    });

    it('C11: reserves no space when created: 250 abandoned uploads of 10 MB block no other client', async () => {
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

    it('reports its capabilities', async () => {
      const answer = await fetch(`${server.url}/upload/resumable`, { method: 'OPTIONS' });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('tus-version')).toBe('1.0.0');
      expect(answer.headers.get('tus-extension')).toContain('creation-with-upload');
      expect(Number(answer.headers.get('tus-max-size'))).toBeGreaterThan(0);
      const bad = await tus(`${server.url}/upload/resumable`, 'POST', {
        authorization: 'Bearer a.b.c',
        'upload-length': '1',
        'upload-metadata': uploadMetadata({ bucketName: BUCKET, objectName: newPath() }),
      });
      expect([bad.status, await bad.text()]).toEqual([403, 'invalid signature']);
    });
  });

  describe('a signed upload in pieces', () => {
    it('needs no session, and only opens what was signed', async () => {
      const path = newPath('jpg');
      const { data } = await server.service.from(BUCKET).createSignedUploadUrl(path);
      const headers = { 'x-signature': data!.token, 'x-test-address': newAddress() };
      const metadata = (name: string) => ({ bucketName: BUCKET, objectName: name, contentType: 'image/jpeg' });
      const endpoint = `${server.url}/upload/resumable/sign`;
      await send({ endpoint, headers, chunkSize: 200_000, metadata: metadata(path) }, picture);
      expect((await shown(path)).status).toBe(200);
      await expect(
        send({ endpoint, headers, metadata: metadata(newPath('jpg')), retryDelays: null }, picture),
      ).rejects.toThrow(/Invalid signature/);
      await expect(
        send(
          { endpoint, headers: { 'x-test-address': newAddress() }, metadata: metadata(path), retryDelays: null },
          picture,
        ),
      ).rejects.toThrow(/Invalid upload Signature/);
    });
  });

  describe('when the server stops in between', () => {
    it('requests the last byte again when all bytes arrived but could not be recorded', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      await server.db.script(`
      create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = 'XX000'; end $$;
      create trigger fail before insert on storage.objects for each row when (new.metadata <> '{}') execute function public.fail();`);
      const failed = await patch(address, 0, picture);
      await server.db.script('drop trigger fail on storage.objects; drop function public.fail();');
      expect([failed.status, await failed.text()]).toEqual([500, 'Internal server error']);
      expect((await shown(path)).status).toBe(400);
      const missing = picture.length - 1;
      expect((await tus(address, 'HEAD', guestHeaders())).headers.get('upload-offset')).toBe(String(missing));
      expect((await patch(address, missing, picture.subarray(missing))).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
    });

    it('takes the last byte again when it had recorded the object and not yet closed the upload', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      await server.db.script(`
      create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = 'XX000'; end $$;
      create trigger fail before update on storage.unfinished_uploads for each row when (new.done) execute function public.fail();`);
      const failed = await patch(address, 0, picture);
      await server.db.script('drop trigger fail on storage.unfinished_uploads; drop function public.fail();');
      expect([failed.status, (await shown(path)).status]).toEqual([500, 200]);
      const missing = picture.length - 1;
      expect((await tus(address, 'HEAD', guestHeaders())).headers.get('upload-offset')).toBe(String(missing));
      expect((await patch(address, missing, picture.subarray(missing))).status).toBe(204);
      expect((await tus(address, 'HEAD', guestHeaders())).headers.get('upload-offset')).toBe(String(picture.length));
      const { rows } = await server.db.query('select from storage.objects where name = $1', [path]);
      expect([rows.length, (await shown(path)).status]).toEqual([1, 200]);
    });

    it('finds unfinished uploads again', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      await patch(address, 0, picture.subarray(0, 5000));
      await server.restart();
      const head = await tus(address, 'HEAD', guestHeaders());
      expect(head.headers.get('upload-offset')).toBe('5000');
      expect((await patch(address, 5000, picture.subarray(5000))).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
    });

    it('C11: deletes empty uploads after ten minutes, and frees their slot', async () => {
      const headers = guestHeaders();
      const addresses: string[] = [];
      for (let i = 0; i < 5; i++)
        addresses.push((await create(newPath('jpg'), picture.length, headers)).headers.get('location')!);
      await patch(addresses[0]!, 0, picture.subarray(0, 1000));
      for (const address of addresses) {
        const token = tokenIn(address);
        await server.db.query(
          `update storage.unfinished_uploads set came_at = came_at - interval '11 minutes' where token = $1`,
          [token],
        );
      }
      await server.restart();
      for (let i = 0; i < 4; i++) expect((await create(newPath('jpg'), 10, headers)).status).toBe(201);
      expect((await create(newPath('jpg'), 10, headers)).status).toBe(429);
      const found = await Promise.all(addresses.map((address) => tus(address, 'HEAD', headers)));
      expect(found.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404]);
    });

    it('deletes uploads that were not finished within a day', async () => {
      const address = (await create(newPath('jpg'), picture.length)).headers.get('location')!;
      const token = tokenIn(address);
      await patch(address, 0, picture.subarray(0, 500));
      expect(await server.stored(`unfinished/${token}`)).toHaveLength(1);
      await server.db.query(
        `update storage.unfinished_uploads set created_at = created_at - interval '25 hours' where token = $1`,
        [token],
      );
      await server.restart();
      expect((await patch(address, 500, picture.subarray(500))).status).toBe(410);
      expect(await server.storage.sweep()).toMatchObject({ expired: 1 });
      expect(await server.stored(`unfinished/${token}`)).toEqual([]);
    });
  });

  describe('on several machines', () => {
    /** A PATCH that one of the machines answers. */
    const patchAt = (fetchFrom: typeof fetch, address: string, offset: number, body: BodyInit) =>
      fetchFrom(address, {
        method: 'PATCH',
        headers: {
          ...guestHeaders(),
          'tus-resumable': '1.0.0',
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body,
        duplex: 'half',
      } as RequestInit);
    const headAt = async (fetchFrom: typeof fetch, address: string) => {
      const head = await fetchFrom(address, {
        method: 'HEAD',
        headers: { ...guestHeaders(), 'tus-resumable': '1.0.0' },
      });
      return Number(head.headers.get('upload-offset'));
    };

    it('is begun at one, continued at the next, finished at a third, byte for byte the same', async () => {
      const machines = [{ fetch, close: async () => {} }, await server.another(), await server.another()];
      await server.service.createBucket('anything', { public: false, fileSizeLimit: '10MB' });
      // More than two pieces of one request.
      const bytes = randomBytes(9.5 * 1024 ** 2);
      const metadata = uploadMetadata({ bucketName: 'anything', objectName: 'noise.bin' });
      const headers = { ...serviceHeaders(), 'tus-resumable': '1.0.0' };
      const created = await fetch(`${server.url}/upload/resumable`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
      });
      const address = created.headers.get('location')!;
      const cuts = [0, 300_000, 9_000_000, bytes.length];
      for (const [at, machine] of machines.entries()) {
        const answer = await machine.fetch(address, {
          method: 'PATCH',
          headers: {
            ...headers,
            'upload-offset': String(cuts[at]),
            'content-type': 'application/offset+octet-stream',
          },
          body: bytes.subarray(cuts[at], cuts[at + 1]),
        });
        expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(cuts[at + 1])]);
      }
      const { data } = await server.service.from('anything').download('noise.bin');
      expect(Buffer.from(await data!.arrayBuffer()).equals(bytes)).toBe(true);
      expect(await server.stored(`unfinished/${tokenIn(address)}`)).toEqual([]);
      for (const { close } of machines) await close();
    });

    it('is written by one of them at a time; who comes later is let in when the first has stored what it has', async () => {
      const other = await server.another();
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      let goOn = () => {};
      const paused = new Promise<void>((resume) => {
        goOn = resume;
      });
      const half = Math.floor(picture.length / 2);
      const slowly = new ReadableStream({
        async start(controller) {
          controller.enqueue(new Uint8Array(picture.subarray(0, half)));
          await paused;
          controller.close();
        },
      });
      const first = patchAt(fetch, address, 0, slowly);
      await arrived(half);
      expect(await headAt(other.fetch, address)).toBe(half);
      const last = await patchAt(other.fetch, address, half, new Uint8Array(picture.subarray(half)));
      expect(last.status).toBe(204);
      goOn();
      await first.catch(() => {});
      expect((await shown(path)).status).toBe(200);
      await other.close();
    });

    it('is 423 while another process has it, and free again when that has died', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      const lease = (until: string) =>
        server.db.query(
          `update storage.unfinished_uploads set lease = gen_random_uuid(), leased_until = now() + $2::interval where token = $1`,
          [tokenIn(address), until],
        );
      await lease('1 hour');
      expect((await patch(address, 0, picture)).status).toBe(423);
      await lease('-1 second');
      expect((await patch(address, 0, picture)).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
    });

    it('loses nothing to a writer that has lost its lease', async () => {
      const path = newPath('jpg');
      const address = (await create(path, picture.length)).headers.get('location')!;
      let goOn = () => {};
      const paused = new Promise<void>((resume) => {
        goOn = resume;
      });
      const late = new ReadableStream({
        async start(controller) {
          controller.enqueue(new Uint8Array(1000));
          await paused;
          controller.close();
        },
      });
      const zombie = patchAt(fetch, address, 0, late);
      // What earlier uploads left on the disk says nothing: it has to be this one that writes.
      const leased = 'select from storage.unfinished_uploads where token = $1 and lease is not null';
      await vi.waitUntil(async () => (await server.db.query(leased, [tokenIn(address)])).rows.length > 0, 60_000);
      await server.db.query(
        'update storage.unfinished_uploads set lease = null, leased_until = null where token = $1',
        [tokenIn(address)],
      );
      const other = await server.another();
      const half = Math.floor(picture.length / 2);
      expect((await patchAt(other.fetch, address, 0, new Uint8Array(picture.subarray(0, half)))).status).toBe(204);
      goOn();
      expect((await zombie).status).not.toBe(204);
      expect((await patchAt(other.fetch, address, half, new Uint8Array(picture.subarray(half)))).status).toBe(204);
      expect((await shown(path)).status).toBe(200);
      expect(await server.stored(`unfinished/${tokenIn(address)}`)).toEqual([]);
      await other.close();
    });
  });
}

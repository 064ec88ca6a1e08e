import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { fileOf, newPath, png, shortFilm } from './files.ts';
import { openStorageServer, type StorageServer, type TestStore } from './storage-server.ts';

export function storeTests(store: TestStore): void {
  const server = forAllTests(() => openStorageServer({ store }));

  const BUCKET = 'case-studies';
  const guest = () => server.client().from(BUCKET);

  describe('uploaded picture', () => {
    it('has a public address that serves it (DATA-17, ENT-36)', async () => {
      const path = newPath();
      const options = { cacheControl: '3600', upsert: false };
      const { data } = await guest().upload(path, fileOf(await png(), 'image/png'), options);
      expect(data).toMatchObject({ path, fullPath: `${BUCKET}/${path}` });
      const response = await fetch(server.publicUrl(path));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
      const size = { width: 40, height: 30 };
      expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ format: 'png', ...size });
      const [row] = await server.rowsOf(path);
      const metadata = { mimetype: 'image/png', cacheControl: 'max-age=3600', httpStatusCode: 200 };
      expect(row!.metadata).toMatchObject({ ...metadata, ...size });
      expect(String(row!.metadata['placeholder'])).toMatch(/^data:image\/webp;base64,[\w+/=]{1,177}$/);
    });

    it('has validators, and answers ranges and HEAD', async () => {
      const path = newPath();
      const complete = await server.upload(await png(300, 200), path);
      const bytes = Buffer.from(await complete.arrayBuffer());
      const etag = complete.headers.get('etag')!;
      const get = (headers: Record<string, string>, method = 'GET') =>
        fetch(server.publicUrl(path), { method, headers });

      for (const [headers, status] of [
        [{ 'if-none-match': etag }, 304],
        [{ 'if-none-match': `"other", W/${etag}` }, 304],
        [{ 'if-none-match': '"other"' }, 200],
        [{ 'if-modified-since': complete.headers.get('last-modified')! }, 304],
        [{ 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 200],
        [{ range: 'bytes=0-1', 'if-range': '"old"' }, 200],
      ] as [Record<string, string>, number][])
        expect((await get(headers)).status, JSON.stringify(headers)).toBe(status);

      const part = await get({ range: 'bytes=10-19' });
      expect([part.status, part.headers.get('content-length')]).toEqual([206, '10']);
      expect(part.headers.get('content-range')).toBe(`bytes 10-19/${bytes.length}`);
      const bytesOf = async (range: string) => Buffer.from(await (await get({ range })).arrayBuffer());
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
      expect(await bytesOf('bytes=-5')).toEqual(bytes.subarray(-5));
      expect(await bytesOf('bytes=7-')).toEqual(bytes.subarray(7));
      expect(await (await get({ range: `bytes=${bytes.length}-` })).json()).toMatchObject({ code: 'InvalidRange' });

      const headResponse = await get({}, 'HEAD');
      expect([headResponse.status, await headResponse.text()]).toEqual([200, '']);
      expect(headResponse.headers.get('content-length')).toBe(String(bytes.length));
      expect(headResponse.headers.get('x-robots-tag')).toBe('none');
    });
  });

  describe('a film', () => {
    it('is served in byte ranges, for a year, and as nothing but a video', async () => {
      const name = `${randomUUID()}.webm`;
      const bytes = await shortFilm('webm');
      const options = { contentType: 'video/webm', cacheControl: '31536000' };
      expect((await server.service.from('films').upload(name, bytes, options)).error).toBeNull();
      const part = await fetch(`${server.url}/object/public/films/${name}`, { headers: { range: 'bytes=100-' } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100));
      expect(Object.fromEntries(part.headers)).toMatchObject({
        'content-range': `bytes 100-${bytes.length - 1}/${bytes.length}`,
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=31536000',
        'content-type': 'video/webm',
        'x-content-type-options': 'nosniff',
      });
      expect(part.headers.get('content-disposition')).toBeNull();
    });
  });

  it('a large file is streamed without reading it whole', async () => {
    await server.service.createBucket('large', { public: true });
    const bytes = new Uint8Array(3 * 1024 ** 2).map((_, i) => i % 251);
    await server.service.from('large').upload('a.bin', bytes, { contentType: 'application/octet-stream' });
    const { data } = await server.service.from('large').download('a.bin');
    expect(Buffer.from(await data!.arrayBuffer()).equals(bytes)).toBe(true);
    const headers = { range: 'bytes=1000000-2999999' };
    const part = await fetch(`${server.url}/object/public/large/a.bin`, { headers });
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1_000_000, 3_000_000))).toBe(true);
  });

  describe('image variants', () => {
    const render = (path: string, query: string, accept = '*/*') =>
      fetch(`${server.url}/render/image/public/${BUCKET}/${path}?${query}`, { headers: { accept } });

    const withVariants = async () => {
      const path = await server.uploadPicture(700, 500);
      await server.storage.whenIdle();
      const { version } = (await server.rowsOf(path))[0]!;
      const parts = async () =>
        (await server.stored(`${version.slice(0, 2)}/${version}/`)).map((file) => file.split('/').at(-1)!);
      return { path, parts };
    };

    it('are created ahead and stored', async () => {
      const { path, parts } = await withVariants();
      expect((await parts()).join(' ')).toBe('320-avif 320-webp 640-avif 640-webp 960-avif 960-webp original');
      await Promise.all(Array.from({ length: 6 }, () => render(path, 'width=160&format=webp')));
      expect((await parts()).filter((name) => name.startsWith('160'))).toEqual(['160-webp']);
    });

    it('in sizes that no page uses are rendered and not stored (C2)', async () => {
      const { path, parts } = await withVariants();
      const before = await parts();
      const sizes = ['height=300', 'width=640&height=31', 'width=640&height=9&resize=fill', 'width=160&resize=fill'];
      for (const query of [...sizes, 'width=640&quality=100', 'format=origin']) {
        const response = await render(path, query, 'image/webp');
        expect(response.status, query).toBe(200);
        expect((await sharp(await response.arrayBuffer()).metadata()).width).toBeGreaterThan(0);
      }
      expect(await parts()).toEqual(before);
      expect(await server.incoming()).toEqual([]);
      await render(path, 'width=1900&format=origin');
      expect(await parts()).toEqual([...before, '1920-png'].sort());
    });

    it('are deleted with their object', async () => {
      const path = await server.uploadPicture(200, 200);
      await render(path, 'width=160&format=webp');
      await server.storage.whenIdle();
      await server.service.from(BUCKET).remove([path]);
      expect((await render(path, 'width=160&format=webp')).status).toBe(400);
    });
  });

  it('the service role can replace, list, inspect, move, copy and remove', async () => {
    const files = server.service.from('papers');
    await server.service.createBucket('papers', { public: false });
    const text = { contentType: 'text/plain' };
    const content = async (path: string) => (await files.download(path)).data!.text();
    const names = async (...query: Parameters<typeof files.list>) =>
      (await files.list(...query)).data!.map(({ name }) => name);
    expect((await files.upload('a/one.txt', 'one', { ...text, metadata: { n: 1 } })).error).toBeNull();
    expect((await files.upload('a/Two.txt', 'two', text)).error).toBeNull();
    expect((await files.upload('b.txt', 'b', text)).error).toBeNull();
    expect((await files.list()).data).toMatchObject([
      { name: 'a', id: null, metadata: null },
      { name: 'b.txt', metadata: { size: 1, mimetype: 'text/plain' } },
    ]);
    expect(await names('a')).toEqual(['one.txt', 'Two.txt']);
    expect(await names('', { sortBy: { column: 'name', order: 'desc' } })).toEqual(['b.txt', 'a']);
    expect(await names('a', { search: 'tw' })).toEqual(['Two.txt']);
    expect(await names('a', { search: '%' })).toEqual([]);
    expect(await names('a', { limit: 1, offset: 1 })).toEqual(['Two.txt']);
    const page = await files.listV2({ limit: 2 });
    expect(page.data).toMatchObject({ hasNext: true });
    const objects = [{ name: 'b.txt' }];
    await files.remove(['a/Two.txt']);
    const next = await files.listV2({ limit: 5000, cursor: page.data!.nextCursor! });
    expect(next.data).toMatchObject({ hasNext: false, objects });
    expect((await files.listV2({ prefix: 'B' })).data).toMatchObject({ objects: [] });
    expect((await files.listV2({ with_delimiter: true })).data).toMatchObject({ folders: [{ key: 'a' }], objects });

    const info = { name: 'a/one.txt', size: 3, contentType: 'text/plain', metadata: { n: 1 } };
    expect((await files.info('a/one.txt')).data).toMatchObject(info);
    expect((await files.exists('a/one.txt')).data).toBe(true);
    expect((await files.exists('a/none.txt')).data).toBe(false);

    expect((await files.update('a/one.txt', 'ONE!', text)).error).toBeNull();
    expect(await content('a/one.txt')).toBe('ONE!');
    expect((await files.update('missing.txt', 'x', text)).error).toMatchObject({ statusCode: '404' });
    expect((await files.upload('b.txt', 'B2', { ...text, upsert: true })).error).toBeNull();
    expect(await content('b.txt')).toBe('B2');

    expect((await files.move('a/one.txt', 'c/uno.txt')).data).toMatchObject({ message: 'Successfully moved' });
    expect((await files.exists('a/one.txt')).data).toBe(false);
    expect((await files.copy('c/uno.txt', 'c/dos.txt')).data).toMatchObject({ path: 'papers/c/dos.txt' });
    for (const act of ['copy', 'move'] as const)
      expect((await files[act]('c/uno.txt', 'c/dos.txt')).error).toMatchObject({ statusCode: '409' });
    await files.remove(['c/uno.txt', 'c/never.txt']);
    expect(await content('c/dos.txt')).toBe('ONE!');

    const filled = await server.service.deleteBucket('papers');
    expect(filled.error).toMatchObject({ statusCode: '409', code: 'ResourceNotEmpty' });
    expect((await server.service.emptyBucket('papers')).error).toBeNull();
    expect((await server.service.deleteBucket('papers')).error).toBeNull();
    const gone = await server.service.getBucket('papers');
    expect(gone.error).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
  });

  it('an upload that cannot be recorded gets an error without detail, leaves no bytes behind, and the next one succeeds', async () => {
    await server.storage.whenIdle();
    const before = await server.stored();
    await server.db.script(`
    create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'secret' using errcode = '55000'; end $$;
    create trigger fail before insert on storage.objects for each row when (new.metadata <> '{}') execute function public.fail();`);
    const path = newPath();
    const { error } = await guest().upload(path, fileOf(await png(), 'image/png'));
    await server.db.script('drop trigger fail on storage.objects; drop function public.fail();');
    expect(error).toMatchObject({ status: 500, code: 'InternalError', message: 'Internal server error' });
    const files = (names: string[]) => names.filter((name) => name.includes('original'));
    expect(files(await server.stored())).toEqual(files(before));
    expect((await server.upload(await png(), path)).status).toBe(200);
  });

  /** Number of versions that the sweep removes after this time. */
  async function sweptAfter(own: StorageServer, time: string): Promise<number> {
    await own.db.query('update storage.removed_bytes set removed_at = removed_at - $1::interval', [time]);
    return (await own.storage.sweep()).removed;
  }

  describe('sweep of unused files', () => {
    it('removes files unused for a day, and nothing else', async () => {
      const [used, linked, unused, recent] = [newPath(), newPath(), newPath(), newPath()];
      for (const path of [used, linked, unused, recent]) await server.upload(await png(), path);
      await server.storage.whenIdle();
      const insert = `insert into public.projects (title, description, created_by)
        values ('Swept', '<p><img src="' || $1 || '"></p>', public.get_guest_user_id()) returning id`;
      const { rows } = await server.db.query<{ id: string }>(insert, [server.publicUrl(linked)]);
      const show = 'insert into public.project_media (project_id, url) values ($1, $2)';
      await server.db.query(show, [rows[0]!.id, server.publicUrl(used)]);
      const age = "update storage.objects set created_at = now() - interval '25 hours' where name = any($1)";
      await server.db.query(age, [[used, linked, unused]]);
      const { version } = (await server.rowsOf(unused))[0]!;
      expect(await server.storage.sweep()).toMatchObject({ orphans: 1 });
      const statusOf = async (path: string) => (await fetch(server.publicUrl(path))).status;
      expect(await Promise.all([used, linked, unused, recent].map(statusOf))).toEqual([200, 200, 400, 200]);
      const bytes = () => server.stored(`${version.slice(0, 2)}/${version}/`);
      // A copy may take a day; a removed object is retained for five weeks.
      expect([await sweptAfter(server, '23 hours'), (await bytes()).length > 0]).toEqual([0, true]);
      expect([await sweptAfter(server, '1 hour'), await bytes()]).toEqual([1, []]);
    });

    it('removes films that nothing shows, and the captions with them', async () => {
      const [used, unused] = [randomUUID(), randomUUID()];
      for (const id of [used, unused]) {
        await server.service.from('films').upload(`${id}.mp4`, await shortFilm('mp4'), { contentType: 'video/mp4' });
        await server.service.from('captions').upload(`${id}.vtt`, await shortFilm('vtt'), { contentType: 'text/vtt' });
      }
      const show = `with project as (
          insert into public.projects (title, created_by) values ('Filmed', public.get_guest_user_id()) returning id
        )
        insert into public.project_media (project_id, type, url) select id, 'video', $1 from project`;
      await server.db.query(show, [`${server.url}/object/public/films/${used}.mp4`]);
      const age = `update storage.objects set created_at = now() - interval '25 hours'
        where bucket_id in ('films', 'captions') and name ~ $1`;
      await server.db.query(age, [`${used}|${unused}`]);
      expect(await server.storage.sweep()).toMatchObject({ orphans: 2 });
      const names = [`${used}.mp4`, `${used}.vtt`, `${unused}.mp4`, `${unused}.vtt`];
      expect((await Promise.all(names.map(server.rowsOf))).map(({ length }) => length)).toEqual([1, 1, 0, 0]);
    });

    it('deletes files without a row, but none when the database has no objects at all (D4)', async () => {
      await using own = await openStorageServer({ store });
      const version = randomUUID();
      const leftover = `${version.slice(0, 2)}/${version}/original`;
      await own.place(leftover);
      const weekLater = () =>
        own.db.query(`update storage.compared_shelves set compared_at = compared_at - interval '8 days'`);
      await weekLater();
      expect(await own.storage.sweep()).toMatchObject({ leftovers: 0 });
      const path = await own.uploadPicture();
      await weekLater();
      expect(await own.storage.sweep()).toMatchObject({ leftovers: 1, orphans: 0, missing: 0, removed: 0 });
      // Its row may not be committed yet.
      expect([await sweptAfter(own, '23 hours'), await own.stored(leftover)]).toEqual([0, [leftover]]);
      expect([await sweptAfter(own, '1 hour'), await own.stored(leftover)]).toEqual([1, []]);
      expect((await own.guest.from(BUCKET).download(path)).error).toBeNull();
    });

    it('compares each folder once a week, and counts rows without bytes (D4)', async () => {
      await using own = await openStorageServer({ store });
      await own.uploadPicture();
      const changed = async (set: string) => void (await own.db.query(`update storage.objects set version = ${set}`));
      await own.db.query(`update storage.compared_shelves set compared_at = now()`);
      await changed('gen_random_uuid()::text');
      expect(await own.storage.sweep()).toMatchObject({ leftovers: 0, missing: 0 });
      await own.db.query(`update storage.compared_shelves set compared_at = now() - interval '8 days'`);
      expect(await own.storage.sweep()).toMatchObject({ missing: 1 });
    });
  });

  describe('deleted or replaced object', () => {
    it('is not served any more, and its bytes are deleted five weeks later', async () => {
      await using own = await openStorageServer({ store });
      const files = own.service.from('papers');
      await own.service.createBucket('papers', { public: true });
      for (const name of ['a.txt', 'b.txt']) await files.upload(name, name, { contentType: 'text/plain' });
      const address = files.getPublicUrl('a.txt').data.publicUrl;
      const signed = (await files.createSignedUrl('a.txt', 60)).data!.signedUrl;
      await files.upload('b.txt', 'again', { contentType: 'text/plain', upsert: true });
      await files.remove(['a.txt']);
      expect((await fetch(address)).status).toBe(400);
      expect((await fetch(signed)).status).toBe(400);
      expect(await own.stored()).toHaveLength(3);
      expect([await sweptAfter(own, '34 days'), (await own.stored()).length]).toEqual([0, 3]);
      expect([await sweptAfter(own, '2 days'), (await own.stored()).length]).toEqual([2, 1]);
      expect(await (await files.download('b.txt')).data!.text()).toBe('again');
    });

    it('is served again when its row is restored from a backup', async () => {
      await using own = await openStorageServer({ store });
      await own.service.createBucket('papers', { public: true });
      const files = own.service.from('papers');
      await files.upload('a.txt', 'words', { contentType: 'text/plain' });
      await own.db.script('create table kept as select * from storage.objects');
      await files.remove(['a.txt']);
      await own.db.script(`insert into storage.objects (id, bucket_id, name, version, metadata)
      select id, bucket_id, name, version, metadata from kept; drop table kept;`);
      expect(await sweptAfter(own, '40 days')).toBe(0);
      expect(await (await files.download('a.txt')).data!.text()).toBe('words');
    });

    it('requests wait while a client reads many related objects', async () => {
      await using own = await openStorageServer({ store });
      await own.service.createBucket('papers');
      await own.service.from('papers').upload('a.txt', 'words', { contentType: 'text/plain' });
      await own.service.from('papers').remove(['a.txt']);
      const release = own.storage.pauseRemovals();
      expect(await sweptAfter(own, '40 days')).toBe(0);
      release();
      expect(await sweptAfter(own, '0')).toBe(1);
    });
  });
}

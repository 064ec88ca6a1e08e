import { describe, expect, it } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, type Stage, submitter, theService } from './stage.ts';

const NAME = 'images/0f0f0f0f-0000-4000-8000-000000000001.png';
const INSERT_OBJECT = `insert into storage.objects (bucket_id, name) values ($1, $2)`;
const people = [guest, submitter, otherUser, creator];

export const files = (stage: Stage) =>
  describe('stored files', () => {
    stage.it(
      'can be added by everyone to one folder, under a random name with an image extension (TM-34, DATA-17)',
      async ({ as, server }) => {
        for (const actor of [...people, admin, theService]) {
          expect(await as(actor).write(INSERT_OBJECT, ['case-studies', NAME])).toBe(1);
          await server.query('delete from storage.objects');
        }
        for (const ending of ['jpg', 'jpeg', 'gif', 'webp', 'avif'])
          expect(await as(guest).write(INSERT_OBJECT, ['case-studies', NAME.replace('png', ending)])).toBe(1);
      },
    );

    it.each([
      ['private', NAME],
      ['case-studies', NAME.replace('images/', '')],
      ['case-studies', NAME.replace('images/', 'other/')],
      ['case-studies', `images/../${NAME}`],
      ['case-studies', `images/x/${NAME}`],
      ['case-studies', 'images/holiday.png'],
      ['case-studies', NAME.replace('png', 'svg')],
      ['case-studies', NAME.replace('png', 'html')],
      ['case-studies', `${NAME}\n`],
      ['case-studies', `${NAME}.html`],
      ['case-studies', NAME.toUpperCase()],
    ])('are refused in %s as %j', (bucket, name) =>
      stage.play(async ({ as }) => {
        for (const actor of [...people, admin]) await as(actor).refused('42501', INSERT_OBJECT, [bucket, name]);
      }),
    );

    stage.it('cannot be replaced, moved, listed or removed by guests and users', async ({ as, server }) => {
      await server.query(INSERT_OBJECT, ['case-studies', NAME]);
      for (const actor of people) {
        expect(await as(actor).rows('select * from storage.objects')).toEqual([]);
        expect(await as(actor).write(`update storage.objects set name = 'images/moved.png'`)).toBe(0);
        expect(await as(actor).write('delete from storage.objects')).toBe(0);
        await as(actor).refused('42501', `${INSERT_OBJECT} on conflict (bucket_id, name) do update set version = '2'`, [
          'case-studies',
          NAME,
        ]);
        await as(actor).refused('23505', INSERT_OBJECT, ['case-studies', NAME]);
      }
      expect(await as(admin).rows('select name from storage.objects')).toEqual([{ name: NAME }]);
      expect(await as(admin).write(`update storage.objects set name = 'images/moved.png'`)).toBe(0);
      expect(await as(theService).write(`update storage.objects set version = '2'`)).toBe(1);
      expect(await as(admin).write('delete from storage.objects')).toBe(1);
    });

    stage.it(
      'in the bucket of experiments can be listed and removed by an admin, other buckets not',
      async ({ as, server }) => {
        await server.query(INSERT_OBJECT, ['private', 'secret.txt']);
        expect(await as(admin).rows('select name from storage.objects')).toEqual([]);
        expect(await as(admin).write('delete from storage.objects')).toBe(0);
      },
    );

    stage.it('loops are added and removed by admins alone, under the id of a picture', async ({ as }) => {
      const loop = `${NAME.slice(7, 43)}.webm`;
      for (const actor of people) await as(actor).refused('42501', INSERT_OBJECT, ['loops', loop]);
      for (const name of [`images/${loop}`, loop.replace('webm', 'mov'), 'film.mp4', `${loop}\n`])
        await as(admin).refused('42501', INSERT_OBJECT, ['loops', name]);
      expect(await as(admin).write(INSERT_OBJECT, ['loops', loop])).toBe(1);
      for (const actor of people) {
        expect(await as(actor).rows('select * from storage.objects')).toEqual([]);
        expect(await as(actor).write('delete from storage.objects')).toBe(0);
      }
      expect(await as(admin).rows('select name from storage.objects')).toEqual([{ name: loop }]);
      expect(await as(admin).write('delete from storage.objects')).toBe(1);
    });

    stage.it('loops appear in the records of their picture, and are removed with it', async ({ as, server }) => {
      const url = `https://mad.example/storage/v1/object/public/case-studies/${NAME}`;
      const loops = async () =>
        (await as(admin).rows('select loops from project_media where url = $1', [url])).map(({ loops }) => loops);
      await server.query(INSERT_OBJECT, ['case-studies', NAME]);
      await as(admin).write('insert into project_media (project_id, url) values ($1, $2)', [ids.published, url]);
      expect(await loops()).toEqual([null]);
      for (const format of ['mp4', 'webm'])
        await as(admin).write(INSERT_OBJECT, ['loops', `${NAME.slice(7, 43)}.${format}`]);
      expect(await loops()).toEqual([['webm', 'mp4']]);
      await as(admin).refused('42501', 'update project_media set loops = null where url = $1', [url]);
      await as(admin).write(`delete from storage.objects where name like '%.mp4'`);
      expect(await loops()).toEqual([['webm']]);
      await as(admin).write(`delete from storage.objects where bucket_id = 'case-studies'`);
      expect(await as(admin).rows('select * from storage.objects')).toEqual([]);
      expect(await loops()).toEqual([null]);
    });

    stage.it(
      'films and captions are added, listed and removed by admins alone, and only captions are replaced',
      async ({ as }) => {
        const id = NAME.slice(7, 43);
        const own = [
          ['films', `${id}.mp4`],
          ['films', `${id}.webm`],
          ['captions', `${id}.vtt`],
        ];
        for (const actor of people)
          for (const [bucket, name] of own) await as(actor).refused('42501', INSERT_OBJECT, [bucket!, name!]);
        for (const [bucket, name] of [
          ['films', `${id}.vtt`],
          ['films', `${id}.mov`],
          ['films', `images/${id}.mp4`],
          ['films', `${id}.mp4\n`],
          ['films', 'film.mp4'],
          ['captions', `${id}.mp4`],
          ['captions', `${id}.vtt.html`],
          ['captions', id.toUpperCase().concat('.vtt')],
        ])
          await as(admin).refused('42501', INSERT_OBJECT, [bucket!, name!]);
        for (const [bucket, name] of own) expect(await as(admin).write(INSERT_OBJECT, [bucket!, name!])).toBe(1);
        for (const actor of people) {
          expect(await as(actor).rows('select * from storage.objects')).toEqual([]);
          expect(await as(actor).write(`update storage.objects set version = '2'`)).toBe(0);
          expect(await as(actor).write('delete from storage.objects')).toBe(0);
        }
        expect(await as(admin).rows('select bucket_id from storage.objects order by name')).toEqual([
          { bucket_id: 'films' },
          { bucket_id: 'captions' },
          { bucket_id: 'films' },
        ]);
        expect(await as(admin).write(`update storage.objects set version = '2'`)).toBe(1);
        const rename = `update storage.objects set name = 'other.vtt' where bucket_id = 'captions'`;
        await as(admin).refused('42501', rename);
        expect(await as(admin).write('delete from storage.objects')).toBe(3);
      },
    );

    stage.it(
      'the server sets size and captions of a film’s media row, which no client can change',
      async ({ as, server }) => {
        const id = NAME.slice(7, 43);
        const url = `https://mad.example/storage/v1/object/public/films/${id}.mp4`;
        const film = async () =>
          (await as(admin).rows('select width, captions from project_media where url = $1', [url]))[0];
        await as(admin).write(`insert into project_media (project_id, type, url) values ($1, 'video', $2)`, [
          ids.published,
          url,
        ]);
        expect(await film()).toEqual({ width: null, captions: false });
        await server.query(
          `insert into storage.objects (bucket_id, name, metadata) values ('films', $1, '{"width": 160, "height": 90}')`,
          [`${id}.mp4`],
        );
        expect(await film()).toEqual({ width: 160, captions: false });
        await as(admin).write(INSERT_OBJECT, ['captions', `${id}.vtt`]);
        expect(await film()).toEqual({ width: 160, captions: true });
        await as(admin).refused('42501', 'update project_media set captions = false where url = $1', [url]);
        await as(admin).write(`delete from storage.objects where bucket_id = 'captions'`);
        expect(await film()).toEqual({ width: 160, captions: false });
      },
    );

    stage.it('disclose their creator only to the storage service', async ({ as, server }) => {
      const url = `https://mad.example/storage/v1/object/public/case-studies/${NAME}`;
      const query = 'select private.file_label($1, $2) as made';
      for (const actor of [...people, admin, theService])
        await as(actor).refused('42501', query, ['case-studies', NAME]);
      const labelOf = async (bucket = 'case-studies') => (await server.rows(query, [bucket, NAME]))[0]?.['made'];
      const mark = (actor: Actor, project: string, mark: string) =>
        as(actor).write('insert into project_media (project_id, url, made) values ($1, $2, $3)', [project, url, mark]);
      expect(await labelOf()).toBeNull();
      await mark(submitter, ids.guestsDraft, 'hand');
      expect([await labelOf(), await labelOf('private')]).toEqual(['hand', null]);
      await mark(admin, ids.published, 'together');
      // A draft may use a published picture, but cannot change its label.
      await mark(submitter, ids.guestsDraft, 'machine');
      await mark(creator, ids.draft, 'machine');
      expect(await labelOf()).toBe('together');
      await mark(admin, ids.archived, 'machine');
      expect(await labelOf()).toBe('machine');
    });

    stage.it('buckets are visible to admins and writable by the service', async ({ as }) => {
      for (const actor of people) {
        expect(await as(actor).rows('select * from storage.buckets')).toEqual([]);
        await as(actor).refused('42501', `insert into storage.buckets (id, name) values ('mine', 'mine')`);
      }
      expect(await as(admin).rows('select id from storage.buckets order by id')).toEqual([
        { id: 'captions' },
        { id: 'case-studies' },
        { id: 'films' },
        { id: 'loops' },
        { id: 'private' },
      ]);
      for (const actor of [...people, admin]) {
        expect(await as(actor).write('update storage.buckets set public = false')).toBe(0);
        expect(await as(actor).write('delete from storage.buckets')).toBe(0);
      }
      expect(await as(theService).write(`update storage.buckets set public = true where id = 'private'`)).toBe(1);
    });

    stage.it('films are MP4 or WebM of at most 200 MiB, captions WebVTT of at most 1 MiB', async ({ server }) => {
      expect(
        await server.rows(`select id, public, file_size_limit as bytes, allowed_mime_types as types from storage.buckets
           where id in ('films', 'captions') order by id`),
      ).toEqual([
        { id: 'captions', public: true, bytes: 1024 ** 2, types: ['text/vtt'] },
        { id: 'films', public: true, bytes: 200 * 1024 ** 2, types: ['video/mp4', 'video/webm'] },
      ]);
    });

    stage.it('the public bucket accepts pictures of at most 10 MiB (ENT-36)', async ({ server }) => {
      expect(
        await server.rows(
          `select public, file_size_limit, allowed_mime_types from storage.buckets where id = 'case-studies'`,
        ),
      ).toEqual([
        {
          public: true,
          file_size_limit: 10 * 1024 * 1024,
          allowed_mime_types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
        },
      ]);
    });
  });

import { expect } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, submitter, theService } from './actors.ts';
import { onStage } from './stage.ts';

const NAME = 'images/0f0f0f0f-0000-4000-8000-000000000001.png';
const ID = NAME.slice(7, 43);
const INSERT_OBJECT = `insert into storage.objects (bucket_id, name) values ($1, $2)`;
const people = [guest, submitter, otherUser, creator];

export const files = onStage('stored files', ({ test }) => {
  test('can be added under a random name with an extension of their bucket (TM-34, DATA-17)', async ({ as }) => {
    for (const ending of ['jpg', 'jpeg', 'gif', 'webp', 'avif'])
      expect(await as(guest).write(INSERT_OBJECT, ['case-studies', NAME.replace('png', ending)])).toBe(1);
    for (const bucket of ['loops', 'films'])
      expect(await as(admin).write(INSERT_OBJECT, [bucket, `${ID}.webm`])).toBe(1);
    for (const [bucket, ...names] of [
      ['case-studies', ID, `other/${ID}.png`, `images/../${NAME}`, `images/x/${NAME}`, 'images/holiday.png'],
      ['case-studies', `images/${ID}.svg`, `images/${ID}.html`, `${NAME}\n`, `${NAME}.html`, NAME.toUpperCase()],
      ['loops', `images/${ID}.webm`, `${ID}.mov`, 'film.mp4', `${ID}.webm\n`],
      ['films', `${ID}.vtt`, `${ID}.mov`, `images/${ID}.mp4`, `${ID}.mp4\n`, 'film.mp4'],
      ['captions', `${ID}.mp4`, `${ID}.vtt.html`, `${ID.toUpperCase()}.vtt`],
    ])
      for (const name of names)
        for (const actor of [guest, admin]) await as(actor).refused('42501', INSERT_OBJECT, [bucket!, name]);
  });

  test('are not replaced by adding them again', async ({ as, server }) => {
    const file = ['case-studies', NAME];
    const upsert = `${INSERT_OBJECT} on conflict (bucket_id, name) do update set version = '2'`;
    await server.query(INSERT_OBJECT, file);
    for (const actor of people) {
      await as(actor).refused('42501', upsert, file);
      await as(actor).refused('23505', INSERT_OBJECT, file);
    }
  });

  test('loops appear in the records of their picture, and are removed with it', async ({ as, server }) => {
    const url = `https://mad.example/storage/v1/object/public/case-studies/${NAME}`;
    const loops = () => as(admin).column('select loops from project_media where url = $1', [url]);
    await server.query(INSERT_OBJECT, ['case-studies', NAME]);
    await as(admin).write('insert into project_media (project_id, url) values ($1, $2)', [ids.published, url]);
    expect(await loops()).toEqual([null]);
    for (const format of ['mp4', 'webm']) await as(admin).write(INSERT_OBJECT, ['loops', `${ID}.${format}`]);
    expect(await loops()).toEqual([['webm', 'mp4']]);
    await as(admin).refused('42501', 'update project_media set loops = null where url = $1', [url]);
    await as(admin).write(`delete from storage.objects where name like '%.mp4'`);
    expect(await loops()).toEqual([['webm']]);
    await as(admin).write(`delete from storage.objects where bucket_id = 'case-studies'`);
    expect(await as(admin).rows('select * from storage.objects')).toEqual([]);
    expect(await loops()).toEqual([null]);
  });

  test('the server sets size and captions of a film’s media row, which no client can change', async (scene) => {
    const { as, server } = scene;
    const url = `https://mad.example/storage/v1/object/public/films/${ID}.mp4`;
    const film = () => as(admin).row('select width, captions from project_media where url = $1', [url]);
    const ADD_FILM = `insert into project_media (project_id, type, url) values ($1, 'video', $2)`;
    await as(admin).write(ADD_FILM, [ids.published, url]);
    expect(await film()).toEqual({ width: null, captions: false });
    const STORE_FILM = `insert into storage.objects (bucket_id, name, metadata) values ('films', $1, '{"width": 160, "height": 90}')`;
    await server.query(STORE_FILM, [`${ID}.mp4`]);
    expect(await film()).toEqual({ width: 160, captions: false });
    await as(admin).write(INSERT_OBJECT, ['captions', `${ID}.vtt`]);
    expect(await film()).toEqual({ width: 160, captions: true });
    await as(admin).refused('42501', 'update project_media set captions = false where url = $1', [url]);
    await as(admin).write(`delete from storage.objects where bucket_id = 'captions'`);
    expect(await film()).toEqual({ width: 160, captions: false });
  });

  test('disclose their creator only to the storage service', async ({ as, server }) => {
    const url = `https://mad.example/storage/v1/object/public/case-studies/${NAME}`;
    const query = 'select private.file_label($1, $2) as made';
    for (const actor of [...people, admin, theService]) await as(actor).refused('42501', query, ['case-studies', NAME]);
    const labelOf = async (bucket = 'case-studies') => (await server.row(query, [bucket, NAME]))?.['made'];
    const mark = (actor: Actor, project: string, mark: string) =>
      as(actor).write('insert into project_media (project_id, url, made) values ($1, $2, $3)', [project, url, mark]);
    expect(await labelOf()).toBeNull();
    await mark(submitter, ids.guestsDraft, 'machine');
    await mark(creator, ids.draft, 'machine');
    expect(await labelOf()).toBeNull();
    await mark(admin, ids.published, 'together');
    expect([await labelOf(), await labelOf('private')]).toEqual(['together', null]);
    await mark(admin, ids.archived, 'machine');
    expect(await labelOf()).toBe('machine');
  });

  test('buckets are visible to admins and writable by the service', async ({ as }) => {
    for (const actor of people) {
      expect(await as(actor).rows('select * from storage.buckets')).toEqual([]);
      await as(actor).refused('42501', `insert into storage.buckets (id, name) values ('mine', 'mine')`);
    }
    const names = ['captions', 'case-studies', 'films', 'loops', 'private'];
    expect(await as(admin).column('select id from storage.buckets order by id')).toEqual(names);
    for (const actor of [...people, admin]) {
      expect(await as(actor).write('update storage.buckets set public = false')).toBe(0);
      expect(await as(actor).write('delete from storage.buckets')).toBe(0);
    }
    expect(await as(theService).write(`update storage.buckets set public = true where id = 'private'`)).toBe(1);
  });

  test('the public bucket accepts pictures of at most 10 MiB, the others films and captions (ENT-36)', async (scene) => {
    const limits = `select id, public, file_size_limit / 1048576 as size, allowed_mime_types as types from storage.buckets
      where id in ('case-studies', 'films', 'captions') order by id`;
    const pictures = ['png', 'jpeg', 'gif', 'webp', 'avif'].map((kind) => `image/${kind}`);
    expect(await scene.server.rows(limits)).toEqual([
      { id: 'captions', public: true, size: 1, types: ['text/vtt'] },
      { id: 'case-studies', public: true, size: 10, types: pictures },
      { id: 'films', public: true, size: 200, types: ['video/mp4', 'video/webm'] },
    ]);
  });
});

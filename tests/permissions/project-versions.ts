import { expect, it } from 'vitest';
import { admin, ids, submitter } from './actors.ts';
import { ageVersions, onStage, RESTORE_ALL, type Scene } from './stage.ts';

const RESTORE = 'select restore_project_version(p_id => $1, p_number => $2, p_latest => $3) as answer';

interface Version {
  number: number;
  actor: string | null;
  actor_kind: string;
  changed: string[];
  restored_from: number | null;
  content: Record<string, unknown> & {
    media: Record<string, unknown>[];
    team: Record<string, unknown>[];
    title: string;
  };
}

export const projectVersions = onStage('project versions', ({ test, play }) => {
  const VERSIONS = `select number, actor, actor_kind, changed, restored_from, content from project_versions
    where project_id = $1 order by number`;
  const versionsIn = ({ server }: Scene, id: string = ids.published) => server.rows<Version>(VERSIONS, [id]);
  const save = async (scene: Scene, text: string, values: string[] = [ids.published]) => {
    await ageVersions(scene);
    await scene.as(admin).write(text, values);
  };

  test('contain fields, texts, media and team after a save, with the user and the changes', async (scene) => {
    const CHANGE_FOUR = `update projects set title = 'New title', impact = '<p>More</p>', budget = 7, show_budget = false where id = $1`;
    await save(scene, CHANGE_FOUR);
    const [last, before] = (await versionsIn(scene)).toReversed();
    const changed = ['budget', 'impact', 'show_budget', 'title'];
    const texts = { title: 'New title', impact: '<p>More</p>', understanding: '<p>Understood</p>' };
    const facts = { budget: 7, category: 'branding', tags: ['mad'] };
    const media = [{ type: 'image', url: `https://pictures.example/${ids.published}.png` }];
    const content = { ...texts, ...facts, media, team: [{ role: 'Idea', contribution_percentage: 5 }] };
    const version = { number: before!.number + 1, actor: ids.admin, actor_kind: 'admin', changed, content };
    expect(last).toMatchObject(version);
    expect(before!.content.title).toBe('Published');
  });

  it.each([
    ['media', `update project_media set title = 'Alt' where project_id = $1`],
    ['media', 'delete from project_media where project_id = $1'],
    ['team', `update project_members set role = 'Director' where project_id = $1`],
    ['team', 'delete from project_members where project_id = $1'],
    ['tags', `update case_study_metadata set tags = '{one,two}' where project_id = $1`],
    ['status', `update projects set status = 'completed' where id = $1`],
  ])('record a change of %s', (key, text) =>
    play(async (scene) => {
      const known = await versionsIn(scene);
      await save(scene, text);
      const after = await versionsIn(scene);
      expect(after).toHaveLength(known.length + 1);
      expect(after.at(-1)!.changed).toEqual([key]);
    }),
  );

  test('are one per transaction, and none when nothing differs in the end', async ({ as, scene }) => {
    const known = await versionsIn(scene);
    await ageVersions(scene);
    const rename = 'update projects set title = $2 where id = $1';
    await as(admin).write(rename, [ids.published, 'One']);
    await as(admin).write(rename, [ids.published, 'Two']);
    await as(admin).write('delete from project_media where project_id = $1', [ids.published]);
    const after = await versionsIn(scene);
    expect(after).toHaveLength(known.length + 1);
    expect(after.at(-1)).toMatchObject({ changed: ['media', 'title'], content: { title: 'Two', media: [] } });

    await ageVersions(scene);
    await as(admin).write(rename, [ids.published, 'Three']);
    await as(admin).write(rename, [ids.published, 'Two']);
    await as(admin).write('update projects set title = title where id = $1', [ids.published]);
    expect(await versionsIn(scene)).toEqual(after);
  });

  test('of a draft stay one while its submitter edits it, until another actor saves', async (scene) => {
    const write = (text: string) =>
      scene.as(submitter).rows('select save_case_study_metadata($1, $2, null, null)', [ids.guestsDraft, text]);
    const before = (await versionsIn(scene, ids.guestsDraft)).length;
    await ageVersions(scene);
    const minutes = () =>
      scene.server.query(`update project_versions set at = at - interval '5 minutes', transaction = '1'`);
    for (const text of ['<p>One</p>', '<p>Two</p>', '<p>Three</p>']) {
      await write(text);
      await minutes();
    }
    const sent = await versionsIn(scene, ids.guestsDraft);
    expect(sent).toHaveLength(before + 1);
    const content = { understanding: '<p>Three</p>' };
    expect(sent.at(-1)).toMatchObject({ actor: null, actor_kind: 'guest', changed: ['understanding'], content });
    await scene.as(admin).write(`update projects set client = 'Known' where id = $1`, [ids.guestsDraft]);
    await minutes();
    await write('<p>Four</p>');
    const lastTwo = (await versionsIn(scene, ids.guestsDraft)).slice(-2);
    expect(lastTwo.map(({ actor_kind }) => actor_kind)).toEqual(['admin', 'guest']);
  });

  test('are limited to two hundred: older ones are thinned out, the first stays, and changes are merged', async (scene) => {
    const { server } = scene;
    await server.query('delete from project_versions where project_id = $1', [ids.published]);
    const FILL = `insert into project_versions (project_id, number, actor_kind, changed, content, transaction)
      select $1, n, 'admin', case when n = 1 then '{}'::text[] when n % 2 = 0 then '{title}' else '{client}' end,
        jsonb_build_object('title', n), '1' from generate_series(1, 200) n`;
    await server.query(FILL, [ids.published]);
    await save(scene, `update projects set title = 'The last straw' where id = $1`);
    const saved = await versionsIn(scene);
    expect(saved).toHaveLength(151);
    expect(saved.slice(0, 3).map(({ number, changed }) => [number, changed])).toEqual([
      [1, []],
      [3, ['client', 'title']],
      [5, ['client', 'title']],
    ]);
    expect(saved.slice(-101).map(({ number }) => number)).toEqual(Array.from({ length: 101 }, (_, n) => n + 101));
  });

  test('are restored by an admin as a new version with a log entry', async ({ as, scene, server }) => {
    const first = (await versionsIn(scene)).at(-1)!;
    await save(scene, `update projects set title = 'Other', budget = null, status = 'completed' where id = $1`);
    await save(scene, 'delete from project_media where project_id = $1');
    await save(scene, `update case_study_metadata set tags = '{}', category = null where project_id = $1`);
    await save(scene, 'delete from project_members where project_id = $1');
    const ADD_ASHA = `insert into project_members (project_id, name, contribution_percentage) values ($1, 'Asha', 100)`;
    await save(scene, ADD_ASHA);
    await ageVersions(scene);
    const latest = (await versionsIn(scene)).at(-1)!.number;
    const restored = await as(admin).answer(RESTORE, [ids.published, first.number, latest]);
    expect(restored).toEqual({ number: latest + 1, left_out: 0 });
    const last = (await versionsIn(scene)).at(-1)!;
    expect(last).toMatchObject({ number: latest + 1, actor: ids.admin, restored_from: first.number });
    expect(last.content).toEqual({ ...first.content, status: 'completed' });
    const entries = await server.rows(`select object, reason from audit_log where action = 'projects.restore_version'`);
    expect(entries).toEqual([{ object: ids.published, reason: `version ${first.number}` }]);
  });

  test('are restored with the team in its order, and the media out of the trash', async ({ as, scene, server }) => {
    const ADD_TWO = `insert into project_members (project_id, name, created_at) select $1, name, now() - age::interval
      from (values ('Last', '1 day'), ('First', '2 days')) as member (name, age)`;
    await server.query(ADD_TWO, [ids.published]);
    const { number, content } = (await versionsIn(scene)).at(-1)!;
    await save(scene, `delete from project_members where project_id = $1 and name = 'First'`);
    await save(scene, 'delete from project_media where project_id = $1');
    await ageVersions(scene);
    await as(admin).call(RESTORE, [ids.published, number, number + 2]);
    expect((await versionsIn(scene)).at(-1)!.content).toEqual(content);
    expect(await as(admin).answer('select list_trash() as answer')).toMatchObject({ total: 0 });
  });

  test('are not restored over a newer change, or when they no longer exist', async ({ as, scene }) => {
    const seen = (await versionsIn(scene)).at(-1)!.number;
    await save(scene, `update projects set title = 'Faster' where id = $1`);
    const after = await versionsIn(scene);
    const restore = (id: string, number: number | null, latest: number | null) =>
      as(admin).refusal(RESTORE, [id, number, latest]);
    expect(await restore(ids.published, seen, seen)).toBe('PT409');
    expect(await restore(ids.published, seen, null)).toBe('PT409');
    expect(await restore(ids.published, 999, after.at(-1)!.number)).toBe('PT404');
    expect(await restore(ids.missing, 1, null)).toBe('PT404');
    expect(await versionsIn(scene)).toEqual(after);
  });

  test('restore media whose files exist, and report how many are missing', async ({ scene, server }) => {
    const name = (n: number) => `images/0e0e0e0e-0000-4000-8000-00000000000${n}.png`;
    const STORE_TWO = `insert into storage.objects (bucket_id, name) values ('case-studies', $1), ('case-studies', $2)`;
    await server.query(STORE_TWO, [name(1), name(2)]);
    await ageVersions(scene);
    const USE_BOTH = `insert into project_media (project_id, url, "order")
      select $1, 'https://mad.example/storage/v1/object/public/case-studies/' || name, 5 from unnest($2::text[]) name`;
    await server.query(USE_BOTH, [ids.published, [name(1), name(2)]]);
    const ADD_FILM = `insert into project_media (project_id, type, url, "order") values ($1, 'video', $2, 6)`;
    const film = 'https://mad.example/storage/v1/object/public/films/0e0e0e0e-0000-4000-8000-000000000003.mp4';
    await server.query(ADD_FILM, [ids.published, film]);
    const target = (await versionsIn(scene)).at(-1)!.number;
    await save(scene, 'delete from project_media where project_id = $1');
    await ageVersions(scene);
    await server.query(`set local storage.allow_delete_query = 'true'`);
    await server.query('delete from storage.objects where name = $1', [name(2)]);
    const restored = await scene.as(admin).answer(RESTORE, [ids.published, target, target + 1]);
    expect(restored).toEqual({ number: target + 2, left_out: 2 });
    const urls = (await versionsIn(scene)).at(-1)!.content.media.map(({ url }) => String(url).slice(-10));
    expect(urls.sort()).toEqual([`${ids.published}.png`.slice(-10), name(1).slice(-10)].sort());
  });

  test('leave an item unchanged when another project now uses its id (TM-21)', async ({ scene, server }) => {
    const target = (await versionsIn(scene)).at(-1)!;
    const [picture, member] = [target.content.media[0]!['id'] as string, target.content.team[0]!['id'] as string];
    await save(scene, 'delete from project_media where project_id = $1');
    await save(scene, 'delete from project_members where project_id = $1');
    await server.query('delete from project_media where project_id = $1', [ids.draft]);
    await server.query('delete from project_members where project_id = $1', [ids.draft]);
    const THEIR_PICTURE = `insert into project_media (id, project_id, url) values ($1, $2, 'https://pictures.example/theirs')`;
    await server.query(THEIR_PICTURE, [picture, ids.draft]);
    const THEIR_MEMBER = `insert into project_members (id, project_id, name) values ($1, $2, 'Theirs')`;
    await server.query(THEIR_MEMBER, [member, ids.draft]);
    await ageVersions(scene);
    const latest = (await versionsIn(scene)).at(-1)!.number;
    const restored = await scene.as(admin).answer(RESTORE, [ids.published, target.number, latest]);
    expect(restored).toEqual({ number: latest + 1, left_out: 0 });
    const draftContent = (await versionsIn(scene, ids.draft)).at(-1)!.content;
    expect(draftContent.media).toMatchObject([{ id: picture, url: 'https://pictures.example/theirs' }]);
    expect(draftContent.team).toMatchObject([{ id: member, name: 'Theirs' }]);
    const ownContent = (await versionsIn(scene)).at(-1)!.content;
    expect(ownContent.media).toMatchObject([{ url: `https://pictures.example/${ids.published}.png` }]);
    expect(ownContent.team).toMatchObject([{ role: 'Idea', contribution_percentage: 5 }]);
  });

  test('stay while their project is in the trash, and are deleted with it', async ({ as, scene, server }) => {
    const known = await versionsIn(scene);
    await ageVersions(scene);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    expect(await versionsIn(scene)).toEqual(known);
    await server.query(RESTORE_ALL);
    expect(await versionsIn(scene)).toEqual(known);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    await server.query('delete from private.trash');
    expect(await versionsIn(scene)).toEqual([]);
  });

  test('contain no names of deleted accounts', async ({ scene, server }) => {
    await ageVersions(scene);
    const CHANGE_ACTOR = `update project_versions set actor = $1, actor_kind = 'user' where project_id = $2`;
    await server.query(CHANGE_ACTOR, [ids.creator, ids.published]);
    await server.query('delete from auth.users where id = $1', [ids.creator]);
    expect((await versionsIn(scene)).at(-1)).toMatchObject({ actor: null, actor_kind: 'user' });
  });
});

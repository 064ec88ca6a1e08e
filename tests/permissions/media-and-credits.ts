import { expect } from 'vitest';
import { admin, creator, ids, staleAdmin, submitter, theService } from './actors.ts';
import { ageVersions, CREDIT, onStage, RESTORE_ALL } from './stage.ts';

const PICTURE = `insert into project_media (project_id, url, alt, made, is_cover) values ($1, 'https://pictures.example/cover.png', 'A heron', 'machine', true)`;
const COVER = 'select choose_cover(p_id => $1, p_media => $2)';
const CREDITS = JSON.stringify([
  { part: 'Idea', made: 'hand', people: ['Asha Rao'] },
  { part: 'Pictures', made: 'machine', tools: ['A model'] },
  { part: 'Code', made: 'together' },
  { part: 'Film', made: 'hand', people: [], tools: [] },
]);

export const mediaAndCredits = onStage('picture descriptions and credits', ({ test }) => {
  test('give the shares of hands in credits', async ({ as, server }) => {
    await as(submitter).write(CREDIT, [ids.guestsDraft, CREDITS]);
    const shares = 'select credits, hand_share, together_share from case_study_metadata where project_id = $1';
    const hands = { credits: JSON.parse(CREDITS), hand_share: 63, together_share: 25 };
    expect(await server.rows(shares, [ids.guestsDraft])).toEqual([hands]);
  });

  test('let admins and the service choose one cover, also before a former one is restored', async ({ as, server }) => {
    const ADD_TWO = `insert into project_media (project_id, url)
      select $1, 'https://pictures.example/' || name || '.png' from unnest(array['one', 'two']) name returning id`;
    const [one, two] = (await server.column<string>(ADD_TWO, [ids.published])) as [string, string];
    const covers = () => server.column<string>('select id from project_media where is_cover');
    expect(await covers()).toEqual([]);
    for (const [actor, media] of [
      [admin, one],
      [theService, two],
      [staleAdmin, one],
    ] as const) {
      await as(actor).rows(COVER, [ids.published, media]);
      expect(await covers()).toEqual([media]);
    }
    await as(admin).refused('PT404', COVER, [ids.archived, one]);
    expect(await covers()).toEqual([one]);
    await as(admin).write('delete from project_media where id = $1', [one]);
    await as(admin).rows(COVER, [ids.published, two]);
    await server.query(RESTORE_ALL);
    expect(await covers()).toEqual([two]);
    await as(admin).rows(COVER, [ids.published, null]);
    expect(await covers()).toEqual([]);
  });

  test('reject malformed credits, and compute the share in the database', async ({ as, server }) => {
    for (const wrong of [
      {},
      [{ part: 'Idea' }],
      [{ part: '', made: 'hand' }],
      [{ part: 'Idea', made: 'robot' }],
      [{ part: 'Idea', made: 'hand', people: 'Asha' }],
      [{ part: 'Idea', made: 'hand', tools: [' '] }],
      [{ part: 'Idea', made: 'hand', people: [['Asha']] }],
      [{ part: 'Idea', made: 'hand', secret: 'x' }],
      ['Idea'],
      Array.from({ length: 21 }, (_, n) => ({ part: `Part ${n}`, made: 'hand' })),
      [{ part: 'Idea', made: 'hand', people: Array.from({ length: 21 }, (_, n) => `Person ${n}`) }],
    ])
      await as(creator).refused('PT422', CREDIT, [ids.draft, JSON.stringify(wrong)]);
    await as(creator).write(CREDIT, [ids.draft, '[]']);
    const SET_SHARE = 'update case_study_metadata set hand_share = 100 where project_id = $1';
    expect(await as(theService).write(SET_SHARE, [ids.draft])).toBe(1);
    const HAND_SHARES = 'select hand_share from case_study_metadata where project_id = $1';
    expect(await server.rows(HAND_SHARES, [ids.draft])).toEqual([{ hand_share: null }]);
  });

  test('are restored with a version, and removed by a version without credits', async ({ as, scene, server }) => {
    const latest = () =>
      server.value<number>('select max(number) as number from project_versions where project_id = $1', [ids.published]);
    const PUBLIC_STATE = `select (select credits from case_study_metadata where project_id = $1) as credits,
      (select array_agg(alt) from project_media where project_id = $1 and alt is not null) as alt`;
    const publicState = () => server.row(PUBLIC_STATE, [ids.published]);
    await ageVersions(scene);
    await as(theService).write(PICTURE, [ids.published]);
    await as(theService).write(CREDIT, [ids.published, CREDITS]);
    const full = await latest();
    await ageVersions(scene);
    const WITHOUT_CREDITS = `update project_versions set content = content - 'credits' where project_id = $1 and number = 1`;
    await server.query(WITHOUT_CREDITS, [ids.published]);
    const restore = 'select restore_project_version($1, $2, $3)';
    await as(admin).rows(restore, [ids.published, 1, full]);
    expect(await publicState()).toEqual({ credits: [], alt: null });
    await ageVersions(scene);
    await as(admin).rows(restore, [ids.published, full, await latest()]);
    expect(await publicState()).toEqual({ credits: JSON.parse(CREDITS), alt: ['A heron'] });
  });
});

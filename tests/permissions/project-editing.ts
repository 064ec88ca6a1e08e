import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseError } from '../../packages/backend/database/database.ts';
import { admin, creator, guest, ids, otherUser, staleAdmin, submitter, theService } from './actors.ts';
import { onStage, RESTORE_ALL, type Scene } from './stage.ts';

const outsiders = { guest, otherUser, creator, submitter };
const REORDER = 'select reorder_project_media(p_id => $1, p_ids => $2)';
const RESTORE = 'select restore_project_version(p_id => $1, p_number => $2, p_latest => $3) as answer';

export const projectEditing = onStage('editing a project', ({ test }) => {
  describe('media order', () => {
    const TWO_MORE = `with fresh as (
        insert into project_media (project_id, url, "order")
        select $1, 'https://pictures.example/' || n || '.png', n from generate_series(1, 2) n returning id)
      select id from fresh union select id from project_media where project_id = $1 order by id`;
    const twoMore = ({ server }: Scene) => server.column<string>(TWO_MORE, [ids.published]);
    const orderIn = ({ server }: Scene) =>
      server.column<string>('select id from project_media where project_id = $1 order by "order"', [ids.published]);

    test('can be changed by admins and the service (PFORM-12, PERM-12)', async ({ as, scene }) => {
      const all = await twoMore(scene);
      for (const [actor, order] of [
        [admin, all],
        [staleAdmin, all.toReversed()],
        [theService, all],
      ] as const) {
        await as(actor).rows(REORDER, [ids.published, order]);
        expect(await orderIn(scene)).toEqual(order);
      }
    });

    test('rejects a list that differs from the project’s media, and moves nothing (PFORM-12)', async (scene) => {
      const [one, two, three] = (await twoMore(scene)) as [string, string, string];
      const before = await orderIn(scene);
      for (const wrong of [[one, two], [one, two, two], [one, two, three, three], [one, two, ids.missing], [], null])
        await scene.as(admin).refused('PT409', REORDER, [ids.published, wrong]);
      await scene.as(admin).refused('PT409', REORDER, [ids.missing, [one]]);
      expect(await orderIn(scene)).toEqual(before);
    });
  });

  describe('team shares', () => {
    const INSERT_MEMBER = 'insert into project_members (project_id, name, contribution_percentage) values ($1, $2, $3)';

    test('add up to at most 100 % for every actor; the error states the excess (ENT-16)', async ({ as, server }) => {
      expect(await as(admin).write(INSERT_MEMBER, [ids.published, 'Asha', 95])).toBe(1); // the cast holds five
      for (const actor of [admin, theService]) {
        const refused = as(actor).write(INSERT_MEMBER, [ids.published, 'Ben', 12.5]);
        const message = 'The shares together would make 112.5%; 12.5% too much. Nothing was saved.';
        await expect(refused).rejects.toMatchObject({ code: 'PT422', message });
      }
      const more = `update project_members set contribution_percentage = 96 where name = 'Asha'`;
      await as(admin).refused('PT422', more);
      expect(await as(admin).write(INSERT_MEMBER, [ids.published, 'Ben', null])).toBe(1);
      expect(await as(admin).write(INSERT_MEMBER, [ids.published, 'Cleo', 0])).toBe(1);
      const SUM = 'select sum(contribution_percentage) as sum from project_members where project_id = $1';
      expect(await server.rows(SUM, [ids.published])).toEqual([{ sum: '100.00' }]);
    });

    test('are limited to 100 percent in hundredths, when added, changed or restored (D9)', async ({ as, server }) => {
      const remove = 'delete from project_members where project_id = $1 and name = $2';
      const change = 'update project_members set contribution_percentage = $1 where name = $2';
      await as(admin).write('delete from project_members where project_id = $1', [ids.published]);
      await as(admin).write(INSERT_MEMBER, [ids.published, 'Asha', 99.98]);
      const message = 'The shares together would make 100.01%; 0.01% too much. Nothing was saved.';
      const adding = as(admin).write(INSERT_MEMBER, [ids.published, 'Ben', 0.03]);
      await expect(adding).rejects.toMatchObject({ code: 'PT422', message });
      expect(await as(admin).write(INSERT_MEMBER, [ids.published, 'Ben', 0.02])).toBe(1);
      await as(admin).refused('PT422', change, [0.03, 'Ben']);
      await as(admin).refused('PT422', INSERT_MEMBER, [ids.published, 'Cleo', 0.01]);

      const restored = async (share: number) => {
        await as(admin).write(remove, [ids.published, 'Ben']);
        await as(admin).write(change, [share, 'Asha']);
        await server.query(RESTORE_ALL);
        const SHARE_OF_BEN = `select contribution_percentage from project_members where project_id = $1 and name = 'Ben'`;
        return await as(admin).value<string | null>(SHARE_OF_BEN, [ids.published]);
      };
      expect(await restored(99.98)).toBe('0.02');
      expect(await restored(99.99)).toBeNull();
    });

    test('can be lowered when they already exceed the limit', async ({ as, server }) => {
      await server.query('alter table project_members disable trigger limit_added_shares');
      await server.query(`insert into project_members (project_id, name, contribution_percentage)
          values ('${ids.published}', 'Asha', 90), ('${ids.published}', 'Ben', 90)`);
      const set = `update project_members set contribution_percentage = $1 where name = 'Ben'`;
      expect(await as(admin).write(set, [80])).toBe(1);
      await as(admin).refused('PT422', set, [81]);
      expect(await as(admin).write(set, [5])).toBe(1);
    });

    test('disclose their sum to no other actor', async ({ as }) => {
      for (const actor of Object.values(outsiders))
        await as(actor).refused('42501', INSERT_MEMBER, [ids.published, 'Me', 99]);
    });

    test('are restored from the trash without a part that was assigned in the meantime', async ({ as, server }) => {
      await as(admin).write('delete from project_members where project_id = $1', [ids.published]);
      await as(admin).write(INSERT_MEMBER, [ids.published, 'Asha', 97]);
      await server.query(RESTORE_ALL);
      const SHARES = `select coalesce(role, name) as who, contribution_percentage as share from project_members
        where project_id = $1 order by 1`;
      expect(await as(admin).rows(SHARES, [ids.published])).toEqual([
        { who: 'Asha', share: '97.00' },
        { who: 'Idea', share: null },
      ]);
    });
  });

  test('rejects an end date before the start date with a message', async ({ as }) => {
    const set = 'update projects set start_date = $2, end_date = $3 where id = $1';
    const message = 'The end date is before the start date.';
    await expect(as(admin).write(set, [ids.published, '2026-03-02', '2026-03-01'])).rejects.toThrow(message);
    expect(await as(admin).write(set, [ids.published, '2026-03-02', '2026-03-02'])).toBe(1);
    await as(admin).refused('PT422', `update projects set end_date = '2026-03-01' where id = $1`, [ids.published]);
  });
});

/** Races commit, so these have their own project. */
export const rivalEditors = onStage('concurrent edits of a project', (stage) => {
  const project = 'ed000000-0000-4000-8000-000000000001';
  const medium = (n: number) => `ed000000-0000-4000-8000-00000000001${n}`;
  const media = [0, 1, 2, 3].map(medium);
  const VERSIONS =
    'select number, changed, restored_from, content from public.project_versions where project_id = $1 order by number';
  type Version = { number: number; changed: string[]; restored_from: number | null; content: Content };
  const versions = () => stage.server.rows<Version>(VERSIONS, [project]);
  const reasons = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && outcome.reason instanceof DatabaseError ? outcome.reason.code : [],
    );
  interface Content {
    title: string;
    media: { id: string }[];
    team: { name: string; contribution_percentage: number }[];
  }

  beforeAll(async () => {
    await stage.db.query(`insert into public.projects (id, title) values ($1, 'Rivalry')`, [project]);
    const ADD_MEDIA = `insert into public.project_media (id, project_id, url, "order")
      select id, $1, 'https://pictures.example/' || place, place from unnest($2::uuid[]) with ordinality as all_media (id, place)`;
    await stage.db.query(ADD_MEDIA, [project, media]);
  });
  afterAll(async () => {
    await stage.db.query('delete from public.projects where id = $1', [project]);
    await stage.db.query('delete from private.trash');
  });

  it('store one of two orders, never a mixture (PFORM-12)', async () => {
    const orders = [media.toReversed(), [media[2]!, media[0]!, media[3]!, media[1]!]];
    const edits = orders.map((order) => ({ actor: admin, text: `${REORDER} as answer`, values: [project, order] }));
    const outcomes = await stage.race(edits);
    expect(reasons(outcomes)).toEqual([]);
    const MEDIA_IN_ORDER = 'select id from public.project_media where project_id = $1 order by "order"';
    const rows = await stage.server.rows<{ id: string }>(MEDIA_IN_ORDER, [project]);
    expect(orders).toContainEqual(rows.map(({ id }) => id));
  });

  it('cannot move a media item that the other edit has removed', async () => {
    const outcomes = await stage.race([
      { actor: admin, text: 'delete from public.project_media where id = $1', values: [media[3]!] },
      { actor: admin, text: REORDER, values: [project, media] },
    ]);
    // Either call may win: reordering all four media, or deleting one first.
    expect([[], ['PT409']]).toContainEqual(reasons(outcomes));
    const left = await stage.server.rows('select from public.project_media where project_id = $1', [project]);
    expect(left).toHaveLength(3);
  });

  it('cannot assign more than 100 percent together (ENT-16)', async () => {
    const GIVE_60 =
      'insert into public.project_members (project_id, name, contribution_percentage) values ($1, $2, 60)';
    const additions = ['Asha', 'Ben', 'Cleo'].map((name) => ({ actor: admin, text: GIVE_60, values: [project, name] }));
    const outcomes = await stage.race(additions);
    expect(reasons(outcomes)).toEqual(['PT422', 'PT422']);
  });

  it('save only one of two changes based on the same row', async () => {
    const SEEN = 'select updated_at::text from public.projects where id = $1';
    const seen = await stage.server.value<string>(SEEN, [project]);
    const save = `update public.projects set title = $2 where id = $1 and updated_at = $3::timestamptz returning title as answer`;
    const saves = ['Mine', 'Theirs'].map((title) => ({ actor: admin, text: save, values: [project, title, seen] }));
    const outcomes = await stage.race(saves);
    const titles = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []));
    expect(titles).toHaveLength(1);
    expect((await versions()).at(-1)!.content.title).toBe(titles[0]);
  });

  it('both create a version, and the last one contains both changes', async () => {
    const before = (await versions()).length;
    const ADD_DARA = `insert into public.project_members (project_id, name, contribution_percentage) values ($1, 'Dara', 5)`;
    await stage.race([
      { actor: admin, text: `update public.projects set title = 'Rivalry, retold' where id = $1`, values: [project] },
      { actor: admin, text: ADD_DARA, values: [project] },
    ]);
    const newVersions = await versions();
    expect(newVersions.length).toBe(before + 2);
    const changes = newVersions.slice(-2).map(({ changed }) => changed[0]);
    expect(changes.sort()).toEqual(['team', 'title']);
    expect(newVersions.at(-1)!.content).toMatchObject({ title: 'Rivalry, retold' });
    expect(newVersions.at(-1)!.content.team.map(({ name }) => name)).toContain('Dara');
  });

  it('restore a version only if no other change was saved since', async () => {
    const known = await versions();
    const latest = known.at(-1)!.number;
    const restores = [1, 2].map((number) => ({ actor: admin, text: RESTORE, values: [project, number, latest] }));
    const outcomes = await stage.race(restores);
    expect(reasons(outcomes)).toEqual(['PT409']);
    const newVersions = await versions();
    expect(newVersions).toHaveLength(known.length + 1);
    const { restored_from, content } = newVersions.at(-1)!;
    const restoredVersion = known.find(({ number }) => number === restored_from)!;
    expect(content).toEqual(restoredVersion.content);
  });
});

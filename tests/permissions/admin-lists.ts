import { expect } from 'vitest';
import { admin } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

interface Question {
  words?: string;
  status?: string | null;
  sort?: string | null;
  skip?: number;
  take?: number;
}

const STATUSES = ['draft', 'active', 'completed', 'archived'];
const FIND = `select title from find_projects(p_words => $1, p_status => $2, p_sort => $3, p_skip => $4, p_take => $5)`;

export const adminLists = onStage('lists of the admin area', ({ test }) => {
  const find = ({ as }: Scene, { words = '', status = null, sort = 'newest', skip = 0, take = 100 }: Question = {}) =>
    as(admin).column<string>(FIND, [words, status, sort, skip, take]);
  const COUNT = 'select * from count_projects(p_words => $1, p_status => $2)';
  const count = ({ as }: Scene, words = '', status: string | null = null) =>
    as(admin).row<{ projects: number; exact: boolean }>(COUNT, [words, status]);
  const COUNTED = `select status, (count_projects(p_status => status)).projects from unnest($1::text[]) as status`;
  /** Numbers of projects by status, as the function counts them and as the table has them. */
  const counted = ({ as }: Scene) => as(admin).rows(COUNTED, [STATUSES]);
  const STORED = `select status, (select count(*)::int from projects where projects.status = each.status) as projects
    from unnest($1::text[]) as each (status)`;
  const stored = ({ server }: Scene) => server.rows<{ status: string; projects: number }>(STORED, [STATUSES]);
  const insertProjects = (scene: Scene, many: number, title: string, more = '') =>
    scene.server.query(
      `insert into projects (title, status, created_at, description)
       select ${title}, case when n % 4 = 0 then 'archived' else 'draft' end, now() - n * interval '1 hour', '<p>Number ' || n || '</p>${more}'
       from generate_series(1, ${many}) n`,
    );

  test('return projects in every status (TM-20)', async ({ scene, server }) => {
    const titles = 'select title from projects order by created_at desc, id desc';
    expect(await find(scene)).toEqual(await server.column(titles));
  });

  test('return every page in order, reading from the end for pages behind the middle (MANAGE-01, APROJ-01)', async (scene) => {
    await insertProjects(scene, 57, `'Row ' || lpad((n * 37 % 58)::text, 3, '0')`);
    const orders = {
      newest: 'created_at desc, id desc',
      oldest: 'created_at, id',
      title: 'lower(title), id',
      changed: 'updated_at desc, id desc',
      nonsense: 'created_at desc, id desc',
    };
    for (const [sort, order] of Object.entries(orders))
      for (const status of [null, 'draft']) {
        const ORDERED = `select title from projects where $1::text is null or status = $1 order by ${order}`;
        const all = await scene.server.column<string>(ORDERED, [status]);
        const paged: string[] = [];
        for (let skip = 0; skip < all.length + 10; skip += 10)
          paged.push(...(await find(scene, { status, sort, skip, take: 10 })));
        expect(paged, `${sort} ${status}`).toEqual(all);
      }
  });

  test('find a part of title, client or description in any letter case, with special characters taken literally (MANAGE-02)', async (scene) => {
    const specialTitle = `100% "Odd", (quoted) R&D \\ zebra_crossing`;
    const INSERT = `insert into projects (title, client, description) values
      ('Ärmel', $1, '<h2>Fish &amp; chips</h2><p>&lt;3&nbsp;and  <strong>str</strong>ong' || chr(10) || 'tea</p>')`;
    await scene.server.query(INSERT, [specialTitle]);
    const parts = ['ÄRM', '100% "', ', (q', 'ZEBRA_C', 'r&d \\', 'fish & CHIPS <3 and strong tea', '  mel ', 'h'];
    for (const words of [specialTitle, ...parts]) expect(await find(scene, { words }), words).toContain('Ärmel');
    for (const words of ['zebraXcrossing', '100_ ', 'h2>', 'amp', 'Ärmel 100', 'strong fish'])
      expect(await find(scene, { words }), words).not.toContain('Ärmel');

    await scene.as(admin).write(`update projects set title = 'Socks', description = null where title = 'Ärmel'`);
    expect(await find(scene, { words: 'ärmel' })).toEqual([]);
    expect(await find(scene, { words: 'socks' })).toEqual(['Socks']);
    expect(await find(scene, { words: 'socks', status: 'archived' })).toEqual([]);
  });

  test('count frequent and rare matches, and report more than five hundred as such (MANAGE-06)', async (scene) => {
    await insertProjects(scene, 1_100, `'Common ' || n`, '<p>words</p>');
    const total = await scene.server.value<number>('select count(*)::int from projects');
    expect(await count(scene)).toEqual({ projects: total, exact: true });
    expect(await count(scene, 'COMMON')).toEqual({ projects: 500, exact: false });
    expect(await count(scene, 'common', 'archived')).toEqual({ projects: 275, exact: true });
    // 1007 and 107x are older than the newest three hundred.
    expect(await count(scene, 'common 1007')).toEqual({ projects: 1, exact: true });
    expect(await count(scene, 'common 1007', 'archived')).toEqual({ projects: 0, exact: true });
    expect(await find(scene, { words: 'number 1007' })).toEqual(['Common 1007']);
    const oldest = await find(scene, { words: 'common 107', sort: 'oldest', take: 3 });
    expect(oldest).toEqual(['Common 1079', 'Common 1078', 'Common 1077']);
    expect(await find(scene, { words: 'common', skip: 495, take: 10 })).toHaveLength(5);
    expect(await count(scene, 'nothing has these')).toEqual({ projects: 0, exact: true });
  });

  test('update their counters for single and bulk writes (CACHE-04)', async ({ as, scene, server }) => {
    await insertProjects(scene, 40, `'Counted ' || n`);
    expect(await counted(scene)).toEqual(await stored(scene));
    const CHANGE_STATUS = `update projects set status = (array['active', 'completed', 'archived', 'draft'])[1 + $1::int % 4] where title = 'Counted ' || $1`;
    for (let n = 1; n <= 40; n++) await as(admin).write(CHANGE_STATUS, [n]);
    expect(await counted(scene)).toEqual(await stored(scene));
    await as(admin).write(`delete from projects where title like 'Counted 1%'`);
    expect(await counted(scene)).toEqual(await stored(scene));
    expect(await server.value<number>('select count(*)::int as tallies from private.tallies')).toBeLessThan(80); // they were added up on the way
    const size = (table: string) => server.value<string>(`select count(*) from ${table}`);
    for (const table of ['private.project_register', 'private.project_words'])
      expect(await size(table), table).toBe(await size('projects'));
  });
});

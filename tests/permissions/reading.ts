import { expect } from 'vitest';
import { admin, creator, guest, ids, otherUser } from './actors.ts';
import { onStage, type Scene, setSetting } from './stage.ts';

const RECORD = 'select record_reading(p_page => $1, p_marks => $2)';
const REPORT = 'select reading_report(p_days => $1) as answer';
const VISIT = ['/about', ['visit', 'depth:25', 'section:results']] as const;

export const reading = onStage('page views', ({ test }) => {
  const switchTo = (scene: Scene, value: string) => setSetting(scene, 'analytics', value);
  const counted = ({ server }: Scene) =>
    server.value<object>(`select coalesce(jsonb_object_agg(page || ' ' || mark, count), '{}') from reading_counts`);

  test('are not counted unless an admin has switched counting on', async ({ as, scene }) => {
    for (const value of [null, 'false', '"true"', '1', 'null']) {
      if (value) await switchTo(scene, value);
      for (const actor of [guest, otherUser, admin]) await as(actor).rows(RECORD, VISIT);
      await as(guest).rows(RECORD, ['/no-such-page', ['nonsense']]);
    }
    expect(await counted(scene)).toEqual({});
    await switchTo(scene, 'true');
    for (const actor of [guest, otherUser, creator, admin]) await as(actor).rows(RECORD, VISIT);
    expect(await counted(scene)).toEqual({ '/about visit': 4, '/about depth:25': 4, '/about section:results': 4 });
  });

  test('are counted for known pages and public experiments only', async ({ scene, server }) => {
    await switchTo(scene, 'true');
    const ADD_PAGES = `insert into pages (path, title, live, live_title) values ('/studio', 'Studio', '{}', 'Studio'), ('/plan', 'Plan', null, null)`;
    await server.query(ADD_PAGES);
    const pages = ['/', '/case-studies', '/join', '/contact', '/studio', `/case-studies/${ids.published}`];
    for (const page of pages) await scene.as(guest).rows(RECORD, [page, ['visit']]);
    expect(Object.keys(await counted(scene)).sort()).toEqual(pages.map((page) => `${page} visit`).sort());
    const others = [null, '', '/admin', '/case-study-upload', '/about/', '/about?x', '//about', '/ABOUT', '/plan'];
    const hidden = [ids.draft, ids.guestsDraft, ids.archived, ids.missing, 'x', `${ids.published}/slug`];
    for (const page of [...others, ...hidden.map((id) => `/case-studies/${id}`)])
      for (const actor of [guest, creator, admin]) await scene.as(actor).refused('PT400', RECORD, [page, ['visit']]);
  });

  test('are counted by known section names, each once per visit, and a bounded number of them', async (scene) => {
    await switchTo(scene, 'true');
    const sections = (many: number, name = 's') => Array.from({ length: many }, (_, at) => `section:${name}${at}`);
    for (const marks of [
      ...[null, [], ['depth:30'], ['Visit'], ['section:'], ['section:A'], ['section:a b'], ['visit', null]],
      ...[[`section:${'x'.repeat(41)}`], ['section:x\ny'], sections(41), ["visit'; drop table x"]],
    ])
      await scene.as(guest).refused('PT400', RECORD, ['/', marks]);
    await scene.as(guest).refused('PT400', `select record_reading('/', '{{visit},{visit}}')`);
    await scene.as(guest).rows(RECORD, ['/', ['visit', 'visit', 'depth:90']]);
    expect(await counted(scene)).toEqual({ '/ visit': 1, '/ depth:90': 1 });
    for (const name of 'abcdefgh') await scene.as(guest).rows(RECORD, ['/', ['visit', ...sections(20, name)]]);
    expect(Object.keys(await counted(scene))).toHaveLength(22);
    expect(await counted(scene)).toMatchObject({ '/ visit': 9 });
  });

  test('are kept for 400 days', async ({ as, scene, server }) => {
    await switchTo(scene, 'true');
    const OLD = `insert into reading_counts (day, page, mark)
      select (now() at time zone 'utc')::date - days, '/join', 'visit' from unnest(array[400, 401]) as aged (days)`;
    await server.query(OLD);
    await as(guest).rows(RECORD, ['/', ['visit']]);
    expect(await server.rows(`select from reading_counts where page = '/join'`)).toHaveLength(1);
  });

  test('are returned as days, pages, depths and sections', async ({ as, scene }) => {
    await switchTo(scene, 'true');
    await as(guest).rows(RECORD, VISIT);
    await as(guest).rows(RECORD, [`/case-studies/${ids.published}`, ['visit', 'depth:25', 'depth:50']]);
    await as(guest).rows(RECORD, [`/case-studies/${ids.published}`, ['visit']]);
    const report = await as(admin).answer<Record<string, Record<string, unknown>[]>>(REPORT, [30]);
    expect(report['days']).toHaveLength(30);
    const today = new Date().toISOString().slice(0, 10);
    expect(report['days']!.at(-1)).toEqual({ day: today, visits: 3 });
    expect(report['days']!.slice(0, -1).every(({ visits }) => visits === 0)).toBe(true);
    expect(report['pages']).toEqual([
      { page: `/case-studies/${ids.published}`, title: 'Published', visits: 2 },
      { page: '/about', title: null, visits: 1 },
    ]);
    expect(report['depth']).toEqual([
      { mark: 25, visits: 2 },
      { mark: 50, visits: 1 },
      { mark: 75, visits: 0 },
      { mark: 90, visits: 0 },
    ]);
    expect(report['sections']).toEqual([{ page: '/about', section: 'results', visits: 1 }]);
    for (const days of [0, -1, 401, null]) await as(admin).refused('PT400', REPORT, [days]);
  });
});

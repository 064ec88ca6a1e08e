import { describe, expect, it } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, type Scene, type Stage, theService } from './stage.ts';

const RECORD = 'select record_reading(p_page => $1, p_marks => $2)';
const REPORT = 'select reading_report(p_days => $1) as answer';
const VISIT = ['/about', ['visit', 'depth:25', 'section:results']] as const;
const withHeader = (name: string): Actor => ({ ...guest, headers: { [name]: '1' } });

export const reading = (stage: Stage) =>
  describe('page views', () => {
    const switchTo = ({ server }: Scene, value: string) =>
      server.query(
        `insert into public.site_settings (name, value) values ('analytics', $1::text::jsonb)
         on conflict (name) do update set value = excluded.value`,
        [value],
      );
    const counted = async ({ server }: Scene) =>
      Object.fromEntries(
        (
          await server.query<{ at: string; count: number }>(
            `select page || ' ' || mark as at, count from public.reading_counts order by 1`,
          )
        ).rows.map(({ at, count }) => [at, count]),
      );

    it('are not counted unless an admin has switched counting on', () =>
      stage.play(async (scene) => {
        for (const value of [null, 'false', '"true"', '1', 'null']) {
          if (value) await switchTo(scene, value);
          for (const actor of [guest, otherUser, admin]) await scene.as(actor).rows(RECORD, VISIT);
          await scene.as(guest).rows(RECORD, ['/no-such-page', ['nonsense']]);
        }
        expect(await counted(scene)).toEqual({});
        await switchTo(scene, 'true');
        for (const actor of [guest, otherUser, creator, admin]) await scene.as(actor).rows(RECORD, VISIT);
        expect(await counted(scene)).toEqual({
          '/about visit': 4,
          '/about depth:25': 4,
          '/about section:results': 4,
        });
      }));

    it('are not counted for visitors who opt out', () =>
      stage.play(async (scene) => {
        await switchTo(scene, 'true');
        for (const name of ['dnt', 'sec-gpc']) await scene.as(withHeader(name)).rows(RECORD, VISIT);
        expect(await counted(scene)).toEqual({});
        await scene.as({ ...guest, headers: { dnt: '0' } }).rows(RECORD, VISIT);
        expect(await counted(scene)).not.toEqual({});
      }));

    it('are counted for known pages and public experiments only', () =>
      stage.play(async (scene) => {
        await switchTo(scene, 'true');
        const { server } = scene;
        await server.query(
          `insert into public.pages (path, title, live, live_title) values ('/studio', 'Studio', '{}', 'Studio'), ('/plan', 'Plan', null, null)`,
        );
        const pages = ['/', '/case-studies', '/join', '/contact', '/studio', `/case-studies/${ids.published}`];
        for (const page of pages) await scene.as(guest).rows(RECORD, [page, ['visit']]);
        expect(Object.keys(await counted(scene))).toEqual(pages.map((page) => `${page} visit`).sort());
        for (const page of [
          ...[null, '', '/admin', '/case-study-upload', '/about/', '/about?x', '//about', '/ABOUT', '/plan'],
          ...[ids.draft, ids.guestsDraft, ids.archived, ids.missing, 'x', `${ids.published}/slug`].map(
            (id) => `/case-studies/${id}`,
          ),
        ])
          for (const actor of [guest, creator, admin])
            expect(await scene.as(actor).refusal(RECORD, [page, ['visit']]), String(page)).toBe('PT400');
      }));

    it('are counted by known section names, each once per visit, and a bounded number of them', () =>
      stage.play(async (scene) => {
        await switchTo(scene, 'true');
        const sections = (many: number, name = 's') => Array.from({ length: many }, (_, at) => `section:${name}${at}`);
        for (const marks of [
          ...[null, [], ['depth:30'], ['Visit'], ['section:'], ['section:A'], ['section:a b'], ['visit', null]],
          ...[[`section:${'x'.repeat(41)}`], ['section:x\ny'], sections(41), ["visit'; drop table x"]],
        ])
          expect(await scene.as(guest).refusal(RECORD, ['/', marks]), JSON.stringify(marks)).toBe('PT400');
        expect(await scene.as(guest).refusal(`select record_reading('/', '{{visit},{visit}}')`)).toBe('PT400');
        await scene.as(guest).rows(RECORD, ['/', ['visit', 'visit', 'depth:90']]);
        expect(await counted(scene)).toEqual({ '/ visit': 1, '/ depth:90': 1 });
        for (const name of 'abcdefgh') await scene.as(guest).rows(RECORD, ['/', ['visit', ...sections(20, name)]]);
        expect(Object.keys(await counted(scene))).toHaveLength(22);
        expect(await counted(scene)).toMatchObject({ '/ visit': 9 });
      }));

    it('are kept for 400 days', () =>
      stage.play(async (scene) => {
        await switchTo(scene, 'true');
        await scene.server.query(
          `insert into public.reading_counts (day, page, mark)
           select (now() at time zone 'utc')::date - days, '/join', 'visit' from unnest(array[400, 401]) as aged (days)`,
        );
        await scene.as(guest).rows(RECORD, ['/', ['visit']]);
        expect((await scene.server.query(`select from public.reading_counts where page = '/join'`)).rows).toHaveLength(
          1,
        );
      }));

    it('are readable by admins alone, and written only by their procedure', () =>
      stage.play(async (scene) => {
        await switchTo(scene, 'true');
        await scene.as(guest).rows(RECORD, VISIT);
        const read = 'select page from reading_counts';
        for (const actor of [otherUser, creator]) {
          expect(await scene.as(actor).rows(read)).toEqual([]);
          expect(await scene.as(actor).refusal(REPORT, [30])).toBe('42501');
        }
        for (const actor of [guest, theService]) {
          expect(await scene.as(actor).refusal(read)).toBe('42501');
          expect(await scene.as(actor).refusal(REPORT, [30])).toBe('42501');
        }
        expect(await scene.as(admin).rows(read)).toHaveLength(3);
        for (const actor of [guest, otherUser, creator, admin, theService])
          for (const text of [
            `insert into reading_counts (day, page, mark) values (now(), '/', 'visit')`,
            'update reading_counts set count = 1000000 where count > 0',
            'delete from reading_counts where count > 0',
          ])
            expect(await scene.as(actor).refusal(text)).toBe('42501');
      }));

    it('are returned as days, pages, depths and sections', () =>
      stage.play(async (scene) => {
        await switchTo(scene, 'true');
        await scene.as(guest).rows(RECORD, VISIT);
        await scene.as(guest).rows(RECORD, [`/case-studies/${ids.published}`, ['visit', 'depth:25', 'depth:50']]);
        await scene.as(guest).rows(RECORD, [`/case-studies/${ids.published}`, ['visit']]);
        const report = (await scene.as(admin).call(REPORT, [30])).answer as Record<string, Record<string, unknown>[]>;
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
        for (const days of [0, -1, 401, null]) expect(await scene.as(admin).refusal(REPORT, [days])).toBe('PT400');
      }));
  });

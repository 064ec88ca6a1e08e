import { describe, expect, it } from 'vitest';
import {
  type Actor,
  admin,
  creator,
  guest,
  ids,
  otherUser,
  type Stage,
  staleAdmin,
  submitter,
  theService,
} from './stage.ts';

const PICTURE = `insert into project_media (project_id, url, alt, made, is_cover) values ($1, 'https://pictures.example/cover.png', 'A heron', 'machine', true)`;
const DESCRIBE = `update project_media set alt = '', made = 'together', poster = 'https://pictures.example/poster.jpg' where project_id = $1`;
const COVER = 'select choose_cover(p_id => $1, p_media => $2)';
const CREDIT = `insert into case_study_metadata (project_id, credits) values ($1, $2::text::jsonb) on conflict (project_id) do update set credits = excluded.credits`;
const CREDITS = JSON.stringify([
  { part: 'Idea', made: 'hand', people: ['Asha Rao'] },
  { part: 'Pictures', made: 'machine', tools: ['A model'] },
  { part: 'Code', made: 'together' },
  { part: 'Film', made: 'hand', people: [], tools: [] },
]);

export const mediaAndCredits = (stage: Stage) =>
  describe('picture descriptions and credits', () => {
    it.each<[string, Actor, string, boolean]>([
      ['a guest', guest, ids.guestsDraft, false],
      ['who holds the draft', submitter, ids.guestsDraft, true],
      ['its creator', creator, ids.draft, true],
      ['another user', otherUser, ids.draft, false],
      ['the creator, once it is published', creator, ids.published, false],
      ['an admin', admin, ids.published, true],
      ['the service', theService, ids.published, true],
    ])('of a draft are writable by those who may write the draft: %s', (_, actor, project, may) =>
      stage.play(async ({ as, server }) => {
        if (may) {
          expect(await as(actor).write(PICTURE, [project])).toBe(1);
          expect(await as(actor).write(CREDIT, [project, CREDITS])).toBe(1);
          const { rows } = await server.query(
            `select credits, hand_share, together_share from public.case_study_metadata where project_id = $1`,
            [project],
          );
          expect(rows).toEqual([{ credits: JSON.parse(CREDITS), hand_share: 63, together_share: 25 }]);
        } else {
          expect(await as(actor).refusal(PICTURE, [project])).toBe('42501');
          expect(await as(actor).refusal(CREDIT, [project, CREDITS])).toBe('42501');
        }
      }),
    );

    it('of media are writable by admins and the service alone', () =>
      stage.play(async ({ as }) => {
        for (const id of [ids.published, ids.draft, ids.guestsDraft]) {
          for (const actor of [guest, submitter]) expect(await as(actor).refusal(DESCRIBE, [id])).toBe('42501');
          for (const actor of [otherUser, creator]) expect(await as(actor).write(DESCRIBE, [id])).toBe(0);
          for (const actor of [admin, theService]) expect(await as(actor).write(DESCRIBE, [id])).toBe(1);
        }
      }));

    it('let admins and the service choose one cover, only by its procedure', () =>
      stage.play(async ({ as, server }) => {
        for (const name of ['one', 'two'])
          await server.query(
            `insert into public.project_media (project_id, url) values ($1, 'https://pictures.example/${name}.png')`,
            [ids.published],
          );
        const { rows } = await server.query<{ id: string }>(
          `select id from public.project_media where project_id = $1 and url like '%example/%o%.png'`,
          [ids.published],
        );
        const [one, two] = rows as [{ id: string }, { id: string }];
        const covers = async () =>
          (await server.query<{ id: string }>('select id from public.project_media where is_cover')).rows.map(
            ({ id }) => id,
          );
        for (const actor of [guest, submitter, otherUser, creator])
          expect(await as(actor).refusal(COVER, [ids.published, one.id])).toBe('42501');
        for (const actor of [submitter, creator, admin])
          expect(await as(actor).refusal('update project_media set is_cover = true')).toBe('42501');
        expect(await covers()).toEqual([]);
        for (const [actor, media] of [
          [admin, one.id],
          [theService, two.id],
          [staleAdmin, one.id],
        ] as const) {
          await as(actor).rows(COVER, [ids.published, media]);
          expect(await covers()).toEqual([media]);
        }
        expect(await as(admin).refusal(COVER, [ids.archived, one.id])).toBe('PT404');
        expect(await covers()).toEqual([one.id]);
        await as(admin).rows(COVER, [ids.published, null]);
        expect(await covers()).toEqual([]);
      }));

    it('reject malformed credits, and compute the share in the database', () =>
      stage.play(async ({ as, server }) => {
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
          expect(await as(creator).refusal(CREDIT, [ids.draft, JSON.stringify(wrong)]), JSON.stringify(wrong)).toBe(
            'PT422',
          );
        const said = 'insert into case_study_metadata (project_id, hand_share) values ($1, 100)';
        expect(await as(creator).refusal(said, [ids.draft])).toBe('42501');
        await as(creator).write(CREDIT, [ids.draft, '[]']);
        expect(
          await as(theService).write('update case_study_metadata set hand_share = 100 where project_id = $1', [
            ids.draft,
          ]),
        ).toBe(1);
        const { rows } = await server.query('select hand_share from public.case_study_metadata where project_id = $1', [
          ids.draft,
        ]);
        expect(rows).toEqual([{ hand_share: null }]);
      }));

    it('are restored with a version, and removed by a version without credits', () =>
      stage.play(async ({ as, server }) => {
        const latest = async () =>
          (
            await server.query<{ number: number }>(
              'select max(number) as number from public.project_versions where project_id = $1',
              [ids.published],
            )
          ).rows[0]!.number;
        const publicState = async () =>
          (
            await server.query(
              `select (select credits from public.case_study_metadata where project_id = $1) as credits,
                 (select array_agg(alt) from public.project_media where project_id = $1 and alt is not null) as alt`,
              [ids.published],
            )
          ).rows[0];
        // Ages the version, because a scene is one transaction, which makes one version.
        const later = () =>
          server.query(`update public.project_versions set at = at - interval '1 day', transaction = '1'`);
        await later();
        await as(theService).write(PICTURE, [ids.published]);
        await as(theService).write(CREDIT, [ids.published, CREDITS]);
        const full = await latest();
        await later();
        await server.query(
          `update public.project_versions set content = content - 'credits' where project_id = $1 and number = 1`,
          [ids.published],
        );
        const restore = 'select restore_project_version($1, $2, $3)';
        await as(admin).rows(restore, [ids.published, 1, full]);
        expect(await publicState()).toEqual({ credits: [], alt: null });
        await later();
        await as(admin).rows(restore, [ids.published, full, await latest()]);
        expect(await publicState()).toEqual({ credits: JSON.parse(CREDITS), alt: ['A heron'] });
      }));
  });

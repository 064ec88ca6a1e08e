import { describe, expect, it } from 'vitest';
import { answer } from './review-acts.ts';
import {
  type Actor,
  admin,
  creator,
  guest,
  holding,
  ids,
  newSecret,
  otherUser,
  type Scene,
  type Stage,
  secretOf,
  submitter,
  theService,
} from './stage.ts';

const CREATE =
  'select create_case_study(title => $1, description => $2, client => $3, status => $4, submitter_id => $5) as answer';
const SAVE = `select save_case_study_metadata(p_id => $1, p_understanding => '<p>U</p>', p_actions => '<p>A</p>', p_impact => '<p>I</p>')`;
const ADD_MEDIA = `insert into project_media (id, project_id, type, url, title, description, "order")
  values (gen_random_uuid(), $1, 'image', 'https://pictures.example/a.png', 'A', null, 1)`;
const WRITE_TEXTS = `insert into case_study_metadata (project_id, brief, category, tags) values ($1, '<p>B</p>', 'ai', '{one,two}')
  on conflict (project_id) do update set brief = excluded.brief, category = excluded.category, tags = excluded.tags`;

export const submission = (stage: Stage) =>
  describe('submission', () => {
    const create = async ({ as }: Scene, actor: Actor, status = 'draft', submitterId: string = ids.nil) =>
      (await as(actor).call(CREATE, ['New', '<p>Brief</p>', 'Client', status, submitterId])).answer as string;
    const project = async ({ server }: Scene, id: string) =>
      (
        await server.query(
          `select status, created_by, submitted_at is not null as complete from public.projects where id = $1`,
          [id],
        )
      ).rows[0];

    describe('first step', () => {
      it('returns the id of a draft in the caller’s own name, whatever the request claims (DATA-09, SUBMIT-41, SUBMIT-42)', () =>
        stage.play(async (scene) => {
          for (const claimed of [ids.nil, ids.guest, ids.admin, ids.missing]) {
            const byGuest = await create(scene, guest, 'active', claimed);
            expect(await project(scene, byGuest)).toEqual({ status: 'draft', created_by: ids.guest, complete: false });
            const byOtherUser = await create(scene, otherUser, 'completed', claimed);
            expect(await project(scene, byOtherUser)).toEqual({
              status: 'draft',
              created_by: ids.otherUser,
              complete: false,
            });
          }
        }));

      it('accepts any creator from an admin and the service', () =>
        stage.play(async (scene) => {
          for (const actor of [admin, theService])
            expect(await project(scene, await create(scene, actor, 'active', ids.creator))).toMatchObject({
              status: 'active',
              created_by: ids.creator,
            });
          expect(await project(scene, await create(scene, admin, 'draft', ids.missing))).toMatchObject({
            created_by: ids.admin,
          });
        }));

      it('accepts a title alone', () =>
        stage.play(async ({ as }) => {
          expect(await as(guest).rows(`select create_case_study(title => 'Only') is not null as made`)).toEqual([
            { made: true },
          ]);
          expect(await as(guest).refusal(`select create_case_study(title => ' ')`)).toBe('23514');
          expect(await as(guest).refusal(`select create_case_study(title => null)`)).toBe('23502');
        }));

      it('returns the same id for the same secret, and creates no duplicate', () =>
        stage.play(async (scene) => {
          for (const actor of [guest, otherUser]) {
            const secret = newSecret();
            const id = await create(scene, holding(secret, actor));
            expect(await create(scene, holding(secret, actor))).toBe(id);
            expect(await create(scene, holding(newSecret(), actor))).not.toBe(id);
          }
          const { rows } = await scene.server.query(`select from public.projects where title = 'New'`);
          expect(rows).toHaveLength(4);
        }));

      it('accepts a new title, brief and client when repeated with its secret, for two hours (D5)', () =>
        stage.play(async (scene) => {
          const again = `select create_case_study(title => 'Newer', description => '<p>Better</p>', client => null) as answer`;
          const storedProject = async (id: string) =>
            (
              await scene.server.query(
                `select title, description, client, brief from public.projects
                 left join public.case_study_metadata on project_id = projects.id where projects.id = $1`,
                [id],
              )
            ).rows[0];
          const first = { title: 'New', description: '<p>Brief</p>', client: 'Client', brief: '<p>Brief</p>' };
          const newer = { title: 'Newer', description: '<p>Better</p>', client: null, brief: '<p>Better</p>' };
          for (const actor of [guest, submitter, creator, otherUser, admin]) {
            const secret = newSecret();
            const id = await create(scene, holding(secret, actor));
            await scene.as(holding(secret, actor)).rows(SAVE, [id]);
            // Another secret creates another draft.
            for (const other of [guest, submitter, creator, otherUser, admin])
              expect((await scene.as(holding(newSecret(), other)).call(again)).answer).not.toBe(id);
            expect(await storedProject(id)).toEqual(first);
            expect((await scene.as(holding(secret, actor)).call(again)).answer).toBe(id);
            expect(await storedProject(id)).toEqual(newer);
            // Repeating the call without changes creates no version.
            const versions = `select count(*)::int as count from public.project_versions where project_id = $1`;
            const { rows: before } = await scene.server.query(versions, [id]);
            await scene.as(holding(secret, actor)).call(again);
            expect((await scene.server.query(versions, [id])).rows).toEqual(before);
          }
          const secret = newSecret();
          const late = await create(scene, holding(secret));
          await scene.server.query(`update public.projects set created_at = now() - interval '3 hours' where id = $1`, [
            late,
          ]);
          expect((await scene.as(holding(secret)).call(again)).answer).toBe(late);
          expect(await storedProject(late)).toMatchObject({ title: 'New', client: 'Client' });
        }));

      it('stores the secret of a plain insert, whose repetition creates no duplicate', () =>
        stage.play(async (scene) => {
          const mine = holding(newSecret());
          const insert = `insert into projects (title, status, created_by) values ('New', 'draft', $1)`;
          await scene.as(mine).write(insert, [ids.nil]);
          const found = await scene.as(mine).rows<{ id: string }>(`select id from projects where status = 'draft'`);
          expect(found).toHaveLength(1);
          expect(await scene.as(mine).refusal(insert, [ids.nil])).toBe('PT409');
          expect(await create(scene, mine)).toBe(found[0]!.id);
        }));

      it('logs who submitted what', () =>
        stage.play(async (scene) => {
          const id = await create(scene, otherUser);
          const { rows } = await scene.server.query(
            'select actor, actor_kind, action from public.audit_log where object = $1',
            [id],
          );
          expect(rows).toEqual([{ actor: ids.otherUser, actor_kind: 'user', action: 'projects.insert' }]);
        }));
    });

    describe('secret', () => {
      it('creates no draft with a malformed secret, which opens nothing (TM-25)', () =>
        stage.play(async (scene) => {
          for (const malformed of [
            'x',
            'null',
            `${secretOf.guestsDraft}, ${secretOf.guestsDraft}`,
            'g'.repeat(44),
            'A'.repeat(64),
          ]) {
            const actor = holding(malformed);
            expect(await scene.as(actor).refusal(CREATE, ['New', null, null, 'draft', ids.nil])).toBe('PT400');
            expect(await scene.as(actor).refusal(`insert into projects (title) values ('New')`)).toBe('PT400');
            expect(await scene.as(actor).rows(`select id from projects where status = 'draft'`)).toEqual([]);
          }
          for (const empty of ['', '  ']) {
            expect(await create(scene, holding(empty))).toBeTruthy();
            expect(await scene.as(holding(empty)).rows(`select id from projects where status = 'draft'`)).toEqual([]);
          }
        }));

      it('is stored only as a hash', () =>
        stage.play(async (scene) => {
          const secret = newSecret();
          await create(scene, holding(secret));
          const { rows } = await scene.server.query<{ all: string }>(
            `select (select json_agg(s)::text from private.draft_secrets s) || (select json_agg(a)::text from public.audit_log a)
             || (select json_agg(p)::text from public.projects p) as all`,
          );
          expect(rows[0]!.all).not.toContain(secret);
          expect(rows[0]!.all).not.toContain(Buffer.from(secret).toString('hex'));
        }));

      it('becomes invalid when the draft is published, and stays so', () =>
        stage.play(async ({ as }) => {
          for (const status of ['active', 'draft'])
            await as(admin).write('update projects set status = $1 where id = $2', [status, ids.guestsDraft]);
          expect(await as(submitter).rows('select id from projects where id = $1', [ids.guestsDraft])).toEqual([]);
          expect(await as(submitter).refusal(ADD_MEDIA, [ids.guestsDraft])).toBe('42501');
        }));

      it('opens nothing once it is revoked or expired', () =>
        stage.play(async ({ as, server }) => {
          for (const end of [`revoked_at = now()`, `revoked_at = null, expires_at = now() - interval '1 second'`]) {
            await server.query(`update private.draft_secrets set ${end}`);
            expect(await as(submitter).rows('select id from projects where id = $1', [ids.guestsDraft])).toEqual([]);
            expect(await as(submitter).refusal(WRITE_TEXTS, [ids.guestsDraft])).toBe('42501');
          }
        }));

      it('reads for weeks and writes for two hours', () =>
        stage.play(async ({ as }) => {
          const late = holding(secretOf.staleDraft);
          expect(await as(late).rows('select title from projects where id = $1', [ids.staleDraft])).toEqual([
            { title: 'Stale draft' },
          ]);
          for (const text of [ADD_MEDIA, WRITE_TEXTS, SAVE])
            expect(await as(late).refusal(text, [ids.staleDraft])).toBe('42501');
        }));
    });

    describe('later steps', () => {
      it('complete only the draft that the secret or the session proves (SUBMIT-43)', () =>
        stage.play(async ({ as }) => {
          const others = [ids.published, ids.archived, ids.draft, ids.otherUsersDraft, ids.staleDraft, ids.missing];
          for (const text of [ADD_MEDIA, WRITE_TEXTS, SAVE]) {
            for (const id of others) expect(await as(submitter).refusal(text, [id])).toBe('42501');
            for (const id of [...others, ids.guestsDraft]) expect(await as(guest).refusal(text, [id])).toBe('42501');
            for (const id of [ids.draft, ids.guestsDraft, ids.published])
              expect(await as(otherUser).refusal(text, [id])).toBe('42501');
            expect(await as(creator).refusal(text, [ids.published])).toBe('42501');

            await as(submitter).write(text, [ids.guestsDraft]);
            await as(creator).write(text, [ids.draft]);
            await as(otherUser).write(text, [ids.otherUsersDraft]);
            await as(admin).write(text, [ids.published]);
            await as(theService).write(text, [ids.published]);
          }
        }));

      it('store three texts and return all of them (DATA-11, DATA-12)', () =>
        stage.play(async ({ as }) => {
          await as(submitter).rows(SAVE, [ids.guestsDraft]);
          const read = 'select understanding, actions, impact, category from get_case_study_metadata(p_id => $1)';
          const texts = [{ understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>', category: 'branding' }];
          expect(await as(submitter).rows(read, [ids.guestsDraft])).toEqual(texts);
          expect(await as(guest).rows(read, [ids.guestsDraft])).toEqual([]);
          expect(await as(guest).rows(read, [ids.missing])).toEqual([]);
        }));

      it('keep the project’s own texts in sync in both directions (DATA-18, DEC-06)', () =>
        stage.play(async (scene) => {
          const mine = holding(newSecret());
          const id = await create(scene, mine);
          await scene.as(mine).rows(SAVE, [id]);
          expect(
            await scene.as(mine).rows('select brief from case_study_metadata where project_id = $1', [id]),
          ).toEqual([{ brief: '<p>Brief</p>' }]);
          await scene.as(mine).write(WRITE_TEXTS, [id]);
          const both = `select p.description, p.understanding, p.actions, p.impact, m.brief, m.understanding as u, m.actions as a, m.impact as i, category, tags
          from public.projects p join public.case_study_metadata m on m.project_id = p.id where p.id = $1`;
          expect((await scene.server.query(both, [id])).rows).toEqual([
            {
              ...{ description: '<p>B</p>', understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>' },
              ...{
                brief: '<p>B</p>',
                u: '<p>U</p>',
                a: '<p>A</p>',
                i: '<p>I</p>',
                category: 'ai',
                tags: ['one', 'two'],
              },
            },
          ]);
          await scene
            .as(admin)
            .write(`update projects set description = '<p>New brief</p>', impact = null where id = $1`, [id]);
          expect((await scene.server.query(both, [id])).rows[0]).toMatchObject({
            brief: '<p>New brief</p>',
            i: null,
            a: '<p>A</p>',
          });
        }));

      it('mark the draft as complete', () =>
        stage.play(async (scene) => {
          const mine = holding(newSecret());
          const id = await create(scene, mine);
          await scene.as(mine).write(ADD_MEDIA, [id]);
          expect(await project(scene, id)).toMatchObject({ complete: false });
          await scene.as(mine).rows(SAVE, [id]);
          expect(await project(scene, id)).toMatchObject({ complete: true });
        }));

      it('are optional once an admin has published the draft (D9)', () =>
        stage.play(async (scene) => {
          for (const publish of [
            (id: string) => scene.as(admin).write(`update projects set status = 'completed' where id = $1`, [id]),
            (id: string) => answer(scene, id, 'publish'),
          ]) {
            const id = await create(scene, holding(newSecret()));
            expect(await project(scene, id)).toMatchObject({ status: 'draft', complete: false });
            await publish(id);
            expect(await project(scene, id)).toMatchObject({
              status: expect.not.stringMatching('draft'),
              complete: true,
            });
            await scene.as(admin).write(`update projects set status = 'draft' where id = $1`, [id]);
            expect(await project(scene, id)).toMatchObject({ status: 'draft', complete: true });
          }
        }));

      it('are idempotent: a repeated media id adds nothing', () =>
        stage.play(async ({ as, server }) => {
          const text = `insert into project_media (id, project_id, url) values ('${ids.missing}', $1, 'https://pictures.example/a.png')`;
          expect(await as(submitter).write(text, [ids.guestsDraft])).toBe(1);
          expect(await as(submitter).refusal(text, [ids.guestsDraft])).toBe('23505');
          expect(await as(submitter).write(`${text} on conflict do nothing`, [ids.guestsDraft])).toBe(0);
          expect(
            (await server.query('select from public.project_media where project_id = $1', [ids.guestsDraft])).rows,
          ).toHaveLength(2);
        }));

      it('accept 50 media items and reject the 51st', () =>
        stage.play(async ({ as }) => {
          const many = `insert into project_media (project_id, url) select $1, 'https://pictures.example/' || n from generate_series(1, $2::int) n`;
          expect(await as(submitter).refusal(many, [ids.guestsDraft, 50])).toBe('PT422');
          expect(await as(submitter).write(many, [ids.guestsDraft, 49])).toBe(49);
          expect(await as(submitter).refusal(ADD_MEDIA, [ids.guestsDraft])).toBe('PT422');
          // The owner of another draft cannot see that this one is full.
          expect(await as(otherUser).refusal(ADD_MEDIA, [ids.guestsDraft])).toBe('42501');
        }));

      it('accept six categories or none, and 500 tags of 60 characters (ENT-34)', () =>
        stage.play(async ({ as }) => {
          const write =
            'update case_study_metadata set category = $2, tags = $3 where project_id = $1 returning category';
          for (const category of ['branding', 'video', 'ai', 'social', 'strategy', 'other'])
            expect(await as(submitter).rows(write, [ids.guestsDraft, category, ['a']])).toEqual([{ category }]);
          expect(await as(submitter).rows(write, [ids.guestsDraft, '', []])).toEqual([{ category: null }]);
          for (const [category, tags] of [
            ['unknown', ['a']],
            ['ai', ['x'.repeat(61)]],
            ['ai', [' ']],
            ['ai', Array.from({ length: 501 }, (_, n) => `tag ${n}`)],
          ] as [string, string[]][])
            expect(await as(submitter).refusal(write, [ids.guestsDraft, category, tags])).toBe(
              category === 'unknown' ? '23514' : 'PT422',
            );
          const [kept] = await as(submitter).rows<{ tags: string[] }>(
            'select tags from case_study_metadata where project_id = $1',
            [ids.guestsDraft],
          );
          expect(kept!.tags).toEqual([]);
          const most = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(60, 'é'));
          expect(await as(submitter).rows(write, [ids.guestsDraft, 'ai', most])).toEqual([{ category: 'ai' }]);
        }));
    });
  });

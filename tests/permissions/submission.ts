import { describe, expect } from 'vitest';
import {
  type Actor,
  admin,
  creator,
  guest,
  ids,
  newSecret,
  otherUser,
  secretOf,
  submitter,
  theService,
  withSecret,
} from './actors.ts';
import { answerReview } from './review-acts.ts';
import { onStage, type Scene } from './stage.ts';

const CREATE =
  'select create_case_study(title => $1, description => $2, client => $3, status => $4, submitter_id => $5) as answer';
const SAVE = `select save_case_study_metadata(p_id => $1, p_understanding => '<p>U</p>', p_actions => '<p>A</p>', p_impact => '<p>I</p>')`;
const ADD_MEDIA = `insert into project_media (id, project_id, type, url, title, description, "order")
  values (gen_random_uuid(), $1, 'image', 'https://pictures.example/a.png', 'A', null, 1)`;
const WRITE_TEXTS = `insert into case_study_metadata (project_id, brief, category, tags) values ($1, '<p>B</p>', 'ai', '{one,two}')
  on conflict (project_id) do update set brief = excluded.brief, category = excluded.category, tags = excluded.tags`;

export const submission = onStage('submission', ({ test }) => {
  const create = ({ as }: Scene, actor: Actor, status = 'draft', submitterId: string = ids.nil) =>
    as(actor).answer<string>(CREATE, ['New', '<p>Brief</p>', 'Client', status, submitterId]);
  const project = ({ server }: Scene, id: string) =>
    server.row(`select status, created_by, submitted_at is not null as complete from projects where id = $1`, [id]);

  describe('first step', () => {
    test('returns the id of a draft in the caller’s own name, whatever the request claims (DATA-09, SUBMIT-41, SUBMIT-42)', async (scene) => {
      for (const claimed of [ids.nil, ids.guest, ids.admin, ids.missing]) {
        const byGuest = await create(scene, guest, 'active', claimed);
        expect(await project(scene, byGuest)).toEqual({ status: 'draft', created_by: ids.guest, complete: false });
        const byOtherUser = await create(scene, otherUser, 'completed', claimed);
        const draft = { status: 'draft', created_by: ids.otherUser, complete: false };
        expect(await project(scene, byOtherUser)).toEqual(draft);
      }
    });

    test('accepts any creator from an admin and the service', async (scene) => {
      const created = async (actor: Actor, status: string, creatorId: string) =>
        project(scene, await create(scene, actor, status, creatorId));
      const ofCreator = { status: 'active', created_by: ids.creator };
      for (const actor of [admin, theService])
        expect(await created(actor, 'active', ids.creator)).toMatchObject(ofCreator);
      expect(await created(admin, 'draft', ids.missing)).toMatchObject({ created_by: ids.admin });
    });

    test('accepts a title alone', async ({ as }) => {
      expect(await as(guest).column(`select create_case_study(title => 'Only') is not null as made`)).toEqual([true]);
      await as(guest).refused('23514', `select create_case_study(title => ' ')`);
      await as(guest).refused('23502', `select create_case_study(title => null)`);
    });

    test('returns the same id for the same secret, and creates no duplicate', async ({ scene, server }) => {
      for (const actor of [guest, otherUser]) {
        const secret = newSecret();
        const id = await create(scene, withSecret(secret, actor));
        expect(await create(scene, withSecret(secret, actor))).toBe(id);
        expect(await create(scene, withSecret(newSecret(), actor))).not.toBe(id);
      }
      expect(await server.rows(`select from projects where title = 'New'`)).toHaveLength(4);
    });

    test('accepts a new title, brief and client when repeated with its secret, for two hours or by its account (D5)', async (scene) => {
      const { as, server } = scene;
      const repeat = `select create_case_study(title => 'Newer', description => '<p>Better</p>', client => null) as answer`;
      const STORED = `select title, description, client, brief from projects
        left join case_study_metadata on project_id = projects.id where projects.id = $1`;
      const storedProject = (id: string) => server.row(STORED, [id]);
      const first = { title: 'New', description: '<p>Brief</p>', client: 'Client', brief: '<p>Brief</p>' };
      const newer = { title: 'Newer', description: '<p>Better</p>', client: null, brief: '<p>Better</p>' };
      for (const actor of [guest, submitter, creator, otherUser, admin]) {
        const secret = newSecret();
        const id = await create(scene, withSecret(secret, actor));
        await as(withSecret(secret, actor)).rows(SAVE, [id]);
        for (const other of [guest, submitter, creator, otherUser, admin])
          expect(await as(withSecret(newSecret(), other)).answer(repeat)).not.toBe(id);
        expect(await storedProject(id)).toEqual(first);
        expect(await as(withSecret(secret, actor)).answer(repeat)).toBe(id);
        expect(await storedProject(id)).toEqual(newer);
        // Repeating the call without changes creates no version.
        const versions = `select count(*)::int as count from project_versions where project_id = $1`;
        const before = await server.rows(versions, [id]);
        await as(withSecret(secret, actor)).call(repeat);
        expect(await server.rows(versions, [id])).toEqual(before);
      }
      // The creator's account may change it until it is published; without one, the secret is too old.
      for (const [actor, kept] of [
        [guest, first],
        [creator, newer],
      ] as const) {
        const secret = newSecret();
        const late = await create(scene, withSecret(secret, actor));
        await server.query(`update projects set created_at = now() - interval '3 hours' where id = $1`, [late]);
        expect(await as(withSecret(secret, actor)).answer(repeat)).toBe(late);
        expect(await storedProject(late)).toMatchObject({ title: kept.title, client: kept.client });
      }
    });

    test('stores the secret of a plain insert, whose repetition creates no duplicate', async ({ as, scene }) => {
      const submitterActor = withSecret(newSecret());
      const insert = `insert into projects (title, status, created_by) values ('New', 'draft', $1)`;
      await as(submitterActor).write(insert, [ids.nil]);
      const found = await as(submitterActor).rows<{ id: string }>(`select id from projects where status = 'draft'`);
      expect(found).toHaveLength(1);
      await as(submitterActor).refused('PT409', insert, [ids.nil]);
      expect(await create(scene, submitterActor)).toBe(found[0]!.id);
    });
  });

  describe('secret', () => {
    test('creates no draft with a malformed secret, which opens nothing (TM-25)', async ({ as, scene }) => {
      const twoSecrets = `${secretOf.guestsDraft}, ${secretOf.guestsDraft}`;
      for (const malformed of ['x', 'null', twoSecrets, 'g'.repeat(44), 'A'.repeat(64)]) {
        const actor = withSecret(malformed);
        await as(actor).refused('PT400', CREATE, ['New', null, null, 'draft', ids.nil]);
        await as(actor).refused('PT400', `insert into projects (title) values ('New')`);
        expect(await as(actor).rows(`select id from projects where status = 'draft'`)).toEqual([]);
      }
      for (const empty of ['', '  ']) {
        expect(await create(scene, withSecret(empty))).toBeTruthy();
        expect(await as(withSecret(empty)).rows(`select id from projects where status = 'draft'`)).toEqual([]);
      }
    });

    test('is stored only as a hash', async ({ scene, server }) => {
      const secret = newSecret();
      await create(scene, withSecret(secret));
      const stored =
        await server.value<string>(`select (select json_agg(s)::text from private.draft_secrets s) || (select json_agg(a)::text from audit_log a)
           || (select json_agg(p)::text from projects p) as all`);
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
    });

    test('becomes invalid when the draft is published, and stays so after ten minutes', async ({ as, server }) => {
      for (const status of ['active', 'draft']) {
        await as(admin).write('update projects set status = $1 where id = $2', [status, ids.guestsDraft]);
        await server.query(`update audit_log set at = at - interval '11 minutes'`);
      }
      expect(await as(submitter).rows('select id from projects where id = $1', [ids.guestsDraft])).toEqual([]);
      await as(submitter).refused('42501', ADD_MEDIA, [ids.guestsDraft]);
    });

    test('opens nothing once it is revoked or expired', async ({ as, server }) => {
      for (const end of [`revoked_at = now()`, `revoked_at = null, expires_at = now() - interval '1 second'`]) {
        await server.query(`update private.draft_secrets set ${end}`);
        expect(await as(submitter).rows('select id from projects where id = $1', [ids.guestsDraft])).toEqual([]);
        await as(submitter).refused('42501', WRITE_TEXTS, [ids.guestsDraft]);
      }
    });

    test('reads for weeks and writes for two hours', async ({ as }) => {
      const late = withSecret(secretOf.staleDraft);
      const TITLES = 'select title from projects where id = $1';
      expect(await as(late).rows(TITLES, [ids.staleDraft])).toEqual([{ title: 'Stale draft' }]);
      for (const text of [ADD_MEDIA, WRITE_TEXTS, SAVE]) await as(late).refused('42501', text, [ids.staleDraft]);
    });
  });

  describe('later steps', () => {
    test('store three texts and return all of them (DATA-11, DATA-12)', async ({ as }) => {
      await as(submitter).rows(SAVE, [ids.guestsDraft]);
      const read = 'select understanding, actions, impact, category from get_case_study_metadata(p_id => $1)';
      const texts = [{ understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>', category: 'branding' }];
      expect(await as(submitter).rows(read, [ids.guestsDraft])).toEqual(texts);
      expect(await as(guest).rows(read, [ids.guestsDraft])).toEqual([]);
      expect(await as(guest).rows(read, [ids.missing])).toEqual([]);
    });

    test('keep the project’s own texts in sync in both directions (DATA-18, DEC-06)', async ({ as, scene, server }) => {
      const submitterActor = withSecret(newSecret());
      const id = await create(scene, submitterActor);
      await as(submitterActor).rows(SAVE, [id]);
      const BRIEF = 'select brief from case_study_metadata where project_id = $1';
      expect(await as(submitterActor).rows(BRIEF, [id])).toEqual([{ brief: '<p>Brief</p>' }]);
      await as(submitterActor).write(WRITE_TEXTS, [id]);
      const BOTH_COPIES = `select p.description, p.understanding, p.actions, p.impact, m.brief, m.understanding as u, m.actions as a, m.impact as i, category, tags
        from projects p join case_study_metadata m on m.project_id = p.id where p.id = $1`;
      const ofProject = { description: '<p>B</p>', understanding: '<p>U</p>', actions: '<p>A</p>', impact: '<p>I</p>' };
      const copies = { brief: '<p>B</p>', u: '<p>U</p>', a: '<p>A</p>', i: '<p>I</p>' };
      const all = { ...ofProject, ...copies, category: 'ai', tags: ['one', 'two'] };
      expect(await server.rows(BOTH_COPIES, [id])).toEqual([all]);
      await as(admin).write(`update projects set description = '<p>New brief</p>', impact = null where id = $1`, [id]);
      expect(await server.row(BOTH_COPIES, [id])).toMatchObject({ brief: '<p>New brief</p>', i: null, a: '<p>A</p>' });
    });

    test('mark the draft as complete', async ({ as, scene }) => {
      const submitterActor = withSecret(newSecret());
      const id = await create(scene, submitterActor);
      await as(submitterActor).write(ADD_MEDIA, [id]);
      expect(await project(scene, id)).toMatchObject({ complete: false });
      await as(submitterActor).rows(SAVE, [id]);
      expect(await project(scene, id)).toMatchObject({ complete: true });
    });

    test('are optional once an admin has published the draft (D9)', async ({ as, scene }) => {
      for (const publish of [
        (id: string) => as(admin).write(`update projects set status = 'completed' where id = $1`, [id]),
        (id: string) => answerReview(scene, id, 'publish'),
      ]) {
        const id = await create(scene, withSecret(newSecret()));
        expect(await project(scene, id)).toMatchObject({ status: 'draft', complete: false });
        await publish(id);
        expect(await project(scene, id)).toMatchObject({ status: expect.not.stringMatching('draft'), complete: true });
        await as(admin).write(`update projects set status = 'draft' where id = $1`, [id]);
        expect(await project(scene, id)).toMatchObject({ status: 'draft', complete: true });
      }
    });

    test('are idempotent: a repeated media id adds nothing', async ({ as, server }) => {
      const text = `insert into project_media (id, project_id, url) values ('${ids.missing}', $1, 'https://pictures.example/a.png')`;
      expect(await as(submitter).write(text, [ids.guestsDraft])).toBe(1);
      await as(submitter).refused('23505', text, [ids.guestsDraft]);
      expect(await as(submitter).write(`${text} on conflict do nothing`, [ids.guestsDraft])).toBe(0);
      expect(await server.rows('select from project_media where project_id = $1', [ids.guestsDraft])).toHaveLength(2);
    });

    test('accept 50 media items and reject the 51st', async ({ as }) => {
      const INSERT_MEDIA = `insert into project_media (project_id, url) select $1, 'https://pictures.example/' || n from generate_series(1, $2::int) n`;
      await as(submitter).refused('PT422', INSERT_MEDIA, [ids.guestsDraft, 50]);
      expect(await as(submitter).write(INSERT_MEDIA, [ids.guestsDraft, 49])).toBe(49);
      await as(submitter).refused('PT422', ADD_MEDIA, [ids.guestsDraft]);
      // The owner of another draft cannot see that this one is full.
      await as(otherUser).refused('42501', ADD_MEDIA, [ids.guestsDraft]);
    });

    test('accept six categories or none, and 500 tags of 60 characters (ENT-34)', async ({ as }) => {
      const write = 'update case_study_metadata set category = $2, tags = $3 where project_id = $1 returning category';
      for (const category of ['branding', 'video', 'ai', 'social', 'strategy', 'other'])
        expect(await as(submitter).rows(write, [ids.guestsDraft, category, ['a']])).toEqual([{ category }]);
      expect(await as(submitter).rows(write, [ids.guestsDraft, '', []])).toEqual([{ category: null }]);
      await as(submitter).refused('23514', write, [ids.guestsDraft, 'unknown', ['a']]);
      const tooMany = Array.from({ length: 501 }, (_, n) => `tag ${n}`);
      for (const tags of [['x'.repeat(61)], [' '], tooMany])
        await as(submitter).refused('PT422', write, [ids.guestsDraft, 'ai', tags]);
      const TAGS = 'select tags from case_study_metadata where project_id = $1';
      expect(await as(submitter).value(TAGS, [ids.guestsDraft])).toEqual([]);
      const maxTags = Array.from({ length: 500 }, (_, n) => `${n}`.padStart(60, 'é'));
      expect(await as(submitter).rows(write, [ids.guestsDraft, 'ai', maxTags])).toEqual([{ category: 'ai' }]);
    });
  });
});

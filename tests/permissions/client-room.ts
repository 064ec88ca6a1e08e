import { expect, it } from 'vitest';
import {
  type Actor,
  admin,
  creator,
  guest,
  holderOf,
  ids,
  newSecret,
  otherUser,
  submitter,
  theService,
  withSecret,
} from './actors.ts';
import { logged, mediaOf, onStage, type Scene, type Stage } from './stage.ts';

const ADD = 'select comment_on_draft($1, $2, $3, $4, $5)';
const RESOLVE = 'select resolve_draft_comment($1, $2)';
const APPROVE = 'select approve_draft($1, $2)';
const DELETE = 'select delete_draft_comment($1)';
const RESTORE = 'select restore_draft_comments(array[$1]::uuid[]) as answer';
const MAKE = `select make_draft_link($1, $2, now() + interval '7 days') as answer`;
const REVOKE = 'select revoke_draft_link($1)';
const ROWS = `select body, parent is not null as answers, by_team, resolved_at is not null as resolved from draft_comments order by created_at`;
const TRASHED = `select count(*)::int as n from private.trash where table_name = 'draft_comments'`;

interface Room {
  version: string;
  approves: boolean;
  comments: { id: string; body: string; place: string; parent: string | null; client: string; author: string | null }[];
  approvals: { client: string; current: boolean }[];
}

export const clientRoom = onStage('client room', ({ test }) => {
  const draft = ids.guestsDraft;
  const link = async ({ as }: Scene, name = 'Ravi', project: string = draft) => {
    const made = await as(admin).answer<{ id: string; secret: string }>(MAKE, [project, name]);
    return { id: made.id, holder: withSecret(made.secret) };
  };
  const room = ({ as }: Scene, actor: Actor, project: string = draft) =>
    as(actor).answer<Room | null>('select draft_room($1) as answer', [project]);
  const add = async (
    { as }: Scene,
    actor: Actor,
    body: string,
    { project = draft, place = 'whole', parent = null as string | null, id = crypto.randomUUID() as string } = {},
  ) => {
    await as(actor).call(ADD, [project, body, place, parent, id]);
    return id;
  };
  const bodies = (found: Room | null) => found?.comments.map(({ body }) => body);
  const trashed = ({ server }: Scene) => server.value<number>(TRASHED);

  test('is closed to everyone without a link to this draft that works', async ({ as, scene, server }) => {
    const { holder } = await link(scene);
    const comment = await add(scene, holder, 'Ours');
    const { version } = (await room(scene, holder))!;
    const expired = await link(scene, 'Expired');
    await server.query(`update private.draft_secrets set expires_at = now() where id = $1`, [expired.id]);
    const revoked = await link(scene, 'Revoked');
    await as(admin).call(REVOKE, [revoked.id]);
    const ofAnotherDraft = holderOf('staleDraft', creator);
    for (const actor of [
      ...[guest, otherUser, creator, theService, expired.holder, revoked.holder],
      ...[withSecret(newSecret()), withSecret('nonsense'), ofAnotherDraft],
    ]) {
      for (const [text, values] of [
        [ADD, [draft, 'x', 'whole', null, crypto.randomUUID()]],
        [ADD, [draft, 'x', 'whole', comment, crypto.randomUUID()]],
        [RESOLVE, [comment, true]],
        [APPROVE, [draft, version]],
        [DELETE, [comment]],
        [RESTORE, [comment]],
      ] as const)
        await as(actor).refused('42501', text, values);
      await as(actor).refused(actor === ofAnotherDraft ? 'PT404' : '42501', RESOLVE, [ids.missing, true]);
      if (actor === theService) await as(actor).refused('42501', 'select draft_room($1)', [draft]);
      else expect(await room(scene, actor)).toBeNull();
      if (actor.caller.role === 'authenticated') expect(await as(actor).rows(ROWS)).toEqual([]);
      else await as(actor).refused('42501', ROWS);
    }
    await as(holder).refused('42501', DELETE, [comment]);
    await as(holder).refused('42501', RESTORE, [comment]);
    expect(bodies(await room(scene, admin))).toEqual(['Ours']);
  });

  test('shows each link its own threads, and the team all of them, which it answers and resolves', async (scene) => {
    const { as, server } = scene;
    const picture = await mediaOf(server, draft);
    const [ravi, asha] = [(await link(scene)).holder, (await link(scene, 'Asha')).holder];
    const ofRavi = await add(scene, ravi, ' Warmer?\r\n ', { place: picture });
    await add(scene, asha, 'Shorter');
    await add(scene, submitter, 'Mine', { place: 'impact' });
    await as(asha).refused('PT404', ADD, [draft, 'x', 'whole', ofRavi, crypto.randomUUID()]);
    await as(asha).refused('PT404', RESOLVE, [ofRavi, true]);
    const answer = await add(scene, admin, 'We try it.', { parent: ofRavi });
    await as(ravi).refused('PT404', ADD, [draft, 'x', 'whole', answer, crypto.randomUUID()]);
    await as(admin).refused('42501', ADD, [draft, 'x', 'whole', null, crypto.randomUUID()]);
    await as(admin).call(RESOLVE, [ofRavi, true]);
    expect(bodies(await room(scene, ravi))).toEqual(['Warmer?', 'We try it.']);
    const question = { client: 'Ravi', author: null, place: picture };
    const comments = [question, { ...question, author: 'Admin', parent: ofRavi }];
    expect((await room(scene, ravi))!.comments).toMatchObject(comments);
    expect(bodies(await room(scene, asha))).toEqual(['Shorter']);
    expect(bodies(await room(scene, admin))).toEqual(['Warmer?', 'Shorter', 'Mine', 'We try it.']);
    await as(ravi).call(RESOLVE, [ofRavi, false]);
    await as(ravi).call(RESOLVE, [ofRavi, true]);
    const opens = () =>
      as(admin).value<number>('select open_comments(projects) as n from projects where id = $1', [draft]);
    expect(await opens()).toBe(2);
    await add(scene, ravi, 'Not yet.', { parent: ofRavi });
    expect(await opens()).toBe(3);
    const waiting = async (actor: Actor) =>
      (await as(actor).answer<{ comments: object[] }>('select admin_overview() as answer')).comments;
    expect(await waiting(admin)).toEqual([{ id: draft, title: "Guest's draft", open: 3, submission: true }]);
    expect(await logged(server, 'draft_comments.%', `split_part(action, '.', 2), actor_kind`)).toEqual([
      ...['add guest', 'add guest', 'add guest', 'add admin'],
      ...['resolve admin', 'reopen guest', 'resolve guest', 'add guest'],
    ]);
  });

  test('approves the version that was read, with a link for reading; a change makes it an earlier one', async (scene) => {
    const { as, server } = scene;
    const { holder } = await link(scene);
    const { version, approves } = (await room(scene, holder))!;
    expect(approves).toBe(true);
    expect((await room(scene, submitter))!.approves).toBe(false);
    for (const actor of [submitter, admin]) await as(actor).refused('42501', APPROVE, [draft, version]);
    await server.query('update project_media set alt = $2 where project_id = $1', [draft, 'A lamp']);
    await as(holder).refused('PT409', APPROVE, [draft, version]);
    const approve = async () => as(holder).call(APPROVE, [draft, (await room(scene, holder))!.version]);
    await approve();
    await approve();
    expect((await room(scene, admin))!.approvals).toMatchObject([{ client: 'Ravi', current: true }]);
    await server.query(`update projects set title = 'Other' where id = $1`, [draft]);
    expect((await room(scene, holder))!.approvals).toMatchObject([{ current: false }]);
    await approve();
    expect((await room(scene, holder))!.approvals).toMatchObject([{ current: true }]);
    for (let times = 0; times < 2; times++) await as(holder).call(APPROVE, [draft, null]);
    expect((await room(scene, admin))!.approvals).toEqual([]);
    const log = await logged(server, 'draft_comments.%', `split_part(action, '.', 2)`);
    expect(log).toEqual(['approve', 'approve', 'withdraw']);
  });

  test('has at most 500 comments of a link, answers among them', async (scene) => {
    const { holder, id } = await link(scene);
    const first = await add(scene, holder, 'First');
    const FILL = `insert into draft_comments (project_id, link_id, client, place, body) select $1, $2, 'Ravi', 'whole', 'x' from generate_series(2, 500)`;
    await scene.server.query(FILL, [draft, id]);
    for (const to of [null, first])
      await scene.as(holder).refused('PT422', ADD, [draft, 'x', 'whole', to, crypto.randomUUID()]);
    await scene.as(admin).refused('PT422', ADD, [draft, 'x', 'whole', first, crypto.randomUUID()]);
  });

  test('refuses texts that are empty or too long, parts that are gone, and a flood; a repeated call adds nothing', async (scene) => {
    const { as, server } = scene;
    const { holder } = await link(scene);
    const refusal = (body: string, place = 'whole') =>
      as(holder).refusal(ADD, [draft, body, place, null, crypto.randomUUID()]);
    for (const body of ['', ' \n', 'x'.repeat(5001)]) expect(await refusal(body)).toBe('23514');
    for (const place of ['title', ids.missing, '']) expect(await refusal('x', place)).toBe('PT422');
    await as(holder).refused('PT404', RESOLVE, [ids.missing, true]);
    const same = { id: await add(scene, holder, 'Once') };
    await add(scene, holder, 'Once', same);
    expect(bodies(await room(scene, holder))).toEqual(['Once']);
    for (let count = 2; count <= 20; count++) await add(scene, holder, `${count}`);
    for (const [text, values] of [
      [ADD, [draft, 'x', 'whole', null, crypto.randomUUID()]],
      [RESOLVE, [same.id, true]],
      [APPROVE, [draft, (await room(scene, holder))!.version]],
    ] as const)
      await as(holder).refused('PGRST', text, values);
    const other = (await link(scene, 'Asha')).holder;
    await add(scene, other, 'Not limited');
    await server.query(`update audit_log set at = at - interval '11 minutes' where action = 'draft_comments.add'`);
    await add(scene, holder, 'Later');
  });

  test('goes to the trash when its link ends, and comes back for the team, or when that is undone', async (scene) => {
    const { as, server } = scene;
    const { holder, id } = await link(scene);
    const other = (await link(scene, 'Asha')).holder;
    await add(scene, other, 'Stays');
    const comment = await add(scene, holder, 'Goes');
    await add(scene, admin, 'With it', { parent: comment });
    await as(holder).call(APPROVE, [draft, (await room(scene, holder))!.version]);
    await as(admin).call(REVOKE, [id]);
    expect(await room(scene, holder)).toBeNull();
    expect(await trashed(scene)).toBe(3);
    expect(bodies(await room(scene, admin))).toEqual(['Stays']);
    const { answer } = await as(admin).call(`select list_trash(kind => 'comment') as answer`);
    const row = { kind: 'comment', id: comment, title: 'Goes', client: 'Ravi', project: { id: draft } };
    expect(answer).toMatchObject({ total: 1, rows: [row] });
    expect(await as(admin).answer(RESTORE, [comment])).toBe(1);
    expect(await as(admin).answer(RESTORE, [comment])).toBe(0);
    expect(bodies(await room(scene, admin))).toEqual(['Stays', 'Goes', 'With it']);
    expect(await room(scene, holder)).toBeNull();
    await as(admin).write(`update projects set status = 'active' where id = $1`, [draft]);
    expect(bodies(await room(scene, admin))).toEqual(['Goes', 'With it']);
    expect(await room(scene, other)).toBeNull();
    await server.query(`update private.draft_secrets set revoked_at = now() - interval '1 minute' where name = 'Ravi'`);
    await as(admin).write(`update projects set status = 'draft' where id = $1`, [draft]);
    expect(bodies(await room(scene, other))).toEqual(['Stays']);
    expect(await room(scene, holder)).toBeNull();
  });

  test('is deleted and restored with its answers, and with the project', async ({ as, scene, server }) => {
    const { holder } = await link(scene);
    const comment = await add(scene, holder, 'First');
    const answer = await add(scene, admin, 'Second', { parent: comment });
    const before = await as(admin).rows(ROWS);
    await as(admin).call(DELETE, [answer]);
    await server.query(`update private.trash set deleted_at = deleted_at - interval '1 minute'`);
    await as(admin).call(DELETE, [comment]);
    expect(await as(admin).answer(RESTORE, [answer])).toBe(0);
    for (const one of [comment, answer]) expect(await as(admin).answer(RESTORE, [one])).toBe(1);
    await as(admin).call(DELETE, [comment]);
    await as(admin).refused('PT404', DELETE, [comment]);
    expect(await as(admin).answer(RESTORE, [comment])).toBe(1);
    expect(await as(admin).rows(ROWS)).toEqual(before);
    await as(admin).write('delete from projects where id = $1', [draft]);
    expect(await as(admin).rows(ROWS)).toEqual([]);
    await as(admin).call('select restore_from_trash(projects => array[$1::uuid])', [draft]);
    expect(await as(admin).rows(ROWS)).toEqual(before);
    expect(bodies(await room(scene, holder))).toEqual(['First', 'Second']);
  });

  test('of a published project opens with a link to its revision, and ends with it', async ({ as, scene, server }) => {
    const project = ids.published;
    const REVISE = `insert into planned_changes (kind, project_id, fields, base) values ('publish', $1, '{"title": "New"}', '{"title": "Published"}')`;
    await server.query(REVISE, [project]);
    const { holder } = await link(scene, 'Ravi', project);
    await add(scene, holder, 'Bigger', { project });
    const picture = 'c0c0c0c0-0000-4000-8000-000000000001';
    const onPicture = () => as(holder).rows(ADD, [project, 'Brighter', picture, null, crypto.randomUUID()]);
    const staged = JSON.stringify({ media: [{ id: picture, type: 'image', url: 'https://pictures.example/x.png' }] });
    await server.query(`update planned_changes set fields = fields || $1::text::jsonb`, [staged]);
    await onPicture();
    await server.query(`update planned_changes set fields = fields - 'media'`);
    await expect(onPicture()).rejects.toMatchObject({ code: 'PT422' });
    const { version } = (await room(scene, holder, project))!;
    await server.query(`update planned_changes set fields = '{"title": "Newer"}'`);
    await as(holder).refused('PT409', APPROVE, [project, version]);
    expect(bodies(await room(scene, admin, project))).toEqual(['Bigger', 'Brighter']);
    const seen = await server.value<string>('select updated_at::text as at from planned_changes');
    await as(admin).call('select publish_revision($1, $2::text::timestamptz)', [project, seen]);
    expect(await room(scene, holder, project)).toBeNull();
    expect([await trashed(scene), bodies(await room(scene, admin, project))]).toEqual([2, []]);
  });
});

export const clientRoomRaces = (stage: Stage) =>
  it('a comment that races with the revocation of its link does not outlive it', async () => {
    const { db } = stage;
    for (let times = 0; times < 3; times++) {
      const secret = newSecret();
      const RACING = `with fresh as (insert into public.projects (title) values ('Racing') returning id)
        insert into private.draft_secrets (hash, project_id, for_reading)
        select sha256(convert_to($1, 'UTF8')), id, true from fresh returning id, project_id`;
      const { rows } = await db.query<{ id: string; project_id: string }>(RACING, [secret]);
      const { id, project_id } = rows[0]!;
      const comment = { actor: withSecret(secret), text: `select comment_on_draft($1, 'Late')`, values: [project_id] };
      const revoke = { text: 'update private.draft_secrets set revoked_at = now() where id = $1', values: [id] };
      const results = await stage.race([comment, revoke, comment]);
      expect(results[1]).toMatchObject({ status: 'fulfilled' });
      const left = await db.query('select from public.draft_comments where link_id = $1', [id]);
      expect(left.rows).toEqual([]);
      await db.query('delete from public.projects where id = $1', [project_id]);
    }
  });

import { expect, it } from 'vitest';
import { type Actor, admin, creator, ids, otherUser, userActor } from './actors.ts';
import { GRANT, onStage, type Scene, type Stage } from './stage.ts';

const DATA = 'select own_data() as answer';
const DELETE = `select delete_account('DELETE') as answer`;
const SESSION = '5e550000-0000-4000-8000-000000000001';
const within = ({ caller }: Actor, aal = 'aal1'): Actor => ({
  caller: { ...caller, sessionId: SESSION, claims: { ...caller.claims, session_id: SESSION, aal } },
});
const SIGN_IN = `insert into auth.sessions (id, user_id, aal, created_at) values ('${SESSION}', $1, $2::auth.aal_level, now() - $3::interval)`;
const signIn = ({ server }: Scene, user: string, ago = '0 minutes', aal = 'aal1') =>
  server.query(SIGN_IN, [user, aal, ago]);
const terry = within(otherUser);

export const ownAccounts = onStage('own accounts', ({ test }) => {
  test('need a sign-in of the last ten minutes', async ({ as, scene }) => {
    for (const text of [DATA, DELETE])
      expect(await as(otherUser).call(text)).toMatchObject({ answer: { code: 'PT403' }, status: '403' });
    await signIn(scene, ids.otherUser, '11 minutes');
    for (const text of [DATA, DELETE]) expect(await as(terry).answer(text)).toMatchObject({ code: 'PT403' });
    for (const text of [DATA, DELETE]) expect(await as(within(creator)).answer(text)).toMatchObject({ code: 'PT403' });
  });

  test('need the second factor of a user who has one, and limit attempts', async ({ as, scene, server }) => {
    const ADD_FACTOR = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
      values (gen_random_uuid(), $1, 'totp', 'verified', 'KEY OF TERRY', now(), now())`;
    await server.query(ADD_FACTOR, [ids.otherUser]);
    await signIn(scene, ids.otherUser);
    for (const text of [DATA, DELETE]) expect(await as(terry).answer(text)).toMatchObject({ code: 'PT403' });
    await server.query(`update auth.sessions set aal = 'aal2' where id = '${SESSION}'`);
    const proven = within(otherUser, 'aal2');
    const { answer } = await as(proven).call(DATA);
    expect(answer).toMatchObject({ second_factors: [{ kind: 'totp' }] });
    expect(JSON.stringify(answer)).not.toContain('KEY OF TERRY');
    for (let time = 2; time < 10; time++) await as(proven).call(DATA);
    expect(await as(proven).answer(DATA)).toMatchObject({ code: 'PT429' });
  });

  test('give users their own data, and nothing of other people', async ({ scene, server }) => {
    await signIn(scene, ids.creator);
    for (const text of [
      `update auth.users set encrypted_password = 'HASH' where id = '${ids.creator}'`,
      `insert into review_steps (project_id, kind, words, given_by, mail_to) values
          ('${ids.draft}', 'declined', 'Not for us.', '${ids.admin}', 'creator@example.com'),
          ('${ids.otherUsersDraft}', 'declined', 'ANSWER TO TERRY', null, null)`,
      `insert into review_notes (project_id, author, body) values
          ('${ids.draft}', '${ids.admin}', 'PRIVATE NOTE'), ('${ids.otherUsersDraft}', '${ids.creator}', 'My note')`,
      `insert into private.draft_secrets (hash, id, project_id, for_reading) values
          ('mine', '${SESSION}', '${ids.draft}', false), ('client', '${ids.otherUser}', '${ids.draft}', true)`,
      `insert into draft_comments (project_id, link_id, client, body, by_team, author) values
          ('${ids.draft}', '${SESSION}', 'x', 'By my link', false, null),
          ('${ids.draft}', '${SESSION}', 'x', 'PRIVATE ANSWER', true, '${ids.admin}'),
          ('${ids.draft}', '${ids.otherUser}', 'x', 'PRIVATE COMMENT', false, null),
          ('${ids.draft}', '${ids.otherUser}', 'x', 'My answer', true, '${ids.creator}')`,
      `insert into contact_messages (name, email, message) values
          ('C', 'Creator@example.com', 'My message'), ('T', 'terry@example.com', 'MESSAGE OF TERRY')`,
      `insert into split_sheets (id, project_id, plan) values ('${SESSION}', '${ids.draft}', '{}')`,
      `insert into split_statements (sheet_id, number, name, user_id, project_title, currency, amount, payments, terms, issued_at)
         values ('${SESSION}', '1-1', 'C', '${ids.creator}', 'x', 'INR', 1, '[]', 'x', now()),
           ('${SESSION}', '1-2', 'STATEMENT OF TERRY', '${ids.otherUser}', 'x', 'INR', 1, '[]', 'x', now())`,
    ])
      await server.query(text);
    await scene.as(admin).write(`update projects set client = 'x' where id = $1`, [ids.draft]);
    const { answer } = await scene.as(within(creator)).call(DATA);
    expect(answer).toMatchObject({
      account: { email: 'creator@example.com' },
      sessions: [{ level: 'aal1' }],
      statements: [{ number: '1-1', shares: [], instalments: null }],
      answers: [{ words: 'Not for us.' }],
      notes: [{ body: 'My note' }],
      comments: [{ body: 'By my link' }, { body: 'My answer' }],
      messages: [{ message: 'My message' }],
      log: [{ action: 'account.download' }],
    });
    expect(JSON.stringify(answer)).not.toMatch(/TERRY|terry@|PRIVATE|HASH|admin@example|a1a1a1a1/);
    await server.query(`update auth.users set email_confirmed_at = null where id = '${ids.creator}'`);
    expect(await scene.as(within(creator)).answer(DATA)).toMatchObject({ messages: [] });
  });

  test('are deleted with their sessions; drafts go to the trash, the published and statements stay without them', async (scene) => {
    const { as, server } = scene;
    await signIn(scene, ids.creator);
    const me = as(within(creator));
    for (const typed of [`''`, `'delete'`, 'null']) await me.refused('PT422', `select delete_account(${typed})`);
    await server.query(`insert into projects (title, created_by) values ('A second draft', '${ids.creator}')`);
    expect(await me.answer(DELETE)).toEqual({ deleted: true });
    const LEFT = `select (select count(*)::int from auth.users where id = $1) + (select count(*)::int from auth.sessions where user_id = $1)
        + (select count(*)::int from profiles where user_id = $1) as left,
      (select jsonb_object_agg(title, created_by) from projects where title in ('Published', 'Archived', 'Draft')) as projects,
      (select count(*)::int from private.trash where table_name = 'projects') as trashed,
      (select jsonb_agg(email) from private.farewell_mails) as mails,
      (select reason from audit_log where action = 'account.delete' and actor = $1) as reason`;
    const left = await server.row(LEFT, [ids.creator]);
    const projects = { Published: ids.guest, Archived: ids.guest };
    const reason = '2 drafts in the trash, 0 statements kept';
    expect(left).toEqual({ left: 0, projects, trashed: 2, mails: ['creator@example.com'], reason });
    expect(await me.answer(DELETE)).toMatchObject({ code: 'PT403' });
    await as(admin).rows('select restore_from_trash(projects => $1)', [[ids.draft]]);
    expect(await as(admin).column('select created_by from projects where id = $1', [ids.draft])).toEqual([ids.guest]);
  });

  test('of the team leave their drafts to the agency, and the last admin stays', async ({ as, scene, server }) => {
    await as(admin).refused('PT409', DELETE);
    await signIn(scene, ids.creator);
    await server.query(GRANT, [ids.creator, 'admin']);
    expect(await as(within(creator)).answer(DELETE)).toEqual({ deleted: true });
    expect(await server.column('select created_by from projects where id = $1', [ids.draft])).toEqual([ids.guest]);
    await as(admin).refused('PT409', DELETE);
  });
});

export const accountRaces = (stage: Stage) =>
  it('an account is deleted once by two concurrent calls', async () => {
    const ADD_USER = `insert into auth.users (id, email, email_confirmed_at) values ('${SESSION}', 'leaving@example.com', now());
      insert into auth.sessions (id, user_id, created_at) values ('${SESSION}', '${SESSION}', now())`;
    await stage.db.script(ADD_USER);
    const rival = { actor: userActor(SESSION, SESSION), text: DELETE };
    const outcomes = await stage.race([rival, rival]);
    const answers = outcomes.map((outcome) => (outcome as PromiseFulfilledResult<object>).value);
    expect(answers).toEqual(expect.arrayContaining([{ deleted: true }, expect.objectContaining({ code: 'PT403' })]));
    const MAILS = 'select from private.farewell_mails where email = $1';
    expect(await stage.server.rows(MAILS, ['leaving@example.com'])).toHaveLength(1);
  });

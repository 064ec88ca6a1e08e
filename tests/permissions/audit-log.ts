import { expect } from 'vitest';
import { admin, guest, ids, theService } from './actors.ts';
import { onStage, type Scene } from './stage.ts';

interface Line {
  id: string;
  at: string;
  action: string;
  outcome: string;
  reason: string | null;
  address: string | null;
  actor_kind: string;
  actor: { id: string; name: string | null } | null;
  things: { id: string; kind: string; name: string; of: string | null }[];
}
interface Answer {
  rows: Line[];
  next: object | null;
  searched: string | null;
}

export const auditLog = onStage('reading the audit log', ({ test }) => {
  const read = ({ as }: Scene, filters = '', values: (string | object)[] = []) =>
    as(admin).answer<Answer>(`select read_log(${filters}) as answer`, values as string[]);
  const entry = (action: string, outcome: string, actor: string, minutes: number) =>
    `insert into auth.audit_log_entries (payload, created_at, ip_address)
     values (json_build_object('action', '${action}', 'outcome', '${outcome}', 'actor_id', '${actor}', 'reason', 'wrong password',
       'token', 'hush', 'traits', json_build_object('secret', 'hush')), now() - interval '${minutes} minutes', '192.0.2.7')`;
  const line = (action: string, actor: string, object: string | null, minutes: number, outcome = 'done') =>
    `insert into audit_log (at, actor, actor_kind, action, object, outcome, address)
     values (now() - interval '${minutes} minutes', '${actor}', 'admin', '${action}', ${object ? `'${object}'` : 'null'}, '${outcome}', '192.0.2.8')`;
  const written = async ({ server }: Scene) => {
    await server.query('delete from audit_log');
    await server.query('delete from auth.audit_log_entries');
    await server.query(line('projects.publish', ids.admin, ids.published, 1));
    await server.query(entry('login', 'refused', ids.otherUser, 2));
    await server.query(line('user_roles.insert', ids.admin, ids.creator, 3));
    await server.query(entry('login', 'success', ids.admin, 4));
    await server.query(line('projects.delete', ids.creator, ids.missing, 5, 'refused'));
  };

  test('merges both logs, newest first, with the names of existing objects and no secrets', async (scene) => {
    await written(scene);
    const { rows, next } = await read(scene);
    expect(rows.map(({ action, outcome, actor }) => [action, outcome, actor?.name])).toEqual([
      ['projects.publish', 'done', 'admin@example.com'],
      ['identity.login', 'refused', 'terry@example.com'],
      ['user_roles.insert', 'done', 'admin@example.com'],
      ['identity.login', 'done', 'admin@example.com'],
      ['projects.delete', 'refused', 'creator@example.com'],
    ]);
    expect(next).toBeNull();
    const things = rows.map((row) => row.things.map(({ kind, name }) => `${kind} ${name}`));
    expect(things).toEqual([['project Published'], [], ['person creator@example.com'], [], []]);
    expect(rows[1]).toMatchObject({ address: '192.0.2.7', reason: 'wrong password' });
    expect(JSON.stringify(rows)).not.toContain('hush');
  });

  test('names the kind of an actor without an account (PERM-14)', async ({ scene, server }) => {
    await server.query('delete from audit_log');
    await server.query('delete from auth.audit_log_entries');
    const INSERT = `insert into auth.audit_log_entries (payload, created_at)
      select payload, now() - make_interval(secs => place) from json_array_elements($1::json) with ordinality as given (payload, place)`;
    const entries = [
      { action: 'user_modified', outcome: 'success', actor_id: null, actor_role: 'service_role' },
      { action: 'user_recovery_requested', outcome: 'success', actor_id: null, actor_role: null },
      { action: 'archive_made', outcome: 'success', actor_id: null, actor_role: 'server' },
      // Like an entry of a hosted identity service.
      { action: 'user_modified', actor_id: ids.nil, actor_username: 'service_role' },
    ];
    await server.query(INSERT, [entries]);
    expect((await read(scene)).rows.map(({ action, actor_kind, actor }) => [action, actor_kind, actor])).toEqual([
      ['identity.user_modified', 'service', null],
      ['identity.user_recovery_requested', 'guest', null],
      ['identity.archive_made', 'server', null],
      ['identity.user_modified', 'service', null],
    ]);
  });

  test('returns what a line changed, before and after, from versions and histories', async ({ as, server }) => {
    const NEWEST = 'select id from audit_log where action = $1 order by id desc limit 1';
    const changesOf = async (action: string) =>
      as(admin).answer('select read_log_changes($1) as answer', [await server.value<string>(NEWEST, [action])]);

    const CHANGE_THREE = `update projects set title = 'New', budget = 7, show_budget = false where id = $1`;
    await as(admin).write(CHANGE_THREE, [ids.published]);
    const change = { of: 'project', id: ids.published, name: 'New', number: expect.any(Number) };
    const before = { title: 'Published', budget: 100, show_budget: true };
    const after = { title: 'New', budget: 7, show_budget: false };
    expect(await changesOf('projects.update')).toEqual([{ ...change, before, after }]);

    const { answer: submitted } = await as(guest).call(`select create_case_study(title => 'Sent') as answer`);
    const LATER = `update project_versions set at = at + interval '1 minute' where project_id = $1`;
    await server.query(LATER, [submitted as string]);
    const sent = { of: 'project', id: submitted, number: 1, before: null, after: { title: 'Sent', status: 'draft' } };
    expect(await changesOf('projects.insert')).toMatchObject([sent]);

    await as(admin).write(`insert into site_settings (name, value) values ('phone', '"1"')`);
    const setting = { of: 'setting', subject: 'setting', name: 'phone', before: null, after: '1' };
    expect(await changesOf('site_settings.insert')).toEqual([setting]);
    const ABOUT = `select id, revision from pages where kind = 'about'`;
    const [page] = await as(admin).rows<{ id: string; revision: number }>(ABOUT);
    await as(admin).rows(`select save_page_draft($1, '{"a": "b"}', null, $2)`, [page!.id, page!.revision]);
    await as(admin).rows('select publish_page($1, $2)', [page!.id, page!.revision + 1]);
    expect(await changesOf('pages.publish')).toEqual([
      { of: 'page', id: page!.id, kind: 'about', number: 1, before: null, after: { title: null, content: { a: 'b' } } },
    ]);
  });

  test('returns small stored values of tables without a history, and no others', async ({ as, server }) => {
    const INSERT_MESSAGE = `insert into contact_messages (name, email, message) values ('Asha', 'asha@example.com', 'x') returning id`;
    const message = await server.value<string>(INSERT_MESSAGE);
    await as(admin).write('update contact_messages set handled = true where id = $1', [message]);
    await as(theService).write(`insert into roles (name) values ('reader')`);
    await as(theService).write(`update roles set name = 'writer' where name = 'reader'`);
    const ADD_WEBHOOK = `insert into webhooks (url, events) values ('https://example.com/secret', '{project.published}')`;
    await as(admin).write(ADD_WEBHOOK);
    await as(admin).write(`update webhooks set url = 'https://example.com/other', active = false where active`);
    await as(admin).write(`update reply_templates set body = 'x' where answer = 'ask'`);
    const CHANGES = `select action, changes from audit_log where action ~ '^(contact|roles|webhooks|reply)' order by id`;
    expect(await server.rows(CHANGES)).toEqual([
      { action: 'contact_messages.update', changes: { handled: [false, true] } },
      { action: 'roles.insert', changes: null },
      { action: 'roles.update', changes: { name: ['reader', 'writer'] } },
      { action: 'webhooks.insert', changes: null },
      { action: 'webhooks.update', changes: { active: [true, false] } },
      { action: 'reply_templates.update', changes: null },
    ]);
  });

  test('omits identity service entries of a request that has an entry of its own (U31)', async ({ scene, server }) => {
    await server.query('delete from audit_log');
    await server.query('delete from auth.audit_log_entries');
    const INSERT = `insert into auth.audit_log_entries (payload, created_at) values
      (json_build_object('action', 'user_modified', 'actor_role', 'service_role', 'request_id', $1::text), now() - interval '1 minute')`;
    for (const request of ['one', 'two', null]) await server.query(INSERT, [request]);
    const LINES = `insert into audit_log (actor, actor_kind, request_id, action, object, outcome)
      values ('${ids.admin}', 'admin', 'one', 'user.ban', '${ids.otherUser}', 'done'), (null, 'guest', null, 'user.list', null, 'refused')`;
    await server.query(LINES);
    const { rows } = await read(scene);
    const actions = rows.map(({ action }) => action);
    expect(actions).toEqual(['user.list', 'user.ban', 'identity.user_modified', 'identity.user_modified']);
    expect((await read(scene, `words => 'user_mod'`)).rows).toHaveLength(2);
  });

  test('filters by actor, action, outcome, day and words', async (scene) => {
    await written(scene);
    const actions = async (filters: string, values: string[] = []) =>
      (await read(scene, filters, values)).rows.map(({ action }) => action);
    expect(await actions(`who => 'ADMIN@'`)).toEqual(['projects.publish', 'user_roles.insert', 'identity.login']);
    expect(await actions('who => $1', [ids.otherUser])).toEqual(['identity.login']);
    expect(await actions(`who => 'unknown'`)).toEqual([]);
    expect(await actions(`what => 'projects.'`)).toEqual(['projects.publish', 'projects.delete']);
    expect(await actions(`what => 'user_roles.'`)).toEqual(['user_roles.insert']);
    expect(await actions(`what => 'identity.'`)).toEqual(['identity.login', 'identity.login']);
    expect(await actions(`what => 'identity.login', outcome => 'refused'`)).toEqual(['identity.login']);
    expect(await actions(`outcome => 'refused'`)).toEqual(['identity.login', 'projects.delete']);
    expect(await actions(`outcome => 'done', what => 'identity.'`)).toEqual(['identity.login']);
    expect(await actions(`since => now() - interval '150 seconds'`)).toEqual(['projects.publish', 'identity.login']);
    expect(await actions(`until => now() - interval '270 seconds'`)).toEqual(['projects.delete']);
    expect(await actions(`words => 'publishe'`)).toEqual(['projects.publish']);
    expect(await actions(`words => 'creator@'`)).toEqual(['user_roles.insert', 'projects.delete']);
    expect(await actions(`words => '192.0.2.7'`)).toEqual(['identity.login', 'identity.login']);
    expect(await actions(`words => '%'`)).toEqual([]);
  });

  test('pages without omitting or repeating an entry, also within one timestamp', async ({ scene, server }) => {
    await written(scene);
    await server.query(`update audit_log set at = now() - interval '1 hour'`);
    await server.query(`update auth.audit_log_entries set created_at = now() - interval '1 hour'`);
    const all = (await read(scene)).rows.map(({ id }) => id);
    expect(all).toHaveLength(5);
    const seen: string[] = [];
    let before: object | null = null;
    do {
      const page: Answer = before
        ? await read(scene, 'take => 1, before => $1', [before])
        : await read(scene, 'take => 1');
      seen.push(...page.rows.map(({ id }) => id));
      before = page.next;
    } while (before && seen.length < 10);
    expect(seen).toEqual(all);
  });

  test('searches a bounded part of a long log for words, and continues from the returned cursor', async (scene) => {
    const { server } = scene;
    await server.query('delete from audit_log');
    const MANY = `insert into audit_log (at, actor, actor_kind, action, object, outcome)
      select now() - n * interval '1 minute', '${ids.creator}', 'user', 'projects.update', '${ids.published}', 'done' from generate_series(1, 30000) n`;
    await server.query(MANY);
    await server.query(line('projects.delete', ids.admin, 'needle', 60 * 24 * 365));
    await server.query('analyze audit_log');
    const first = await read(scene, `words => 'needle'`);
    expect(first.rows).toEqual([]);
    expect(first.searched).not.toBeNull();
    let page = first;
    for (let more = 0; page.rows.length === 0 && page.next && more < 10; more++)
      page = await read(scene, `words => 'needle', before => $1`, [page.next]);
    expect(page.rows.map(({ action }) => action)).toEqual(['projects.delete']);
    expect(page.next).toBeNull();
  });
});

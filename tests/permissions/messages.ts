import { expect, it } from 'vitest';
import { admin, guest, ids } from './actors.ts';
import { comeFrom, endsOf, onStage, type Scene, type Stage, setSetting } from './stage.ts';

const SEND = 'select send_message(p_name => $1, p_email => $2, p_message => $3)';
const MESSAGE = ['Asha', 'asha@example.com', 'Hello'] as const;
const START = 'select start_project(p_message => $1) as answer';

export const messages = onStage('contact message', ({ test }) => {
  const stored = ({ server }: Scene) =>
    server.rows<{ name: string }>('select name, email, message from contact_messages');

  test('is rejected without a name, a reply address or a text, or when too long', async ({ as, scene }) => {
    const [name, email, text] = MESSAGE;
    const wrong = [
      ['', email, text],
      [' ', email, text],
      ['x'.repeat(201), email, text],
      ['Asha\r\nBcc: all@example.com', email, text],
      [name, '', text],
      [name, 'asha', text],
      [name, 'asha@example', text],
      [name, 'a@example.com, b@example.com', text],
      [name, 'a@example.com\nBcc: b@example.com', text],
      [name, `${'a'.repeat(250)}@example.com`, text],
      [name, email, ''],
      [name, email, ' \r\n '],
      [name, email, 'x'.repeat(5001)],
    ];
    for (const values of wrong) await as(guest).refused('23514', SEND, values);
    for (const at of [0, 1, 2]) {
      const values = MESSAGE.map((value, place) => (place === at ? null : value));
      await as(guest).refused('23502', SEND, values);
    }
    expect(await stored(scene)).toEqual([]);
    await as(guest).rows(SEND, [` ${name} `, ` ${email} `, `\r\nन${'x'.repeat(4997)}\r\ny\n`]);
    expect(await stored(scene)).toEqual([{ name, email, message: `न${'x'.repeat(4997)}\ny` }]);
  });

  test('is limited to five in ten minutes and ten an hour per address; after a hundred in all, new addresses are still accepted (C19)', async (scene) => {
    const { as, server } = scene;
    await comeFrom(scene, '192.0.2.1');
    for (let sent = 0; sent < 5; sent++) await as(guest).rows(SEND, MESSAGE);
    await as(guest).refused('PGRST', SEND, MESSAGE);
    await as(admin).refused('PGRST', SEND, MESSAGE);
    await comeFrom(scene, '192.0.2.2');
    await as(guest).rows(SEND, MESSAGE);
    await server.query(`update private.contact_senders set at = now() - interval '11 minutes'`);
    await comeFrom(scene, '192.0.2.1');
    await as(guest).rows(SEND, MESSAGE);
    for (let sent = 6; sent < 10; sent++) await as(guest).rows(SEND, MESSAGE);
    await server.query(`update private.contact_senders set at = now() - interval '11 minutes'`);
    await as(guest).refused('PGRST', SEND, MESSAGE);
    await server.query(`update private.contact_senders set at = now() - interval '61 minutes'`);
    await as(guest).rows(SEND, MESSAGE);
    expect(await server.rows('select address from private.contact_senders')).toEqual([{ address: '192.0.2.1' }]);

    const FILL = `insert into contact_messages (name, email, message) select 'A', 'a@example.com', 'x' from generate_series(1, $1::int)`;
    // The global limit stops only addresses that have written before; a new address is accepted.
    const fill = (count: number) => server.query(FILL, [count]);
    await fill(100);
    await as(guest).refused('PGRST', SEND, MESSAGE);
    await comeFrom(scene, '192.0.2.3');
    await as(guest).rows(SEND, MESSAGE);
    await as(guest).refused('PGRST', SEND, MESSAGE);
    await comeFrom(scene, '2001:db8:0:1200::/64');
    await as(guest).rows(SEND, MESSAGE);
    await comeFrom(scene, '2001:db8:0:12ff::/64');
    await as(guest).refused('PGRST', SEND, MESSAGE);
    await comeFrom(scene, '');
    await as(guest).refused('PGRST', SEND, MESSAGE);
    await fill(900);
    await comeFrom(scene, '192.0.2.4');
    await as(guest).refused('PGRST', SEND, MESSAGE);
  });

  test('becomes a draft of its text without its address, once, by editors alone', async ({ as, server }) => {
    const text = 'A <script>lamp</script> & href="javascript:x"\nfor us.\n\nBye';
    await as(guest).rows(SEND, ['Asha & Co', 'asha@example.com', text]);
    const message = await as(admin).value<string>('select id from contact_messages');
    const values = [message];
    await as(admin).refused('PT404', START, [ids.missing]);
    const start = () => as(admin).answer<string>(START, values);
    const project = await start();
    await as(admin).refused('PT409', START, values);
    const read = 'select title, client, status, description, created_by from projects where id = $1';
    const html = '<p>A &lt;script&gt;lamp&lt;/script&gt; &amp; href&#61;"javascript:x"<br>for us.</p><p>Bye</p>';
    const fields = { title: 'Enquiry from Asha & Co', client: 'Asha & Co', status: 'draft', description: html };
    expect(await as(admin).rows(read, [project])).toEqual([{ ...fields, created_by: ids.admin }]);
    const VERSIONS = `select string_agg(content::text, '') as text from project_versions where project_id = $1`;
    const versions = await server.rows<{ text: string }>(VERSIONS, [project]);
    expect(versions[0]!.text).toContain('Asha &');
    expect(versions[0]!.text).not.toContain('asha@example.com');
    const LOG = `select action, object from audit_log where object = any ($1) order by id`;
    const insertion = { action: 'projects.insert', object: project };
    const starting = { action: 'contact_messages.start_project', object: message };
    expect(await server.rows(LOG, [[project, message]])).toEqual([insertion, starting]);
    expect(await server.rows('select from reviews where project_id = $1', [project])).toEqual([]);
  });

  test('and its project show each other, whichever is deleted, and restored', async ({ as, server }) => {
    await as(admin).rows(SEND, MESSAGE);
    const message = await as(admin).value<string>('select id from contact_messages');
    const start = () => as(admin).answer<string>(START, [message]);
    const shown = () => as(admin).row('select handled, started_project(m) as project from contact_messages m');
    const enquiry = (id: string) => as(admin).answer('select project_enquiry(p_id => $1) as answer', [id]);
    expect(await shown()).toEqual({ handled: false, project: null });
    const first = await start();
    await as(admin).write('update contact_messages set handled = false where id = $1', [message]);
    const title = 'Enquiry from Asha';
    expect(await shown()).toEqual({ handled: false, project: { id: first, title, deleted: false } });
    const person = { name: 'Admin', email: 'admin@example.com' };
    const history = [
      { action: 'contact_messages.start_project', actor: person, changes: null },
      { action: 'contact_messages.update', actor: person, changes: { handled: [true, false] } },
    ];
    const sender = { name: 'Asha', email: 'asha@example.com' };
    expect(await enquiry(first)).toMatchObject({ ...sender, message: 'Hello', history });

    await as(admin).write('delete from projects where id = $1', [first]);
    expect(await shown()).toMatchObject({ project: { id: first, title, deleted: true } });
    await as(admin).rows('select restore_from_trash(array[$1::uuid])', [first]);
    expect(await shown()).toMatchObject({ project: { id: first, deleted: false } });
    await as(admin).refused('PT409', START, [message]);
    await as(admin).write('delete from projects where id = $1', [first]);
    const second = await start();
    expect(second).not.toBe(first);
    await as(admin).rows('select restore_from_trash(array[$1::uuid])', [first]);
    expect(await enquiry(first)).toBeNull();
    await as(admin).write('delete from projects where id = $1', [second]);
    await server.query('delete from private.trash');
    expect(await shown()).toMatchObject({ project: null });

    const third = await start();
    await as(admin).write('delete from contact_messages where id = $1', [message]);
    expect(await enquiry(third)).toBeNull();
    expect(await as(admin).rows('select id from projects where id = $1', [third])).toEqual([{ id: third }]);
  });

  test('is deleted after two years or the configured time, and its address with it', async ({ as, scene, server }) => {
    const AGED = `insert into contact_messages (name, email, message, created_at)
      values ($1, 'a@example.com', 'x', now() - make_interval(days => $2))`;
    const aged = (name: string, days: number) => server.query(AGED, [name, days]);
    await aged('old', 731);
    await aged('older than a month', 40);
    await as(guest).rows(SEND, MESSAGE);
    await server.query('select private.sweep_contact_messages()');
    expect((await stored(scene)).map(({ name }) => name).sort()).toEqual(['Asha', 'older than a month']);
    for (const value of ['"soon"', '{}', '30']) await setSetting(scene, 'contact_message_days', value);
    await server.query('select private.sweep_contact_messages()');
    expect((await stored(scene)).map(({ name }) => name)).toEqual(['Asha']);
  });
});

export const messageRaces = (stage: Stage) =>
  it('two editors who start a project from one message start one project', async () => {
    const SEND_RACED = `insert into public.contact_messages (name, email, message) values ('Raced', 'a@example.com', 'x') returning id`;
    const rival = { actor: admin, text: START, values: [await stage.server.value<string>(SEND_RACED)] };
    expect(endsOf(await stage.race([rival, rival]))).toEqual(['fulfilled', 'rejected']);
    expect(await stage.server.rows(`select from public.projects where title = 'Enquiry from Raced'`)).toHaveLength(1);
    const END = `delete from public.projects where title = 'Enquiry from Raced'; delete from public.contact_messages where name = 'Raced'`;
    await stage.db.script(END);
  });

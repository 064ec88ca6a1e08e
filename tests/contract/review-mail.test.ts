import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { queueDigests } from '../../packages/backend/jobs/retention.ts';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { mailsIn } from '../outbox.ts';
import { type MailOptions, mailFixture } from './open-mail.ts';

const DRAFT = 'd0000000-0000-4000-8000-000000000001';

const database = forAllTests(() => postgresql.open({ migrated: true }));
const fixture = mailFixture(database);
beforeEach(() =>
  database.db.script(`delete from public.projects; delete from internal.mails;
    insert into public.projects (id, title) values ('${DRAFT}', E'A <lamp>\\r\\nBcc: all@example.com')`),
);

const start = (options?: MailOptions) =>
  fixture.open({ SITE_URL: 'https://madhouse.example', MAIL_FROM: 'hello@madhouse.example' }, options);

const step = (kind: string, words: string | null = null) =>
  database.db.script(`insert into public.review_steps (project_id, kind, words, mail_to)
    values ('${DRAFT}', '${kind}', ${words === null ? 'null' : `'${words}'`}, 'me@example.com')`);

async function mails(number: number): Promise<string[]> {
  const folder = join(fixture.dataDir, 'outbox');
  await expect.poll(async () => (await mailsIn(folder)).length).toBe(number);
  return mailsIn(folder);
}
const linkIn = (mail: string) =>
  /https:\/\/madhouse\.example\/case-studies\/[\da-f-]{36}(?:\?draft=([\w-]+))?/.exec(mail)!;

it('an answer is mailed to the submitter with its text and a link to the draft, of which only the hash is stored', async () => {
  await start();
  await step('changes_requested', 'Name the <picture>,\nplease.');
  const [mail] = await mails(1);
  expect(mail).toMatch(/^To: me@example\.com$/m);
  expect(mail).toMatch(/^Reply-To: hello@madhouse\.example$/m);
  expect(mail).toMatch(/^Subject: .*Before_we_publish/m);
  expect(mail!.slice(0, mail!.indexOf('\n\n'))).not.toMatch(/^Bcc/im);
  expect(mail).toContain('Name the <picture>,\nplease.');
  expect(mail).toContain('Name the &lt;picture&gt;,');
  const [, secret] = linkIn(mail!);
  expect(secret).toMatch(/^[\w-]{43}$/);
  const LINK = `select encode(hash, 'hex') as hash, name, expires_at between now() + interval '29 days' and now() + interval '31 days' as expires
    from private.draft_secrets where project_id = '${DRAFT}'`;
  const { rows } = await database.db.query<{ hash: string; name: string; expires: boolean }>(LINK);
  const hash = createHash('sha256').update(secret!).digest('hex');
  expect(rows).toEqual([{ hash, name: expect.stringMatching(/^Mail of \d+ \w+ \d{4}$/), expires: true }]);
  await expect.poll(() => unmailed()).toBe(0);
});

const unmailed = async () =>
  (await database.db.query('select from public.review_steps where mailed_at is null')).rows.length;

it('a resent e-mail contains the same link', async () => {
  const sent: string[] = [];
  await start({
    change: (carrier) => ({
      ...carrier,
      // The mail server accepted the e-mail, but its response was lost.
      deliver: async (mail, message) => {
        sent.push(message.text);
        if (sent.length === 1) throw Object.assign(new Error('lost'), { responseCode: 451 });
        await carrier.deliver(mail, message);
      },
    }),
  });
  await step('link');
  await mails(1);
  expect(linkIn(sent[1]!)[1]).toBe(linkIn(sent[0]!)[1]);
  const { rows } = await database.db.query(`select from private.draft_secrets where project_id = '${DRAFT}'`);
  expect(rows).toHaveLength(1);
});

it.each([
  ['RCPT TO', true],
  ['MAIL FROM', false],
])('an answer that the mail server refuses at %s is given up: %s', async (command, givenUp) => {
  const refusal = Object.assign(new Error('no'), { code: 'EENVELOPE', command, responseCode: 550 });
  await start({ change: (carrier) => ({ ...carrier, deliver: () => Promise.reject(refusal) }) });
  await step('declined');
  const STATE = `select failed_at is not null as "givenUp" from internal.mails where attempts > 0 and claimed_by is null`;
  await expect.poll(async () => (await database.db.query(STATE)).rows).toEqual([{ givenUp }]);
});

it('a published project is visible to every visitor, without a secret', async () => {
  await database.db.script(`update public.projects set status = 'active' where id = '${DRAFT}'`);
  await start();
  await step('published', 'Welcome.');
  const [mail] = await mails(1);
  expect(linkIn(mail!)[1]).toBeUndefined();
  expect(mail).toContain(`https://madhouse.example/case-studies/${DRAFT}`);
});

describe('a notice to an admin', () => {
  const ADMIN = 'a0000000-0000-4000-8000-000000000001';
  const OTHER = 'a0000000-0000-4000-8000-000000000002';
  const ADD_ACCOUNT = `insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, now(), '{}', '{}', now(), now())
    on conflict (id) do update set email_confirmed_at = now(), email = excluded.email`;
  const addAccount = (id: string, email: string) => database.db.query(ADD_ACCOUNT, [id, email]);
  const week = (weeks: number) =>
    database.db.script(`delete from private.digests; insert into private.digests values (date_trunc('week', now(), 'UTC') - interval '${weeks} weeks');
      update public.projects set submitted_at = date_trunc('week', now(), 'UTC') - interval '10 days'`);
  const toAdmin = async (number: number) => (await mails(number)).filter((mail) => /^To: admin@/m.test(mail));

  beforeEach(async () => {
    await addAccount(ADMIN, 'admin@example.com');
    await addAccount(OTHER, 'other@example.com');
    await database.db.script(`delete from public.contact_messages; delete from internal.mails; delete from private.mail_notices;
      insert into public.user_roles (user_id, role_id) select '${ADMIN}', id from public.roles where name = 'admin' on conflict do nothing;
      delete from public.mail_preferences;
      insert into public.mail_preferences select user_id, true, true, true, true, true from public.profiles where user_id in ('${ADMIN}', '${OTHER}')`);
  });

  it('says that a submission, message or comment has arrived or a publication was due, to admins who chose it and a confirmed address', async () => {
    await start();
    const id = 'd0000000-0000-4000-8000-000000000002';
    await database.db.script(`insert into public.projects (id, title) values ('${id}', E'A\\r\\nBcc: all@example.com');
      select public.send_message('Asha', 'asha@example.com', 'A secret word');
      insert into public.draft_comments (project_id, link_id, client, body, version) values
        ('${id}', gen_random_uuid(), 'Ravi', 'A secret word', null), ('${id}', gen_random_uuid(), 'Ravi', null, 'x');
      insert into public.planned_changes (kind, project_id, due_at) values ('publish', '${id}', now());
      select private.publish_next_due();
      insert into public.draft_comments (project_id, link_id, client, body) values ('${id}', gen_random_uuid(), 'Ravi', 'A second comment');
      insert into public.planned_changes (kind, project_id, fields, due_at) values ('publish', '${id}', '{"title": "B"}', now());
      select private.publish_next_due()`);
    const found = await toAdmin(7);
    expect(found).toHaveLength(6);
    const text = found.join('\n');
    expect(text).toContain(`https://madhouse.example/admin/review/${id}`);
    expect(text).toContain(`https://madhouse.example/admin/projects/${id}`);
    expect(text).toContain('The same fields were changed on the site meanwhile.');
    for (const words of ['A client commented on', 'A client approved', 'is published as', 'was not published as'])
      expect(text).toContain(words);
    for (const path of ['admin/messages', 'account']) expect(text).toContain(`https://madhouse.example/${path}`);
    expect(text).not.toContain('A secret word');
    expect(text).not.toMatch(/^Bcc/im);
    await expect.poll(async () => (await database.db.query('select from internal.mails')).rows.length).toBe(0);
    const { rows } = await database.db.query('select user_id from private.mail_notices');
    expect(rows).toEqual(Array(6).fill({ user_id: OTHER }));
  });

  it('about a message is not sent to the mailbox that gets all messages, nor to an address that is not confirmed', async () => {
    await database.db.script(`insert into public.site_settings (name, value) values ('email', '"Admin@example.com"');
      select public.send_message('Asha', 'asha@example.com', 'Hello')`);
    await start();
    expect(await mails(1)).toMatchObject([expect.stringMatching(/^Subject: Message from Asha$/m)]);
    await database.db.script(`delete from public.site_settings; update auth.users set email_confirmed_at = null where id = '${ADMIN}';
      select public.send_message('Asha', 'asha@example.com', 'Hello again')`);
    await mails(2);
    await expect.poll(async () => (await database.db.query('select from internal.mails')).rows.length).toBe(0);
    expect(await mails(2)).toHaveLength(2);
  });

  it('summarises a week once, whatever the number of workers; a missed week is part of the next summary', async () => {
    await week(3);
    await Promise.all(Array.from({ length: 8 }, () => queueDigests(database.db)));
    await start();
    const [digest] = await toAdmin(1);
    expect(digest).toMatch(/Since \d+ \w+ \d{4}, 1 submission and 0 messages arrived\./);
    expect(digest).toContain('1 submission waits for an answer.');
    await queueDigests(database.db);
    expect((await database.db.query(`select from private.mail_notices where user_id = '${ADMIN}'`)).rows).toEqual([]);
  });

  it('summarises no week in which nothing happened', async () => {
    await week(1);
    await queueDigests(database.db);
    expect((await database.db.query('select from private.mail_notices')).rows).toEqual([]);
    expect((await database.db.query('select from private.digests')).rows).toHaveLength(2);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../packages/backend/config/config.ts';
import { readProject } from '../../../packages/backend/config/supabase-config.ts';
import type { BackendContext } from '../../../packages/backend/context.ts';
import { createLog } from '../../../packages/backend/http/log.ts';
import { createMail, type MailTransport, openTransport } from '../../../packages/backend/mail/index.ts';
import { postgresql } from '../../database.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { mailsIn } from '../../outbox.ts';

const project = await readProject(join(import.meta.dirname, '..', '..', '..', 'supabase'));
const log = createLog('silent');
const sealing = randomBytes(32);
const DRAFT = 'd0000000-0000-4000-8000-000000000001';

let dataDir: string;
let stop: (() => Promise<void>) | null;

const database = forAllTests(() => postgresql.open({ migrated: true }));
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'madhouse-review-'));
  stop = null;
  await database.db.script(`delete from public.projects; delete from internal.mails;
    insert into public.projects (id, title) values ('${DRAFT}', E'A <lamp>\\r\\nBcc: all@example.com')`);
});
afterEach(async () => {
  await stop?.();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the mail queue like the backend does. */
async function start(change: (carrier: MailTransport) => MailTransport = (carrier) => carrier): Promise<void> {
  const config = readConfig({
    DATA_DIR: dataDir,
    SITE_URL: 'https://madhouse.example',
    MAIL_FROM: 'hello@madhouse.example',
  });
  const context = { config, project, db: database.db, log, keys: { sealing } } as unknown as BackendContext;
  const mail = await createMail(context, change(openTransport(context)));
  stop = async () => {
    stop = null;
    await mail.close();
  };
}

const step = (kind: string, words: string | null = null) =>
  database.db.script(`insert into public.review_steps (project_id, kind, words, mail_to)
    values ('${DRAFT}', '${kind}', ${words === null ? 'null' : `'${words}'`}, 'me@example.com')`);

async function mails(number: number): Promise<string[]> {
  const folder = join(dataDir, 'outbox');
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
  const { rows } = await database.db.query<{ hash: string; name: string; expires: boolean }>(
    `select encode(hash, 'hex') as hash, name, expires_at between now() + interval '29 days' and now() + interval '31 days' as expires
     from private.draft_secrets where project_id = '${DRAFT}'`,
  );
  const hash = createHash('sha256').update(secret!).digest('hex');
  expect(rows).toEqual([{ hash, name: expect.stringMatching(/^Mail of \d+ \w+ \d{4}$/), expires: true }]);
  await expect.poll(() => unmailed()).toBe(0);
});

const unmailed = async () =>
  (await database.db.query('select from public.review_steps where mailed_at is null')).rows.length;

it('a resent e-mail contains the same link', async () => {
  const sent: string[] = [];
  await start((carrier) => ({
    ...carrier,
    // The mail server accepted the e-mail, but its response was lost.
    deliver: async (mail, message) => {
      sent.push(message.text);
      if (sent.length === 1) throw Object.assign(new Error('lost'), { responseCode: 451 });
      await carrier.deliver(mail, message);
    },
  }));
  await step('link');
  await mails(1);
  expect(linkIn(sent[1]!)[1]).toBe(linkIn(sent[0]!)[1]);
  expect(
    (await database.db.query(`select from private.draft_secrets where project_id = '${DRAFT}'`)).rows,
  ).toHaveLength(1);
});

it('a published project is visible to every visitor, without a secret', async () => {
  await database.db.script(`update public.projects set status = 'active' where id = '${DRAFT}'`);
  await start();
  await step('published', 'Welcome.');
  const [mail] = await mails(1);
  expect(linkIn(mail!)[1]).toBeUndefined();
  expect(mail).toContain(`https://madhouse.example/case-studies/${DRAFT}`);
});

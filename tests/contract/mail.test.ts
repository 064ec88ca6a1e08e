import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mail, MailRequest } from '../../packages/backend/mail/index.ts';
import type { TemplateData } from '../../packages/backend/mail/template.ts';
import { postgresql } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { type MailOptions, mailFixture } from './open-mail.ts';

const about = (more: Partial<TemplateData> = {}): TemplateData => ({
  SiteURL: 'http://localhost:3000',
  ConfirmationURL: 'http://localhost:3000/confirm?token_hash=abc&type=signup&next=%2Fadmin',
  Token: '042042',
  TokenHash: 'abc',
  Email: 'ada@example.com',
  SendingTo: 'ada@example.com',
  RedirectTo: 'http://localhost:3000/admin',
  Data: {},
  ...more,
});

const database = forAllTests(() => postgresql.open({ migrated: true }));
const fixture = mailFixture(database);
const { startServer } = fixture;

/** @param login `name:password@` */
const start = (login = '', options?: MailOptions) =>
  fixture.open({ SMTP_URL: `smtp://${login}127.0.0.1:${fixture.port}` }, options);
/** @param wishes of the mail server */
async function startWithServer(wishes?: Parameters<typeof startServer>[0], login?: string): Promise<Mail> {
  await startServer(wishes);
  return start(login);
}
const send = (mail: Mail, template: MailRequest['template'], to: string, data = about()) =>
  database.db.transaction((tx) => mail.queue(tx, { template, to, data }));
const allGone = (mail: Mail) => expect.poll(async () => (await mail.waiting()).mails).toBe(0);
const QUEUED = 'select kind, content, attempts, failed_at is not null as failed from internal.mails order by queued_at';
const rows = async () =>
  (await database.db.query<{ kind: string; content: string; attempts: number; failed: boolean }>(QUEUED)).rows;

describe('e-mail by SMTP', () => {
  it('reaches one mailbox with the configured subject, link and code, and leaves nothing in the queue', async () => {
    const mail = await startWithServer();
    await send(mail, 'confirmation', 'ada@example.com');
    await allGone(mail);
    expect(fixture.server!.accepted).toMatchObject([{ from: 'hello@madhouse.example', to: 'ada@example.com' }]);
    const text = fixture.server!.accepted[0]!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain('Subject: Confirm your address for Madhouse');
    expect(text).toContain('http://localhost:3000/confirm?token_hash=abc&type=signup&next=%2Fadmin');
    expect(text).toContain('042042');
    expect(await rows()).toEqual([]);
  });

  it('is sent only when the transaction that causes it commits', async () => {
    const mail = await startWithServer();
    const undone = database.db.transaction(async (tx) => {
      await mail.queue(tx, { template: 'recovery', to: 'unknown@example.com', data: about() });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    await send(mail, 'recovery', 'ada@example.com');
    await allGone(mail);
    expect(fixture.server!.accepted.map(({ to }) => to)).toEqual(['ada@example.com']);
  });

  it('is sent to its recipient only, whatever the address contains', async () => {
    const mail = await startWithServer();
    await send(mail, 'confirmation', 'ada@example.com, eve@example.com');
    await send(mail, 'recovery', 'ada@example.com', about({ Email: 'x\r\nBcc: eve@example.com' }));
    await allGone(mail);
    expect(fixture.server!.accepted.filter(({ to }) => to.includes('eve@example.com'))).toEqual([]);
    const heads = fixture.server!.accepted.map(({ text }) => text.slice(0, text.indexOf('\r\n\r\n')));
    expect(heads.filter((head) => /^bcc:/im.test(head))).toEqual([]);
  });

  it('waits while the server rejects the login, and is sent once it is accepted', async () => {
    let right = false;
    let tries = 0;
    const mail = await startWithServer({ login: () => ++tries > 0 && right }, 'madhouse:secret@');
    await send(mail, 'recovery', 'ada@example.com');
    await expect.poll(() => tries).toBeGreaterThan(0);
    right = true;
    await allGone(mail);
    expect(fixture.server!.accepted).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  it('is dropped after a permanent error, and the next one is sent', async () => {
    fixture.refusals = [550];
    const mail = await startWithServer();
    for (const to of ['gone@example.com', 'ada@example.com']) await send(mail, 'recovery', to);
    await allGone(mail);
    expect(fixture.server!.accepted).toHaveLength(1);
    expect(await rows()).toMatchObject([{ kind: 'recovery', attempts: 1, failed: true }]);
  });

  it('is dropped after an hour without a mail server, tried or not', async () => {
    const mail = await start();
    await send(mail, 'recovery', 'ada@example.com');
    await expect.poll(async () => (await rows())[0]!.attempts).toBe(1);
    await database.db.query(`insert into internal.mails (kind, content, sealed_by, due_at, give_up_at)
      select kind, content, sealed_by, due_at, now() - interval '1 second' from internal.mails`);
    await expect.poll(async () => (await rows()).map(({ failed }) => failed).sort()).toEqual([false, true]);
  });

  it('is stored encrypted and survives a restart while the mail server is unavailable', async () => {
    const before = await start();
    await send(before, 'recovery', 'ada@example.com');
    await expect.poll(async () => (await rows())[0]!.attempts).toBe(1);
    await before.close();
    const [waiting] = await rows();
    expect(JSON.stringify(waiting)).not.toMatch(/ada@|042042|token_hash/);

    await startServer();
    await allGone(await start());
    expect(fixture.server!.accepted).toHaveLength(1);
  });

  it('is left to the server that has its encryption key', async () => {
    const mine = await startWithServer();
    await mine.close();
    await send(mine, 'recovery', 'ada@example.com');
    const other = await start('', { keys: { sealing: randomBytes(32) } });
    await send(other, 'recovery', 'bob@example.com');
    await expect.poll(() => fixture.server!.accepted.map(({ to }) => to)).toEqual(['bob@example.com']);
    await expect.poll(rows).toMatchObject([{ attempts: 0, failed: false }]);
    await allGone(await start());
    expect(fixture.server!.accepted.map(({ to }) => to)).toEqual(['bob@example.com', 'ada@example.com']);
  });
});

it('e-mail without SMTP is written to the outbox as files readable by their owner only', async () => {
  const mail = await fixture.open({});
  const data = about({ Data: { name: '<img src=x>' }, Email: '{{ .Token }}<b>' });
  await send(mail, 'reauthentication', 'ada@example.com', data);
  await send(mail, 'email_change', 'ada@example.com', { ...data, NewEmail: 'new@example.com' });
  await allGone(mail);
  const names = (await readdir(join(fixture.dataDir, 'outbox'))).sort();
  expect(names).toHaveLength(2);
  expect(names[0]).toMatch(/Z-reauthentication-[0-9a-f]{8}\.eml$/);
  const texts = await Promise.all(names.map((name) => readFile(join(fixture.dataDir, 'outbox', name), 'utf8')));
  expect(texts.join()).toContain('Subject: 042042 is your code');
  expect(texts.find((text) => text.includes('new@'))).toContain('{{ .Token }}&lt;b&gt;');
  for (const name of names) expect((await stat(join(fixture.dataDir, 'outbox', name))).mode & 0o077).toBe(0);
});

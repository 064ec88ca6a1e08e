import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { readProject } from '../config/supabase-config.ts';
import { createLog } from '../http/log.ts';
import { createMail, type Mail } from './index.ts';
import type { TemplateData } from './template.ts';

const project = await readProject(join(import.meta.dirname, '..', '..', 'supabase'));
const log = createLog('silent');

interface Received {
  from: string;
  to: string[];
  text: string;
}

let dataDir: string;
let received: Received[];
/** What the server answers to the next mails, in turn; then it accepts. */
let refusals: number[];
let server: SMTPServer | null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'madhouse-mail-'));
  received = [];
  refusals = [];
  server = null;
});
afterEach(async () => {
  if (server) await new Promise<void>((closed) => server!.close(closed));
  await rm(dataDir, { recursive: true, force: true });
});

/** @param options what else the server asks for */
async function startServer(port = 0, options: SMTPServerOptions = {}): Promise<number> {
  const started = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        const refusal = refusals.shift();
        if (refusal) return done(Object.assign(new Error('not now'), { responseCode: refusal }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text,
        });
        done();
      });
    },
    ...options,
  });
  server = started;
  await new Promise<void>((listening) => started.listen(port, '127.0.0.1', listening));
  return (started.server.address() as { port: number }).port;
}

/** @param login `name:password@` */
const mailTo = (port: number, login = ''): Mail =>
  createMail(
    readConfig({
      DATA_DIR: dataDir,
      SMTP_URL: `smtp://${login}127.0.0.1:${port}`,
      MAIL_FROM: 'Madhouse <hello@madhouse.example>',
    }),
    project,
    log,
  );

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

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('It did not happen within 10 s');
    await sleep(20);
  }
}

const files = (folder: string) => readdir(join(dataDir, 'outbox', 'smtp', folder)).catch(() => [] as string[]);

describe('mail by SMTP', () => {
  it('reaches one mailbox with the subject of the configuration, link and code, and leaves nothing behind', async () => {
    const mail = mailTo(await startServer());
    mail.send({ template: 'confirmation', to: 'ada@example.com', data: about() });
    expect(mail.pending).toBe(1);
    await until(() => mail.pending === 0);
    expect(received).toMatchObject([{ from: 'hello@madhouse.example', to: ['ada@example.com'] }]);
    const text = received[0]!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(text).toContain('Subject: One press and you are in the Madhouse');
    expect(text).toContain('http://localhost:3000/confirm?token_hash=abc&type=signup&next=%2Fadmin');
    expect(text).toContain('042042');
    expect((await files('')).filter((name) => name.endsWith('.json'))).toEqual([]);
    await mail.close();
  });

  it('goes to nobody else, whatever the address looks like', async () => {
    const mail = mailTo(await startServer());
    mail.send({ template: 'confirmation', to: 'ada@example.com, eve@example.com', data: about() });
    mail.send({ template: 'recovery', to: 'ada@example.com', data: about({ Email: 'x\r\nBcc: eve@example.com' }) });
    await until(() => mail.pending === 0);
    expect(received.flatMap(({ to }) => to).filter((to) => to === 'eve@example.com')).toEqual([]);
    expect(received.every(({ text }) => !/^bcc:/im.test(text.slice(0, text.indexOf('\r\n\r\n'))))).toBe(true);
    await mail.close();
  });

  it('is tried again when the server says not now', async () => {
    refusals = [451];
    const mail = mailTo(await startServer());
    mail.send({ template: 'recovery', to: 'ada@example.com', data: about() });
    await until(() => received.length === 1);
    await until(() => mail.pending === 0);
    await mail.close();
  });

  it('waits while the server refuses our login, and goes out once it is taken', async () => {
    let right = false;
    let tries = 0;
    const port = await startServer(0, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_, __, done) => {
        tries++;
        if (right) done(null, { user: 'madhouse' });
        else done(Object.assign(new Error('not this password'), { responseCode: 535 }));
      },
    });
    const mail = mailTo(port, 'madhouse:secret@');
    mail.send({ template: 'recovery', to: 'ada@example.com', data: about() });
    await until(() => tries > 0);
    right = true;
    await until(() => mail.pending === 0);
    expect(received).toHaveLength(1);
    expect(await files('failed')).toEqual([]);
    await mail.close();
  });

  it('is given up when the server says never, and the next one goes out', async () => {
    refusals = [550];
    const mail = mailTo(await startServer());
    for (const to of ['gone@example.com', 'ada@example.com']) mail.send({ template: 'recovery', to, data: about() });
    await until(() => mail.pending === 0);
    expect(received).toHaveLength(1);
    expect(await files('failed')).toHaveLength(1);
    await mail.close();
  });

  it('survives a restart while the server is away', async () => {
    const port = await startServer();
    await new Promise<void>((closed) => server!.close(closed));
    const before = mailTo(port);
    before.send({ template: 'recovery', to: 'ada@example.com', data: about() });
    await until(() => before.pending === 1);
    await before.close();
    const [waiting] = await files('');
    expect((await stat(join(dataDir, 'outbox', 'smtp', waiting!))).mode & 0o077).toBe(0);

    await startServer(port);
    const after = mailTo(port);
    await until(() => received.length === 1);
    await until(() => after.pending === 0);
    await after.close();
  });
});

describe('mail without SMTP', () => {
  it('lies in the outbox as readable files of their owner', async () => {
    const mail = createMail(readConfig({ DATA_DIR: dataDir }), project, log);
    const data = about({ Data: { name: '<img src=x>' }, Email: '{{ .Token }}<b>' });
    mail.send({ template: 'reauthentication', to: 'ada@example.com', data });
    mail.send({ template: 'email_change', to: 'ada@example.com', data: { ...data, NewEmail: 'new@example.com' } });
    await mail.close();
    const names = (await readdir(join(dataDir, 'outbox'))).sort();
    expect(names).toHaveLength(2);
    const texts = await Promise.all(names.map((name) => readFile(join(dataDir, 'outbox', name), 'utf8')));
    const [code, change] = [
      texts.find((text) => text.includes('is your code'))!,
      texts.find((text) => text.includes('new@'))!,
    ];
    expect(code).toContain('Subject: 042042 is your code');
    expect(change).toContain('{{ .Token }}&lt;b&gt;');
    for (const name of names) expect((await stat(join(dataDir, 'outbox', name))).mode & 0o077).toBe(0);
  });
});

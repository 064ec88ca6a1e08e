import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackendContext } from '../context.ts';
import { writeDurably } from '../data-dir/durable-file.ts';
import { type Connection, hasRow, type Statement } from '../database/database.ts';
import { decrypt, encrypt, sealingId } from '../keys/encrypt.ts';
import { contactMessages, farewells, mailboxIn, notices, reviewSteps, turnedOffWebhooks } from './email-sources.ts';
import { type QueuedItem, startQueue } from './queue.ts';
import { oneLine, renderTemplate, type TemplateData, type TemplateName } from './template.ts';

/** An e-mail to one mailbox. Values in `data` are escaped. */
export type MailRequest = { template: TemplateName; to: string; data: TemplateData };

export interface Message {
  from: string | { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: { name: string; address: string };
}

export type Email = Omit<Message, 'from'>;

export interface MailTransport {
  /** @param mail.id stable across retries, so that mailboxes can drop duplicates @throws Error when it was not accepted */
  deliver(mail: { id: string; name: string; queuedAt: Date }, message: Message): Promise<void>;
  reachable(): Promise<boolean>;
  close(): Promise<void>;
}

/** Product rows sent by e-mail. A trigger queues the e-mail under the row's id. */
export interface EmailSource {
  email(context: BackendContext, id: string): Promise<Email | null>;
  markSent?(id: string): Statement;
}

const EMAIL_SOURCES: Record<string, EmailSource> = {
  contact_message: contactMessages,
  farewell: farewells,
  notice: notices,
  review_step: reviewSteps,
  webhook_turned_off: turnedOffWebhooks,
};

const BRAND =
  "select name, value from public.site_settings where name in ('site_name', 'sender_name', 'brand_colours')";

export type Mail = Awaited<ReturnType<typeof createMail>>;

// Links in e-mails are valid for an hour; later delivery is useless.
const QUEUE = `insert into internal.mails (kind, content, sealed_by, give_up_at)
  values ($1, $2, $3, clock_timestamp() + interval '1 hour')`;

export async function createMail(context: BackendContext, transport = openTransport(context)) {
  const { config, project, keys, db, emailLayout } = context;
  const sealedBy = sealingId(keys);
  const hasSettings = await hasRow(db, `select where to_regclass('public.site_settings') is not null`);

  async function layout() {
    if (!emailLayout || !hasSettings) return null;
    const { rows } = await db.query<{ name: string; value: unknown }>(BRAND);
    return { ...emailLayout(Object.fromEntries(rows.map(({ name, value }) => [name, value]))), isSet: rows.length > 0 };
  }

  async function renderEmail({ id, kind, content }: QueuedItem, brand: Awaited<ReturnType<typeof layout>>) {
    if (content === null) {
      if (!EMAIL_SOURCES[kind]) throw new Error(`unknown e-mail type ${kind}`);
      const email = await EMAIL_SOURCES[kind].email(context, id);
      return email && brand ? { ...email, html: brand.frame(email.subject, email.html) } : email;
    }
    const { to, template, data } = JSON.parse(decrypt(keys, content)) as MailRequest;
    return { to, ...(await renderTemplate(project, template, data, brand?.templates[template])) };
  }

  const queue = await startQueue(context, {
    channel: 'mail',
    sealedBy,
    async deliver(mail) {
      const brand = await layout();
      const email = await renderEmail(mail, brand);
      const name = mail.content === null ? 'message' : mail.kind;
      const from = brand?.isSet
        ? { name: oneLine(brand.sender), address: mailboxIn(config.mail.from) }
        : config.mail.from;
      const mark = EMAIL_SOURCES[mail.kind]?.markSent?.(mail.id);
      return email && (() => transport.deliver({ ...mail, name }, { from, ...email }).then(() => (mark ? [mark] : [])));
    },
  });
  return {
    async queue(tx: Connection, request: MailRequest): Promise<void> {
      await tx.query(QUEUE, [request.template, encrypt(keys, JSON.stringify(request)), sealedBy]);
    },
    layout,
    waiting: queue.waiting,
    check: async () => {
      const [reachable, { since }] = await Promise.all([transport.reachable(), queue.waiting()]);
      return { carrier: config.mail.kind, reachable, since };
    },
    /** Finishes the current e-mail; another process or the next start sends the rest. */
    close: async () => {
      await queue.close();
      await transport.close();
    },
  };
}

export const openTransport = ({ config }: Pick<BackendContext, 'config'>): MailTransport =>
  config.mail.kind === 'smtp' ? openSmtp(config.mail.url) : openOutbox(config.mail.folder);

const succeeds = (work: Promise<unknown>): Promise<boolean> => work.then(() => true).catch(() => false);

const TIMEOUT_MS = 15_000;

function openSmtp(url: string): MailTransport {
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = import('nodemailer').then(({ createTransport }) =>
    createTransport({ url, ...limits, disableFileAccess: true, disableUrlAccess: true }),
  );
  return {
    deliver: async ({ id }, message) => {
      const to = { name: '', address: message.to };
      const messageId = `<${id}@${new URL(url).hostname || 'localhost'}>`;
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await (await transport).sendMail({ ...message, to, messageId, headers });
    },
    reachable: () => succeeds(transport.then((smtp) => smtp.verify())),
    close: async () => (await transport).close(),
  };
}

/** Not encoded for old mail servers, so that links can be copied from the file. */
const readable = (type: string, content: string) =>
  `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`;

/** Writes `.eml` files instead of using SMTP; names sort by time, and a retry overwrites its own file. */
function openOutbox(folder: string): MailTransport {
  let composer: ReturnType<typeof loadComposer> | undefined;
  return {
    async deliver({ id, name, queuedAt }, { from, to, replyTo, subject, text, html }) {
      composer ??= loadComposer();
      const headers = { from, to: { name: '', address: to }, ...(replyTo ? { replyTo } : {}), subject };
      const alternatives = [{ raw: readable('text/plain', text) }, { raw: readable('text/html', html) }];
      const { message } = await (await composer).sendMail({ ...headers, alternatives });
      const time = queuedAt.toISOString().replace(/[:.]/g, '-');
      await writeDurably(join(folder, `${time}-${name}-${id.slice(0, 8)}.eml`), message as Buffer);
    },
    reachable: () => succeeds(mkdir(folder, { recursive: true }).then(() => access(folder, constants.W_OK))),
    close: async () => (await composer)?.close(),
  };
}

async function loadComposer() {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
}

import { join } from 'node:path';
import { decrypt, encrypt, sealingId } from '../auth/encrypt.ts';
import type { BackendContext } from '../context.ts';
import type { Connection, Statement } from '../database/database.ts';
import { contactMessages } from './contact/row.ts';
import { openOutbox } from './outbox.ts';
import { type Backlog, type QueuedMail, startQueue } from './queue.ts';
import { reviewSteps } from './review/row.ts';
import { openSmtp } from './smtp.ts';
import { takeOverFiles } from './take-over.ts';
import { fillTemplate, type TemplateData, type TemplateName } from './template.ts';

/** An e-mail to one mailbox. Values in `data` are escaped. */
export interface MailRequest {
  template: TemplateName;
  to: string;
  data: TemplateData;
}

export interface Message {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: { name: string; address: string };
}

export type Letter = Omit<Message, 'from'>;

/** Encrypted content of a queue row: a request to render when due, or a rendered e-mail of an earlier release. */
export type Content = MailRequest | { message: Letter };

export interface Carrier {
  /**
   * Resolves when the mail server or outbox has accepted the message.
   * @param mail.id stable across retries, so that mailboxes can drop duplicates
   * @param mail.name kind of e-mail
   * @throws Error when the mail server is unreachable or refuses
   */
  deliver(mail: { id: string; name: string; queuedAt: Date }, message: Message): Promise<void>;
  reachable(): Promise<boolean>;
  close(): Promise<void>;
}

/** Product rows sent by e-mail. A trigger queues the e-mail under the row's id. */
export interface MailedRows {
  letter(context: BackendContext, id: string): Promise<Letter | null>;
  mailed(id: string): Statement;
}

const ROWS: Record<string, MailedRows> = { contact_message: contactMessages, review_step: reviewSteps };

export interface Mail {
  queue(tx: Connection, request: MailRequest): Promise<void>;
  waiting(): Promise<Backlog>;
  check(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean; since: Date | null }>;
  /** Finishes the current e-mail; another process or the next start sends the rest. */
  close(): Promise<void>;
}

// Links in e-mails are valid for an hour; later delivery is useless.
const QUEUE = `insert into internal.mails (kind, content, sealed_by, give_up_at)
  values ($1, $2, $3, clock_timestamp() + interval '1 hour')`;

export async function createMail(context: BackendContext, carrier = carrierOf(context)): Promise<Mail> {
  const { config, project, keys } = context;
  const sealedBy = sealingId(keys);

  async function letterOf({ id, kind, content }: QueuedMail): Promise<Letter | null> {
    if (content === null) {
      if (!ROWS[kind]) throw new Error(`unknown e-mail type ${kind}`);
      return ROWS[kind].letter(context, id);
    }
    const opened = JSON.parse(decrypt(keys, content)) as Content;
    if ('message' in opened) return opened.message;
    return { to: opened.to, ...(await fillTemplate(project, opened.template, opened.data)) };
  }

  if (config.mail.kind === 'smtp') await takeOverFiles(context, join(config.dataDir, 'outbox', 'smtp'));
  const queue = await startQueue(context, {
    sealedBy,
    async deliver(mail) {
      const letter = await letterOf(mail);
      const name = mail.content === null ? 'message' : mail.kind;
      return letter && (() => carrier.deliver({ ...mail, name }, { from: config.mail.from, ...letter }));
    },
    delivered: ({ id, kind }) => (ROWS[kind] ? [ROWS[kind].mailed(id)] : []),
  });
  return {
    async queue(tx, request) {
      await tx.query(QUEUE, [request.template, encrypt(keys, JSON.stringify(request)), sealedBy]);
    },
    waiting: () => queue.waiting(),
    check: async () => {
      const [reachable, { since }] = await Promise.all([carrier.reachable(), queue.waiting()]);
      return { carrier: config.mail.kind, reachable, since };
    },
    close: async () => {
      await queue.close();
      await carrier.close();
    },
  };
}

export const carrierOf = ({ config }: Pick<BackendContext, 'config'>): Carrier =>
  config.mail.kind === 'smtp' ? openSmtp(config.mail.url) : openOutbox(config.mail.folder);

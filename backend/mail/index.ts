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

/** A mail to one mailbox. What stands in `data` appears as text, whatever it holds. */
export interface MailRequest {
  template: TemplateName;
  to: string;
  data: TemplateData;
}

/** A filled mail. */
export interface Message {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Whoever an answer should reach, when that is not the sender. */
  replyTo?: { name: string; address: string };
}

export type Letter = Omit<Message, 'from'>;

/** What is sealed in a row of the queue: what fills a template when its turn has come, or a mail that was filled before. */
export type Content = MailRequest | { message: Letter };

/** Where filled mails go. */
export interface Carrier {
  /**
   * Resolves when the mail server, or the outbox, has taken the message.
   * @param mail.id the same for the same message, also when it is sent again: mailboxes show what arrives twice only once
   * @param mail.name what kind of mail it is
   * @throws Error when the mail server is away or refuses
   */
  deliver(mail: { id: string; name: string; queuedAt: Date }, message: Message): Promise<void>;
  /** Whether it would take a message now. Nothing is sent. */
  reachable(): Promise<boolean>;
  close(): Promise<void>;
}

/** Rows of the product that are mailed. A trigger of theirs queues the mail, under the row's id. */
export interface MailedRows {
  /** The mail of a row, written when its turn has come; null when nobody wants it any more. */
  letter(context: BackendContext, id: string): Promise<Letter | null>;
  /** Marks the row, in the transaction that takes its mail off the queue. */
  mailed(id: string): Statement;
}

const ROWS: Record<string, MailedRows> = { contact_message: contactMessages, review_step: reviewSteps };

export interface Mail {
  /** Queues a mail in the transaction that causes it; it leaves once that has committed. */
  queue(tx: Connection, request: MailRequest): Promise<void>;
  waiting(): Promise<Backlog>;
  /** What carries the mails, whether it would take one now, and since when the oldest waits. Nothing is sent. */
  check(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean; since: Date | null }>;
  /** Finishes what is being sent; what still waits is sent by another process, or after the next start. */
  close(): Promise<void>;
}

// Links in mails live an hour; a mail that is later than this says nothing true any more.
const QUEUE = `insert into internal.mails (kind, content, sealed_by, give_up_at)
  values ($1, $2, $3, clock_timestamp() + interval '1 hour')`;

/** Opens the queue of all mails, which is in the database, and begins to deliver what waits there. */
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

/** By SMTP, or as readable `.eml` files in the outbox. */
export const carrierOf = ({ config }: Pick<BackendContext, 'config'>): Carrier =>
  config.mail.kind === 'smtp' ? openSmtp(config.mail.url) : openOutbox(config.mail.folder);

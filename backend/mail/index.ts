import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { openOutbox } from './outbox.ts';
import { openSmtpQueue } from './smtp-queue.ts';
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

/** Where filled mails go. */
export interface Carrier {
  /** Resolves when the message is safely on disk. */
  put(template: TemplateName, message: Message): Promise<void>;
  /**
   * Resolves when the mail server, or the outbox, has taken the message.
   * @param id the same for the same message, also when it is sent again
   */
  deliver(id: string, message: Message): Promise<void>;
  readonly waiting: number;
  /** When the oldest that waits was put; null when none does. */
  readonly oldest: Date | null;
  /** Whether it would take a message now. Nothing is sent. */
  reachable(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Mail {
  /** Queues a mail and returns at once; what goes wrong is logged. */
  send(request: MailRequest): void;
  /**
   * Delivers a message that its owner keeps until this resolves, and tries again when it does not.
   * @param id the same for the same message: mailboxes show what arrives twice only once
   * @throws Error when the mail server is away or refuses
   */
  deliver(id: string, message: Omit<Message, 'from'>): Promise<void>;
  /** Mails that were accepted and are not yet delivered (SMTP) or written (outbox). */
  readonly pending: number;
  /** When the oldest of them was accepted; null when none waits, or it is not yet on disk. */
  readonly oldest: Date | null;
  /** What carries the mails, and whether it would take one now. Nothing is sent. */
  check(): Promise<{ carrier: 'smtp' | 'outbox'; reachable: boolean }>;
  /** Finishes what is being written or sent; what still waits is sent after the next start. */
  close(): Promise<void>;
}

/** Sends by SMTP through a queue of files in DATA_DIR that survives a restart, or leaves readable `.eml` files in the outbox. */
export function createMail(config: Config, project: SupabaseProject, log: Logger): Mail {
  const carrier: Carrier =
    config.mail.kind === 'smtp'
      ? openSmtpQueue(join(config.dataDir, 'outbox', 'smtp'), config.mail.url, log)
      : openOutbox(config.mail.folder);
  const accepted = new Set<Promise<void>>();
  return {
    send: ({ template, to, data }) => {
      const done = fillTemplate(project, template, data)
        .then((filled) => carrier.put(template, { from: config.mail.from, to, ...filled }))
        .catch((err: unknown) => log.error({ err, template }, 'a mail could not be queued'))
        .finally(() => accepted.delete(done));
      accepted.add(done);
    },
    deliver: (id, message) => carrier.deliver(id, { from: config.mail.from, ...message }),
    get pending() {
      return accepted.size + carrier.waiting;
    },
    get oldest() {
      return carrier.oldest;
    },
    check: async () => ({ carrier: config.mail.kind, reachable: await carrier.reachable() }),
    close: async () => {
      while (accepted.size) await Promise.all(accepted);
      await carrier.close();
    },
  };
}

import type { Mail } from '../mail/index.ts';
import type { Parts } from '../parts.ts';
import { type ContactMessage, letterFor, mailboxIn } from './letter.ts';

const CHANNEL = 'contact_message';
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;
const SWEEP_EVERY_MS = 60 * 60_000;
const MAILBOX = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** What mails the messages of the contact form, beside the requests. */
export interface ContactMail {
  /** Stops waiting and finishes the mail that is under way; what is left is sent after the next start. */
  close(): Promise<void>;
}

/**
 * Mails each message of the contact form to the agency, once the mail server takes it: when the database tells of a new
 * one, after a start, and again with growing pauses while the mail server is away. The row is the queue, so a message
 * outlives whatever happens to its mail. A project without contact messages is left alone.
 */
export async function startContactMail(parts: Parts, mail: Mail): Promise<ContactMail> {
  if (!(await hasMessages(parts))) return { close: async () => {} };
  const { db, log } = parts;
  let closed = false;
  let again: NodeJS.Timeout | undefined;
  let failures = 0;
  let running: Promise<void> | null = null;
  let asked = false;

  function look(): void {
    asked = true;
    if (closed || running) return;
    clearTimeout(again);
    running = mailAll().finally(() => {
      running = null;
      if (asked) look();
    });
  }

  async function mailAll(): Promise<void> {
    asked = false;
    try {
      while (!closed && (await mailSome(parts, mail, () => closed)) > 0);
      failures = 0;
    } catch (error) {
      const wait = Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS);
      // What was asked for meanwhile waits like the rest: the mail server is away for all of them.
      asked = false;
      if (closed) return;
      log.warn({ reason: (error as Error).message.slice(0, 200), wait }, 'contact messages could not be mailed yet');
      again = setTimeout(look, wait).unref();
    }
  }

  await db.listen(CHANNEL, look);
  look();
  let sweeping = sweep(parts);
  const everyHour = setInterval(() => {
    sweeping = sweep(parts);
  }, SWEEP_EVERY_MS).unref();
  return {
    async close() {
      closed = true;
      clearTimeout(again);
      clearInterval(everyHour);
      await running;
      await sweeping;
    },
  };
}

async function hasMessages({ db }: Parts): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>(
    `select to_regprocedure('private.unmailed_messages()') is not null as there`,
  );
  return rows[0]!.there;
}

/** Mails what waits, oldest first. @returns how many. @throws Error when some could not be mailed */
async function mailSome({ db, config }: Parts, mail: Mail, stopped: () => boolean): Promise<number> {
  const { rows } = await db.query<ContactMessage>('select * from private.unmailed_messages()');
  if (rows.length === 0) return 0;
  const { rows: found } = await db.query<{ mailbox: string | null }>('select private.agency_mailbox() as mailbox');
  const configured = found[0]!.mailbox;
  const to = configured && MAILBOX.test(configured) ? configured : mailboxIn(config.mail.from);
  let refusal: unknown = null;
  for (const message of rows) {
    if (stopped()) return 0;
    try {
      await mail.deliver(message.id, letterFor(message, to));
    } catch (error) {
      // A server that answers may refuse this one alone; one that does not answer will not take the next either.
      if (!(error as { responseCode?: number }).responseCode) throw error;
      refusal = error;
      continue;
    }
    await db.query('select private.message_mailed($1)', [message.id]);
  }
  if (refusal) throw refusal;
  return rows.length;
}

const sweep = ({ db, log }: Parts): Promise<void> =>
  db
    .batch([{ text: 'select private.sweep_contact_messages()' }, { text: 'select private.sweep_reading_counts()' }])
    .then(
      () => {},
      (err: unknown) => log.warn({ err }, 'old contact messages and reading counts were not swept'),
    );

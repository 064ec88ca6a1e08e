import type { BackendContext } from '../context.ts';
import type { Mail, Message } from './index.ts';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;
const MAILBOX = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** Mails that wait, and since when the oldest does; null when none does. */
export interface Backlog {
  waiting: number;
  oldest: Date | null;
}

/** Rows that want to be mailed: the row is the queue (docs/decisions/012). */
export interface QueuedRows {
  /** The database notifies it when there is a new row. */
  channel: string;
  /** A routine that only projects with such rows have, as `to_regprocedure` reads it. */
  routine: string;
  /** What waits, oldest first, but for the rows just refused. `letter` is asked for when its turn has come. */
  waiting(
    context: BackendContext,
    refused: readonly string[],
  ): Promise<{ id: string; letter: () => Promise<Omit<Message, 'from'>> }[]>;
  /** Counts all that waits: `waiting`, and since when the `oldest` does. */
  backlog: string;
  /** Marks a row whose mail the mail server, or the outbox, has taken. */
  mailed(context: BackendContext, id: string): Promise<void>;
}

/** What mails rows, beside the requests. */
export interface MailQueue {
  /** How many rows wait, and since when the oldest does. */
  backlog(): Promise<Backlog>;
  /** Stops waiting and finishes the mail that is under way; what is left is sent after the next start. */
  close(): Promise<void>;
}

/**
 * Mails each row of the queues once the mail server takes it: when the database tells of a new one, after a start, and
 * again with growing pauses while the mail server is away. A queue that the project does not have is left alone.
 * @param mayMark false while the database takes no writes: what cannot be marked as mailed would be mailed again and again
 */
export async function startMailQueue(
  context: BackendContext,
  mail: Mail,
  offered: readonly QueuedRows[],
  mayMark: () => Promise<boolean> = async () => true,
): Promise<MailQueue> {
  const { db, log } = context;
  const queues: QueuedRows[] = [];
  for (const queue of offered) if (await isThere(context, queue)) queues.push(queue);
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
      if (!(await mayMark())) throw new Error('there is no room to mark what was mailed');
      let refusal: unknown = null;
      for (const queue of queues)
        await mailQueue(context, mail, queue, () => closed).catch((error: unknown) => {
          // A refused row keeps no other back; a server that is away keeps back all.
          if (!isAnswer(error)) throw error;
          refusal = error;
        });
      if (refusal) throw refusal;
      failures = 0;
    } catch (error) {
      const wait = Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS);
      // What was asked for meanwhile waits like the rest: the mail server is away for all of them.
      asked = false;
      if (closed) return;
      log.warn({ reason: (error as Error).message.slice(0, 200), wait }, 'some rows could not be mailed yet');
      again = setTimeout(look, wait).unref();
    }
  }

  if (queues.length === 0) return { backlog: async () => NONE, close: async () => {} };
  for (const { channel } of queues) await db.listen(channel, look);
  look();
  return {
    async backlog() {
      const all = await Promise.all(queues.map((queue) => db.query<Backlog>(queue.backlog)));
      return all.map(({ rows }) => rows[0]!).reduce(together, NONE);
    },
    async close() {
      closed = true;
      clearTimeout(again);
      await running;
    },
  };
}

const NONE: Backlog = { waiting: 0, oldest: null };

/** Of two backlogs one. */
export const together = (one: Backlog, other: Backlog): Backlog => ({
  waiting: one.waiting + other.waiting,
  oldest: one.oldest && other.oldest && other.oldest < one.oldest ? other.oldest : (one.oldest ?? other.oldest),
});

async function isThere({ db }: BackendContext, { routine }: QueuedRows): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>('select to_regprocedure($1) is not null as there', [routine]);
  return rows[0]!.there;
}

/** A server that answers may refuse one mail alone; one that does not answer will not take the next either. */
const isAnswer = (error: unknown): boolean => Boolean((error as { responseCode?: number }).responseCode);

/** Mails what waits, past what is refused, until nothing else does. @throws Error when some could not be mailed */
async function mailQueue(
  context: BackendContext,
  mail: Mail,
  queue: QueuedRows,
  stopped: () => boolean,
): Promise<void> {
  const refused: string[] = [];
  let refusal: unknown = null;
  while (!stopped()) {
    const rows = await queue.waiting(context, refused);
    if (rows.length === 0) break;
    for (const { id, letter } of rows) {
      if (stopped()) return;
      try {
        await mail.deliver(id, await letter());
      } catch (error) {
        if (!isAnswer(error)) throw error;
        refusal = error;
        refused.push(id);
        continue;
      }
      await queue.mailed(context, id);
    }
  }
  if (refusal) throw refusal;
}

/** The mailbox of the agency: the one in its settings, or else where its mails come from. */
export async function agencyMailbox({ db, config }: BackendContext): Promise<string> {
  const { rows } = await db.query<{ mailbox: string | null }>('select private.agency_mailbox() as mailbox');
  const configured = rows[0]!.mailbox;
  return configured && MAILBOX.test(configured) ? configured : mailboxIn(config.mail.from);
}

/** The mailbox of `Madhouse <hello@madhouse.example>`. */
const mailboxIn = (from: string): string => (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a value would start a header.
export const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

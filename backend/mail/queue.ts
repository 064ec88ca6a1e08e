import { randomUUID } from 'node:crypto';
import type { BackendContext } from '../context.ts';
import { essentialWrites, type Statement } from '../database/database.ts';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Whoever has claimed a mail and is not heard of for so long has died; then it is anybody's again. */
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
/** At the end the mail server may take so long for the mail it is being given; the mail is kept, and sent again. */
const LAST_MS = 1_000;
/** The least between two looks for what is due: another process may just be claiming it. */
const LEAST_WAIT_MS = 200;

/** A mail that this process has claimed. */
export interface QueuedMail {
  id: string;
  kind: string;
  /** Sealed; null when it is written from the row that has its id. */
  content: string | null;
  queuedAt: Date;
  attempts: number;
}

export interface Delivery {
  /** Of the key that opens the contents we can read. */
  sealedBy: string;
  /**
   * Writes a mail.
   * @returns what hands it over, and throws when the mail server is away or refuses; null when nobody wants it any more
   */
  deliver(mail: QueuedMail): Promise<(() => Promise<void>) | null>;
  /** What else is written down in the transaction that takes it off the queue. */
  delivered(mail: QueuedMail): Statement[];
}

/** Mails that were neither delivered nor given up, and since when the oldest waits. */
export interface Backlog {
  mails: number;
  since: Date | null;
}

export interface Queue {
  waiting(): Promise<Backlog>;
  /** Stops claiming mails and finishes the one that is under way, or gives it back. */
  close(): Promise<void>;
}

/** How nodemailer says what went wrong, and what the server answered. */
type SendError = Error & { code?: string; responseCode?: number };

const CLOSING = new Error('The mail service is closing.');
const OPEN = 'failed_at is null and (sealed_by is null or sealed_by = $1)';

// Skips what another process is claiming at this moment, so that no two get the same.
const CLAIM = `with due as (
    select id from internal.mails where ${OPEN} and due_at <= now() order by due_at limit 1 for update skip locked
  )
  update internal.mails mail
    set claimed_by = $2, attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  from due where mail.id = due.id
  returning mail.id, kind, content, queued_at as "queuedAt", attempts`;
const NEXT_DUE = `select extract(epoch from min(due_at) - now())::float8 * 1000 as ms from internal.mails where ${OPEN}`;
const RENEW = `update internal.mails set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where id = $1 and claimed_by = $2`;
const GIVE_BACK = `update internal.mails set claimed_by = null, attempts = attempts - 1, due_at = now()
  where id = $1 and claimed_by = $2`;
// What is never given up is tried again also when the server says never: its mailbox may be set right.
const NOT_DELIVERED = `update internal.mails set claimed_by = null, due_at = now() + make_interval(secs => $3),
    failed_at = case when give_up_at < now() or ($4 and give_up_at is not null) then now() end
  where id = $1 and claimed_by = $2 returning failed_at is not null as "givenUp"`;
/** What waits for a server that does not answer, or for a key that nobody has, is not tried one by one. */
export const GIVE_UP_LATE = `update internal.mails set failed_at = now(), claimed_by = null
  where failed_at is null and give_up_at < now() and (claimed_by is null or due_at <= now()) returning kind as template, attempts`;
export const FORGET_FAILED = "delete from internal.mails where failed_at < now() - interval '30 days'";

/**
 * Delivers the mails of `internal.mails` one after another: as soon as one is queued, what waits after a start, and again
 * with growing pauses what was not taken. Each is claimed for half a minute and renewed while it is under way, so several
 * processes share the work, and what one of them was doing when it died is done by another.
 */
export async function startQueue({ db, log }: BackendContext, delivery: Delivery): Promise<Queue> {
  const self = randomUUID();
  const { sealedBy } = delivery;
  // Goes on with little room on the disk: what is not written down as delivered would be delivered again.
  const essential = essentialWrites(db);
  /** Delivered, and not yet written down: first of all before anything else is claimed. */
  const delivered: QueuedMail[] = [];
  let closed = false;
  let leaveOff = () => {};
  const leaving = new Promise<never>((_, reject) => {
    leaveOff = () => reject(CLOSING);
  });
  leaving.catch(() => {});
  let again: NodeJS.Timeout | undefined;
  let failures = 0;
  let running: Promise<void> | null = null;
  let asked = false;

  function look(): void {
    asked = true;
    if (closed || running) return;
    clearTimeout(again);
    running = deliverAll().finally(() => {
      running = null;
      if (asked) look();
    });
  }

  async function deliverAll(): Promise<void> {
    asked = false;
    let wait: number | null;
    try {
      await writeDown();
      for (let mail = await claim(); mail; mail = await claim()) await attempt(mail);
      failures = 0;
      wait = await untilNextDue();
    } catch (error) {
      // What was asked for meanwhile waits like the rest: the mail server, or the database, is away for all of them.
      asked = false;
      wait = pause(++failures);
      if (!closed) log.warn({ reason: (error as Error).message.slice(0, 200), wait }, 'mails wait');
    }
    if (!closed && wait !== null) again = setTimeout(look, wait).unref();
  }

  async function claim(): Promise<QueuedMail | undefined> {
    if (closed) return undefined;
    return (await db.query<QueuedMail>(CLAIM, [sealedBy, self])).rows[0];
  }

  async function untilNextDue(): Promise<number | null> {
    const { ms } = (await db.query<{ ms: number | null }>(NEXT_DUE, [sealedBy])).rows[0]!;
    return ms === null ? null : Math.min(Math.max(ms, LEAST_WAIT_MS), LONGEST_WAIT_MS);
  }

  async function writeDown(): Promise<void> {
    for (let mail = delivered[0]; mail; mail = delivered[0]) {
      const done = { text: 'delete from internal.mails where id = $1', values: [mail.id] };
      await essential.batch([done, ...delivery.delivered(mail)]);
      delivered.shift();
    }
  }

  /** @throws Error when the mail server does not answer, or the database */
  async function attempt(mail: QueuedMail): Promise<void> {
    let handOver: (() => Promise<void>) | null;
    try {
      handOver = await delivery.deliver(mail);
    } catch (error) {
      return notDelivered(mail, error as Error);
    }
    if (handOver) {
      const claimed = setInterval(() => db.query(RENEW, [mail.id, self]).catch(() => {}), RENEW_MS);
      try {
        await Promise.race([handOver(), leaving]);
      } catch (error) {
        if (error === CLOSING) return void (await db.query(GIVE_BACK, [mail.id, self]));
        await notDelivered(mail, error as SendError);
        // A server that answers may refuse one mail alone; one that does not answer will not take the next either.
        if ((error as SendError).responseCode) return;
        await giveUpLate();
        throw error;
      } finally {
        clearInterval(claimed);
      }
    }
    delivered.push(mail);
    await writeDown();
  }

  async function notDelivered({ id, kind, attempts }: QueuedMail, error: SendError): Promise<void> {
    const about = { template: kind, attempts, code: error.responseCode, reason: error.message.slice(0, 200) };
    // Only what is said about this mail: a refused login is about us, and will be set right.
    const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
    const forGood = isAboutMail && (error.responseCode ?? 0) >= 500;
    const wait = pause(attempts);
    const { rows } = await db.query<{ givenUp: boolean }>(NOT_DELIVERED, [id, self, wait / 1000, forGood]);
    if (rows[0]?.givenUp) log.error(about, 'e-mail given up');
    else log.warn({ ...about, wait }, 'e-mail delivery failed, retrying');
  }

  async function giveUpLate(): Promise<void> {
    for (const about of (await db.query(GIVE_UP_LATE)).rows) log.error(about, 'e-mail given up');
  }

  // An embedded database has one process: whoever claimed a mail before is gone.
  if (db.engine === 'pglite')
    await db.query('update internal.mails set claimed_by = null, due_at = now() where claimed_by is not null');
  await db.listen('mails', look);
  look();
  return {
    async waiting() {
      const { rows } = await db.query<Backlog>(
        'select count(*)::int as mails, min(queued_at) as since from internal.mails where failed_at is null',
      );
      return rows[0]!;
    },
    async close() {
      closed = true;
      clearTimeout(again);
      const late = setTimeout(leaveOff, LAST_MS);
      await running;
      clearTimeout(late);
    },
  };
}

const pause = (attempts: number): number => Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);

import { randomUUID } from 'node:crypto';
import type { BackendContext } from '../context.ts';
import { allowEssentialWrites, type Statement } from '../database/database.ts';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** A claim without renewal expires after this time, and another process takes the e-mail. */
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
/** On close, how long the mail server may take to accept the current e-mail before it is released for a retry. */
const LAST_MS = 1_000;
const LEAST_WAIT_MS = 200;

export interface QueuedMail {
  id: string;
  kind: string;
  content: string | null;
  queuedAt: Date;
  attempts: number;
}

export interface Delivery {
  sealedBy: string;
  /**
   * Renders an e-mail.
   * @returns sends it, and throws when the mail server is unreachable or refuses; null when no longer needed
   */
  deliver(mail: QueuedMail): Promise<(() => Promise<void>) | null>;
  delivered(mail: QueuedMail): Statement[];
}

export interface Backlog {
  mails: number;
  since: Date | null;
}

export interface Queue {
  waiting(): Promise<Backlog>;
  close(): Promise<void>;
}

type SendError = Error & { code?: string; responseCode?: number };

const CLOSING = new Error('The mail service is closing.');
const OPEN = 'failed_at is null and (sealed_by is null or sealed_by = $1)';

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
// Without `give_up_at`, retries even after a permanent refusal: the mailbox may be corrected.
const NOT_DELIVERED = `update internal.mails set claimed_by = null, due_at = now() + make_interval(secs => $3),
    failed_at = case when give_up_at < now() or ($4 and give_up_at is not null) then now() end
  where id = $1 and claimed_by = $2 returning failed_at is not null as "givenUp"`;
/** Expires e-mails in bulk while the server is unreachable or their key is missing. */
export const GIVE_UP_LATE = `update internal.mails set failed_at = now(), claimed_by = null
  where failed_at is null and give_up_at < now() and (claimed_by is null or due_at <= now()) returning kind as template, attempts`;
export const FORGET_FAILED = "delete from internal.mails where failed_at < now() - interval '30 days'";

/**
 * Delivers `internal.mails` one at a time: on notification, after a start, and with growing pauses after failures.
 * Claims are leased and renewed, so that processes share the work and take over from a crashed one.
 */
export async function startQueue({ db, log }: BackendContext, delivery: Delivery): Promise<Queue> {
  const self = randomUUID();
  const { sealedBy } = delivery;
  // Continues with a nearly full disk: otherwise delivered e-mails would be sent again.
  const essential = allowEssentialWrites(db);
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
      // Also covers notifications received meanwhile: the mail server or database is unavailable for all of them.
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
        // A responding server may have refused only this e-mail; otherwise the next would fail too.
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
    // Only errors about this e-mail are permanent: a refused login is a configuration error that will be fixed.
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

  // An embedded database has a single process: earlier claims are stale.
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

import { randomUUID } from 'node:crypto';
import type { BackendContext } from '../context.ts';
import { allowEssentialWrites, type Statement } from '../database/database.ts';

const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 5 * 60_000;
/** A claim without renewal expires after this time, and another process takes the e-mail. */
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
/** On close, how long the mail server may take to accept the current e-mail before it is released for a retry. */
const CLOSE_TIMEOUT_MS = 1_000;
const MIN_WAIT_MS = 200;

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

type SendError = Error & { code?: string; responseCode?: number };

const CLOSING = new Error('The mail service is closing.');
const PENDING = 'failed_at is null and (sealed_by is null or sealed_by = $1)';

const CLAIM = `with due as (
    select id from internal.mails where ${PENDING} and due_at <= now() order by due_at limit 1 for update skip locked
  )
  update internal.mails mail
    set claimed_by = $2, attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  from due where mail.id = due.id
  returning mail.id, kind, content, queued_at as "queuedAt", attempts`;
const NEXT_DUE = `select extract(epoch from min(due_at) - now())::float8 * 1000 as ms from internal.mails where ${PENDING}`;
const RENEW = `update internal.mails set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where id = $1 and claimed_by = $2`;
const RELEASE = `update internal.mails set claimed_by = null, attempts = attempts - 1, due_at = now()
  where id = $1 and claimed_by = $2`;
// Without `give_up_at`, retries even after a permanent refusal: the mailbox may be corrected.
const RESCHEDULE = `update internal.mails set claimed_by = null, due_at = now() + make_interval(secs => $3),
    failed_at = case when give_up_at < now() or ($4 and give_up_at is not null) then now() end
  where id = $1 and claimed_by = $2 returning failed_at is not null as "givenUp"`;
/** Expires e-mails in bulk while the server is unreachable or their key is missing. */
export const EXPIRE_MAILS = `update internal.mails set failed_at = now(), claimed_by = null
  where failed_at is null and give_up_at < now() and (claimed_by is null or due_at <= now()) returning kind as template, attempts`;
export const DELETE_FAILED_MAILS = "delete from internal.mails where failed_at < now() - interval '30 days'";

/**
 * Delivers `internal.mails` one at a time: on notification, after a start, and with growing pauses after failures.
 * Claims are leased and renewed, so that processes share the work and take over from a crashed one.
 */
export async function startQueue({ db, log }: BackendContext, delivery: Delivery) {
  const self = randomUUID();
  const { sealedBy } = delivery;
  // Continues with a nearly full disk: otherwise delivered e-mails would be sent again.
  const essentialDb = allowEssentialWrites(db);
  const delivered: QueuedMail[] = [];
  let closed = false;
  let abandon = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(CLOSING);
  });
  abandoned.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let running: Promise<void> | null = null;
  let isNotified = false;

  function wake(): void {
    isNotified = true;
    if (closed || running) return;
    clearTimeout(timer);
    running = deliverAll().finally(() => {
      running = null;
      if (isNotified) wake();
    });
  }

  async function deliverAll(): Promise<void> {
    isNotified = false;
    let wait: number | null;
    try {
      await recordDelivered();
      for (let mail = await claim(); mail; mail = await claim()) await attempt(mail);
      failures = 0;
      wait = await untilNextDue();
    } catch (error) {
      // Also covers notifications received meanwhile: the mail server or database is unavailable for all of them.
      isNotified = false;
      wait = retryDelay(++failures);
      if (!closed) log.warn({ reason: (error as Error).message.slice(0, 200), wait }, 'mails wait');
    }
    if (!closed && wait !== null) timer = setTimeout(wake, wait).unref();
  }

  async function claim(): Promise<QueuedMail | undefined> {
    if (closed) return undefined;
    return (await db.query<QueuedMail>(CLAIM, [sealedBy, self])).rows[0];
  }

  async function untilNextDue(): Promise<number | null> {
    const { ms } = (await db.query<{ ms: number | null }>(NEXT_DUE, [sealedBy])).rows[0]!;
    return ms === null ? null : Math.min(Math.max(ms, MIN_WAIT_MS), MAX_WAIT_MS);
  }

  async function recordDelivered(): Promise<void> {
    for (let mail = delivered[0]; mail; mail = delivered[0]) {
      const done = { text: 'delete from internal.mails where id = $1', values: [mail.id] };
      await essentialDb.batch([done, ...delivery.delivered(mail)]);
      delivered.shift();
    }
  }

  async function attempt(mail: QueuedMail): Promise<void> {
    let send: (() => Promise<void>) | null;
    try {
      send = await delivery.deliver(mail);
    } catch (error) {
      return reschedule(mail, error as Error);
    }
    if (send) {
      const renewing = setInterval(() => db.query(RENEW, [mail.id, self]).catch(() => {}), RENEW_MS);
      try {
        await Promise.race([send(), abandoned]);
      } catch (error) {
        if (error === CLOSING) return void (await db.query(RELEASE, [mail.id, self]));
        await reschedule(mail, error as SendError);
        // A responding server may have refused only this e-mail; otherwise the next would fail too.
        if ((error as SendError).responseCode) return;
        await expireMails();
        throw error;
      } finally {
        clearInterval(renewing);
      }
    }
    delivered.push(mail);
    await recordDelivered();
  }

  async function reschedule({ id, kind, attempts }: QueuedMail, error: SendError): Promise<void> {
    const fields = { template: kind, attempts, code: error.responseCode, reason: error.message.slice(0, 200) };
    // Only errors about this e-mail are permanent: a refused login is a configuration error that will be fixed.
    const isAboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
    const isPermanent = isAboutMail && (error.responseCode ?? 0) >= 500;
    const wait = retryDelay(attempts);
    const { rows } = await db.query<{ givenUp: boolean }>(RESCHEDULE, [id, self, wait / 1000, isPermanent]);
    if (rows[0]?.givenUp) log.error(fields, 'e-mail given up');
    else log.warn({ ...fields, wait }, 'e-mail delivery failed, retrying');
  }

  async function expireMails(): Promise<void> {
    for (const fields of (await db.query(EXPIRE_MAILS)).rows) log.error(fields, 'e-mail given up');
  }

  // An embedded database has a single process: earlier claims are stale.
  if (db.engine === 'pglite')
    await db.query('update internal.mails set claimed_by = null, due_at = now() where claimed_by is not null');
  await db.listen('mails', wake);
  wake();
  return {
    async waiting(): Promise<Backlog> {
      const { rows } = await db.query<Backlog>(
        'select count(*)::int as mails, min(queued_at) as since from internal.mails where failed_at is null',
      );
      return rows[0]!;
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      const timeout = setTimeout(abandon, CLOSE_TIMEOUT_MS);
      await running;
      clearTimeout(timeout);
    },
  };
}

const retryDelay = (attempts: number): number => Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), MAX_WAIT_MS);

import { randomUUID } from 'node:crypto';
import type { BackendContext } from '../context.ts';
import { allowEssentialWrites, findRow, type Statement } from '../database/database.ts';

const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 5 * 60_000;
/** A claim without renewal expires after this time, and another process takes the item. */
const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
/** On close, how long the receiver may take to accept the current item before it is released for a retry. */
const CLOSE_TIMEOUT_MS = 1_000;
const MIN_WAIT_MS = 200;

export type QueuedItem = { id: string; kind: string; content: string | null; queuedAt: Date; attempts: number };

export interface Delivery {
  /** All e-mails have one server, whose failure pauses the channel; each webhook has its own. */
  channel: 'mail' | 'webhook';
  concurrency?: number;
  maxWaitMs?: number;
  sealedBy: string;
  /** @returns sends it, and the statements to run when it is removed; null when no longer needed */
  deliver(item: QueuedItem): Promise<(() => Promise<Statement[]>) | null>;
}

type SendError = Error & { code?: string; command?: string; responseCode?: number };

const CLOSING = new Error('The queue is closing.');
const PENDING = 'failed_at is null and (sealed_by is null or sealed_by = $1) and channel = $2';

const CLAIM = `with due as (
    select id from internal.mails where ${PENDING} and due_at <= now() order by due_at limit 1 for update skip locked
  )
  update internal.mails mail
    set claimed_by = $3, attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  from due where mail.id = due.id
  returning mail.id, kind, content, queued_at as "queuedAt", attempts`;
const NEXT_DUE = `select extract(epoch from min(due_at) - now())::float8 * 1000 as ms from internal.mails where ${PENDING}`;
const RENEW = `update internal.mails set due_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where id = $1 and claimed_by = $2`;
const RELEASE = `update internal.mails set claimed_by = null, attempts = attempts - 1, due_at = now()
  where id = $1 and claimed_by = $2`;
const RELEASE_ALL =
  'update internal.mails set claimed_by = null, due_at = now() where claimed_by is not null and channel = $1';
const WAITING =
  'select count(*)::int as mails, min(queued_at) as since from internal.mails where failed_at is null and channel = $1';
// Without `give_up_at`, retries even after a permanent refusal: the mailbox may be corrected.
const RESCHEDULE = `update internal.mails set claimed_by = null, due_at = now() + make_interval(secs => $3),
    failed_at = case when give_up_at < now() or ($4 and give_up_at is not null) then now() end
  where id = $1 and claimed_by = $2 returning failed_at is not null as "givenUp"`;
/** Expires items in bulk while the server is unreachable or their key is missing. */
export const EXPIRE_MAILS = `update internal.mails set failed_at = now(), claimed_by = null
  where failed_at is null and give_up_at < now() and (claimed_by is null or due_at <= now()) returning kind, attempts`;
export const DELETE_FAILED_MAILS = "delete from internal.mails where failed_at < now() - interval '30 days'";

/**
 * Delivers on notification, after a start, and with growing pauses after failures. Claims are leased and renewed, so
 * that processes share the work and take over from a crashed one.
 */
export async function startQueue({ db, log }: BackendContext, delivery: Delivery) {
  const self = randomUUID();
  const { channel, concurrency = 1, maxWaitMs = MAX_WAIT_MS, sealedBy } = delivery;
  const retryDelay = (attempts: number) => Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), maxWaitMs);
  // Continues with a nearly full disk: otherwise delivered items would be sent again.
  const essentialDb = allowEssentialWrites(db);
  const delivered = new Map<string, Statement[]>();
  const loops = new Set<Promise<void>>();
  let closed = false;
  const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
  abandoned.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let running: Promise<void> | null = null;
  let isNotified = false;

  function wake(): void {
    isNotified = true;
    if (closed) return;
    if (running) {
      if (loops.size) startLoops();
      return;
    }
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
      for (const fields of (await essentialDb.query(EXPIRE_MAILS)).rows) log.error(fields, 'delivery gave up');
      startLoops();
      while (loops.size) await Promise.all(loops);
      failures = 0;
      wait = await untilNextDue();
    } catch (error) {
      // Also covers notifications received meanwhile: the server or database is unavailable for all of them.
      isNotified = false;
      wait = retryDelay(++failures);
      const reason = (error as Error).message.slice(0, 200);
      if (!closed) log.warn({ channel, reason, wait }, 'queue waiting: mail server or database unavailable');
    }
    if (!closed && wait !== null) timer = setTimeout(wake, wait).unref();
  }

  function startLoops(): void {
    while (loops.size < concurrency) {
      const loop = attemptAll().finally(() => loops.delete(loop));
      loop.catch(() => {});
      loops.add(loop);
    }
  }

  async function attemptAll(): Promise<void> {
    for (let item = await claim(); item; item = await claim()) await attempt(item);
  }

  async function claim(): Promise<QueuedItem | undefined> {
    if (closed) return undefined;
    return (await essentialDb.query<QueuedItem>(CLAIM, [sealedBy, channel, self])).rows[0];
  }

  async function untilNextDue(): Promise<number | null> {
    const { ms } = (await db.query<{ ms: number | null }>(NEXT_DUE, [sealedBy, channel])).rows[0]!;
    return ms === null ? null : Math.min(Math.max(ms, MIN_WAIT_MS), MAX_WAIT_MS);
  }

  async function recordDelivered(): Promise<void> {
    for (const [id, statements] of delivered) {
      const deletion = { text: 'delete from internal.mails where id = $1', values: [id] };
      delivered.delete(id);
      await essentialDb.batch([deletion, ...statements]).catch((error: unknown) => {
        delivered.set(id, statements);
        throw error;
      });
    }
  }

  async function attempt(item: QueuedItem): Promise<void> {
    let send: (() => Promise<Statement[]>) | null;
    try {
      send = await delivery.deliver(item);
    } catch (error) {
      return reschedule(item, error as Error);
    }
    let statements: Statement[] = [];
    if (send) {
      using _renewing = setInterval(() => db.query(RENEW, [item.id, self]).catch(() => {}), RENEW_MS);
      try {
        statements = await Promise.race([send(), abandoned]);
      } catch (error) {
        if (error === CLOSING) return void (await essentialDb.query(RELEASE, [item.id, self]));
        await reschedule(item, error as SendError);
        // A responding server may have refused only this item; otherwise the next would fail too.
        if (channel === 'webhook' || (error as SendError).responseCode) return;
        throw error;
      }
    }
    delivered.set(item.id, statements);
    await recordDelivered();
  }

  async function reschedule({ id, kind, attempts }: QueuedItem, error: SendError): Promise<void> {
    const fields = { kind, attempts, code: error.responseCode, reason: error.message.slice(0, 200) };
    // Only errors about this e-mail are permanent: a refused login or sender is a configuration error that will be fixed.
    const isAboutMail = error.code === 'EMESSAGE' || (error.code === 'EENVELOPE' && error.command !== 'MAIL FROM');
    const isPermanent = isAboutMail && (error.responseCode ?? 0) >= 500;
    const wait = retryDelay(attempts);
    const { rows } = await essentialDb.query<{ givenUp: boolean }>(RESCHEDULE, [id, self, wait / 1000, isPermanent]);
    if (rows[0]?.givenUp) log.error(fields, 'delivery gave up');
    else log.warn({ ...fields, wait }, 'delivery failed, retrying');
  }

  // One process: earlier claims are stale.
  if (db.engine === 'pglite') await db.query(RELEASE_ALL, [channel]);
  await db.listen('mails', wake);
  wake();
  return {
    waiting: async () => (await findRow<{ mails: number; since: Date | null }>(db, WAITING, [channel]))!,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      const timeout = setTimeout(abandon, CLOSE_TIMEOUT_MS, CLOSING);
      await running;
      await Promise.allSettled(loops);
      clearTimeout(timeout);
    },
  };
}

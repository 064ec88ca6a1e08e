import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Connection, type Database, DatabaseError, DatabaseUnavailable } from '../database/database.ts';

export type Rate = { points: number; seconds: number };

/** How long to wait for the shared counter before counting in this process. */
const TIMEOUT_MS = 3_000;
const RETRY_MS = 5_000;
const MAX_REFUSED = 1_000;

// Uses the database clock, which all processes share. A row is a fixed window, restarted after its end.
const COUNT = `insert into internal.limits as used (key, points, ends_at) values ($1, $2, now() + make_interval(secs => $3))
  on conflict (key) do update set
    points = case when used.ends_at <= now() then excluded.points else used.points + excluded.points end,
    ends_at = case when used.ends_at <= now() then excluded.ends_at else used.ends_at end
  returning points, extract(epoch from ends_at - now())::float8 * 1000 as ms`;
const READ = `select points, extract(epoch from ends_at - now())::float8 * 1000 as ms from internal.limits
  where key = $1 and ends_at > now()`;
export const DELETE_EXPIRED_LIMITS = 'delete from internal.limits where ends_at < now()';

type Used = { points: number; ms: number };

/** Counted across processes with a database server; otherwise, or while it does not respond, in this process. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #memory: RateLimiterMemory;
  readonly #shared: { db: Database; name: string } | null;
  /** Keys refused until their window ends: repeated requests need no statement. */
  readonly #refused = new LRUCache<string, true>({ max: MAX_REFUSED });
  /** Requests queued per key: a burst of one client is counted by few statements. */
  readonly #queues = new Map<string, ((used: Promise<Used | 'away'>) => void)[]>();
  #retryAt = 0;

  constructor(rate: Rate, shared?: { db: Database; name: string }) {
    this.#rate = rate;
    this.#memory = new RateLimiterMemory({ points: rate.points, duration: rate.seconds });
    this.#shared = shared?.db.engine === 'postgres' ? shared : null;
  }

  /** @param tx its rollback also undoes the count. @returns 0 when allowed, else seconds to wait */
  async use(key: string, tx?: Connection): Promise<number> {
    if (!this.#shared) return this.#countLocally(key);
    const row = rowOf(this.#shared.name, key);
    const refusedMs = this.#refused.getRemainingTTL(row);
    if (refusedMs > 0) return seconds(refusedMs);
    const used = tx ? await this.#count(row, 1, tx) : await this.#enqueue(row);
    if (used === 'away') return this.#countLocally(key);
    if (used.points <= this.#rate.points) return 0;
    this.#refused.set(row, true, { ttl: Math.max(1, used.ms) });
    return seconds(used.ms);
  }

  async wait(key: string, tx?: Connection): Promise<number> {
    if (!this.#shared) return this.#waitLocally(key);
    const used = await this.#query(READ, [rowOf(this.#shared.name, key)], tx);
    if (used === 'away') return this.#waitLocally(key);
    return used && used.points >= this.#rate.points ? seconds(used.ms) : 0;
  }

  #enqueue(row: string): Promise<Used | 'away'> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(row);
      if (queue) queue.push(resolve);
      else {
        this.#queues.set(row, [resolve]);
        void this.#countQueue(row);
      }
    });
  }

  // Counts all queued requests of a key together; each gets the result it would have got alone.
  async #countQueue(row: string): Promise<void> {
    for (let queue = this.#queues.get(row)!; queue.length; queue = this.#queues.get(row)!) {
      this.#queues.set(row, []);
      const total = queue.length;
      const counted = this.#count(row, total);
      for (const [index, resolve] of queue.entries())
        resolve(
          counted.then((used) => (used === 'away' ? used : { ...used, points: used.points - total + index + 1 })),
        );
      await counted.catch(() => {});
    }
    this.#queues.delete(row);
  }

  async #count(row: string, points: number, tx?: Connection): Promise<Used | 'away'> {
    return (await this.#query(COUNT, [row, points, this.#rate.seconds], tx))!;
  }

  async #query(text: string, values: (string | number)[], tx?: Connection): Promise<Used | undefined | 'away'> {
    if (tx) return (await tx.query<Used>(text, values)).rows[0];
    if (performance.now() < this.#retryAt) return 'away';
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'away'>((resolve) => {
      // This process may have been busy: reads a response that has already arrived first.
      timer = setTimeout(() => setImmediate(resolve, 'away'), TIMEOUT_MS);
    });
    const result = this.#shared!.db.query<Used>(text, values).then(
      ({ rows }) => rows[0],
      (error: unknown) => {
        if (error instanceof DatabaseError || error instanceof DatabaseUnavailable) return 'away' as const;
        throw error;
      },
    );
    const used = await Promise.race([result, timeout]).finally(() => clearTimeout(timer));
    if (used === 'away') this.#retryAt = performance.now() + RETRY_MS;
    return used;
  }

  async #countLocally(key: string): Promise<number> {
    try {
      await this.#memory.consume(key);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return seconds(refusal.msBeforeNext);
      throw refusal;
    }
  }

  async #waitLocally(key: string): Promise<number> {
    const used = await this.#memory.get(key);
    return used && used.remainingPoints <= 0 ? seconds(used.msBeforeNext) : 0;
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

// Hashed, so that the table does not reveal client addresses.
const rowOf = (name: string, key: string) => `${name} ${createHash('sha256').update(key).digest('base64url')}`;

import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Connection, type Database, DatabaseError, DatabaseUnavailable } from '../database/database.ts';

export interface Rate {
  points: number;
  seconds: number;
}

/** How long to wait for the shared counter before counting in this process. */
const PATIENCE_MS = 3_000;
const AWAY_MS = 5_000;
const MOST_REFUSED = 10_000;

// Uses the database clock, which all processes share. A row is a fixed window, restarted after its end.
const USE = `insert into internal.limits as used (key, points, ends_at) values ($1, $2, now() + make_interval(secs => $3))
  on conflict (key) do update set
    points = case when used.ends_at <= now() then excluded.points else used.points + excluded.points end,
    ends_at = case when used.ends_at <= now() then excluded.ends_at else used.ends_at end
  returning points, extract(epoch from ends_at - now())::float8 * 1000 as ms`;
const LOOK = `select points, extract(epoch from ends_at - now())::float8 * 1000 as ms from internal.limits
  where key = $1 and ends_at > now()`;
export const FORGET_LIMITS = 'delete from internal.limits where ends_at < now()';

interface Used {
  points: number;
  ms: number;
}

interface Asking {
  points: number;
  answer: (used: Promise<Used | 'away'>) => void;
}

/**
 * Counts across processes with a database server; otherwise, or while it does not respond, in this process. A key
 * without points is refused until its window ends.
 */
export class RateLimit {
  readonly #rate: Rate;
  readonly #memory: RateLimiterMemory;
  readonly #house: { db: Database; name: string } | null;
  /** End of the refusal per key (`performance.now()`): repeated requests need no statement. */
  readonly #refused = new Map<string, number>();
  /** Requests queued per key: a burst of one client is counted by few statements. */
  readonly #lines = new Map<string, Asking[]>();
  #askAgainAt = 0;

  constructor(rate: Rate, house?: { db: Database; name: string }) {
    this.#rate = rate;
    this.#memory = new RateLimiterMemory({ points: rate.points, duration: rate.seconds });
    this.#house = house?.db.engine === 'postgres' ? house : null;
  }

  /** Uses points. @param tx its rollback also undoes the count. @returns 0 when allowed, else seconds to wait */
  async use(key: string, points = 1, tx?: Connection): Promise<number> {
    if (!this.#house) return this.#countHere(key, points);
    const row = rowOf(this.#house.name, key);
    const refused = this.#refusedFor(row);
    if (refused > 0) return refused;
    const used = tx ? await this.#count(row, points, tx) : await this.#inLine(row, points);
    if (used === 'away') return this.#countHere(key, points);
    if (used.points <= this.#rate.points) return 0;
    this.#refuse(row, used.ms);
    return seconds(used.ms);
  }

  async wait(key: string, tx?: Connection): Promise<number> {
    if (!this.#house) return this.#waitHere(key);
    const used = await this.#ask(LOOK, [rowOf(this.#house.name, key)], tx);
    if (used === 'away') return this.#waitHere(key);
    return used && used.points >= this.#rate.points ? seconds(used.ms) : 0;
  }

  #inLine(row: string, points: number): Promise<Used | 'away'> {
    return new Promise((answer) => {
      const line = this.#lines.get(row);
      if (line) line.push({ points, answer });
      else {
        this.#lines.set(row, [{ points, answer }]);
        void this.#countLine(row);
      }
    });
  }

  // Counts all queued requests of a key together; each gets the result it would have got alone.
  async #countLine(row: string): Promise<void> {
    for (let line = this.#lines.get(row)!; line.length; line = this.#lines.get(row)!) {
      this.#lines.set(row, []);
      const all = line.reduce((sum, { points }) => sum + points, 0);
      const counted = this.#count(row, all);
      let before = 0;
      for (const { points, answer } of line) {
        const own = before + points;
        before = own;
        answer(counted.then((used) => (used === 'away' ? used : { points: used.points - all + own, ms: used.ms })));
      }
      await counted.catch(() => {});
    }
    this.#lines.delete(row);
  }

  async #count(row: string, points: number, tx?: Connection): Promise<Used | 'away'> {
    return (await this.#ask(USE, [row, points, this.#rate.seconds], tx))!;
  }

  async #ask(text: string, values: (string | number)[], tx?: Connection): Promise<Used | undefined | 'away'> {
    if (tx) return (await tx.query<Used>(text, values)).rows[0];
    if (performance.now() < this.#askAgainAt) return 'away';
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'away'>((resolve) => {
      // This process may have been busy: reads a response that has already arrived first.
      timer = setTimeout(() => setImmediate(resolve, 'away'), PATIENCE_MS);
    });
    const answered = this.#house!.db.query<Used>(text, values).then(
      ({ rows }) => rows[0],
      (error: unknown) => {
        if (error instanceof DatabaseError || error instanceof DatabaseUnavailable) return 'away' as const;
        throw error;
      },
    );
    const used = await Promise.race([answered, late]).finally(() => clearTimeout(timer));
    if (used === 'away') this.#askAgainAt = performance.now() + AWAY_MS;
    return used;
  }

  async #countHere(key: string, points: number): Promise<number> {
    try {
      await this.#memory.consume(key, points);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return seconds(refusal.msBeforeNext);
      throw refusal;
    }
  }

  async #waitHere(key: string): Promise<number> {
    const used = await this.#memory.get(key);
    return used && used.remainingPoints <= 0 ? seconds(used.msBeforeNext) : 0;
  }

  #refusedFor(row: string): number {
    const until = this.#refused.get(row);
    if (until === undefined) return 0;
    const ms = until - performance.now();
    if (ms > 0) return seconds(ms);
    this.#refused.delete(row);
    return 0;
  }

  #refuse(row: string, ms: number): void {
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.set(row, performance.now() + ms);
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

// Hashed, so that the table does not reveal client addresses.
const rowOf = (name: string, key: string) => `${name} ${createHash('sha256').update(key).digest('base64url')}`;

import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Connection, type Database, DatabaseError, DatabaseUnavailable } from '../database/database.ts';

/** So many `points` per `seconds` for one key (an address, an account, or the whole house). */
export interface Rate {
  points: number;
  seconds: number;
}

/** For so long a request waits for the house's count before it is counted in this process alone. */
const PATIENCE_MS = 3_000;
/** For so long the database is not asked again after it did not answer. */
const AWAY_MS = 5_000;
/** Refusals that are remembered; what is forgotten is asked again. */
const MOST_REFUSED = 10_000;

// By the clock of the database, which all processes share. The row is a window: who comes after its end begins a new one.
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
 * Counts for the whole house where that has a database server, which all its processes ask; else, and while that does not
 * answer, in memory of this process. A key that used up its points waits for the rest of its window.
 */
export class RateLimit {
  readonly #rate: Rate;
  readonly #memory: RateLimiterMemory;
  readonly #house: { db: Database; name: string } | null;
  /** Until when a key is refused, by this process' clock: whoever goes on asking costs no statement. */
  readonly #refused = new Map<string, number>();
  /** Who waits to be counted, by key: a burst of one visitor is one statement after the other, not a line of hundreds. */
  readonly #lines = new Map<string, Asking[]>();
  #askAgainAt = 0;

  /** @param house the database, and a name that is the same in every process; without it this process counts alone */
  constructor(rate: Rate, house?: { db: Database; name: string }) {
    this.#rate = rate;
    this.#memory = new RateLimiterMemory({ points: rate.points, duration: rate.seconds });
    this.#house = house?.db.engine === 'postgres' ? house : null;
  }

  /**
   * Uses up one point. Answers 0 when allowed, else the whole seconds to wait.
   * @param tx the transaction in which this is asked: what it undoes is not counted
   */
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

  /** As `use`, without using up anything: the seconds to wait for one more point. */
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

  /** Counts all who wait for a key together, until nobody does. Each is told what it would have been told alone. */
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

  /** What the database says; nothing when it has no row, 'away' when it does not answer in time. */
  async #ask(text: string, values: (string | number)[], tx?: Connection): Promise<Used | undefined | 'away'> {
    if (tx) return (await tx.query<Used>(text, values)).rows[0];
    if (performance.now() < this.#askAgainAt) return 'away';
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'away'>((resolve) => {
      // This process may have been busy itself: an answer that lies there already is read first.
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

/** Whoever is counted is not told to whoever reads the table. */
const rowOf = (name: string, key: string) => `${name} ${createHash('sha256').update(key).digest('base64url')}`;

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Asker, DatabaseTimeUsed, DatabaseUnavailable, EngineReplaced } from './database.ts';
import { DatabaseTime } from './database-time.ts';

export interface QueueLimits {
  sessions: number;
  waiting: number;
  /** Milliseconds; a function is called each time. */
  waitMs: number | (() => number);
  /** Milliseconds that the sessions have worked so far; wall clock by default. */
  meter?: () => number;
  allowedMs?: number | null;
}

export interface QueueOptions {
  /** One message and its response: with a single session, the next may be sent before it is over. */
  single?: boolean;
  asker?: Asker | undefined;
  /** Called at most once, when a long turn delays others: the work should end soon. */
  giveWay?: () => void;
}

interface Waiting {
  single: boolean;
  start: () => void;
  refuse: (error: Error) => void;
  timer: NodeJS.Timeout;
  asker: Asker | undefined;
}

interface Held {
  name: string;
  single: boolean;
  isHeavy: boolean;
  begin: (() => void) | null;
  isLong: boolean;
  giveWay: (() => void) | null;
}

const HOUSE = '';
/** Milliseconds that a turn of a heavy address may last while others wait. */
const SLICE_MS = 100;
/** Milliseconds. A page's sequential queries must not meet a costly turn between each two. */
const QUIET_MS = 20;

/**
 * Round-robin over one bounded queue per address, which holds at most half of the sessions, and one while it is heavy.
 */
export class StatementQueue {
  readonly time: DatabaseTime;
  readonly #limits: QueueLimits;
  readonly #lines = new Map<string, Waiting[]>();
  readonly #turns = new Set<Held>();
  readonly #holder = new AsyncLocalStorage<{ over: boolean }>();
  #waiting = 0;
  #quietUntil = 0;
  #wake: NodeJS.Timeout | undefined;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.time = new DatabaseTime(limits.allowedMs ?? null);
  }

  /** @throws DatabaseUnavailable when full, too late or closed; DatabaseTimeUsed above the address's limit */
  async run<T>(work: () => Promise<T>, { asker, giveWay, single = false }: QueueOptions = {}): Promise<T> {
    if (this.#holder.getStore()?.over === false)
      throw new Error('Query from inside a transaction: use the transaction’s own connection');
    const held = await this.#take(asker, single);
    const turn = { over: false };
    const meter = this.#limits.meter ?? (() => performance.now());
    let began = meter();
    let timer: NodeJS.Timeout | undefined;
    const begin = () => {
      began = meter();
      if (!asker || !giveWay) return;
      const slice = Math.max(SLICE_MS, asker.heavy ? 0 : this.time.untilHeavy(asker.address));
      timer = setTimeout(() => this.#becomesLong(held, giveWay), slice);
    };
    if (held.begin) held.begin = begin;
    else begin();
    try {
      return await this.#holder.run(turn, work);
    } catch (error) {
      if (asker && error instanceof EngineReplaced) this.time.punish(asker.address);
      throw error;
    } finally {
      turn.over = true;
      clearTimeout(timer);
      if (asker?.limited) this.time.charge(asker.address, meter() - began);
      this.#release(held);
    }
  }

  get patienceMs(): number {
    const { waitMs } = this.#limits;
    return typeof waitMs === 'number' ? waitMs : waitMs();
  }

  get inUse(): number {
    return this.#turns.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#turns.size + this.#waiting > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  async #take(asker: Asker | undefined, single: boolean): Promise<Held> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    this.#refuseOverTime(asker);
    if (this.#mayStart(asker, single)) return this.#hold(asker, single);
    if (this.#waiting >= this.#limits.waiting) this.#makeRoom(nameOf(asker));
    const { patienceMs } = this;
    return new Promise<Held>((start, refuse) => {
      const timer = setTimeout(() => {
        this.#leave(waiting);
        refuse(new DatabaseUnavailable(`No database session available within ${patienceMs} ms`));
      }, patienceMs);
      const waiting: Waiting = { single, start: () => start(this.#hold(asker, single)), refuse, timer, asker };
      this.#join(waiting);
    });
  }

  #hold(asker: Asker | undefined, single: boolean): Held {
    const isAhead = this.#turns.size >= this.#limits.sessions;
    const held: Held = {
      name: nameOf(asker),
      single,
      isHeavy: this.#isHeavy(asker),
      begin: isAhead ? () => {} : null,
      isLong: false,
      giveWay: null,
    };
    this.#turns.add(held);
    return held;
  }

  #mayStart(asker: Asker | undefined, single: boolean): boolean {
    const { sessions } = this.#limits;
    if (this.#turns.size >= sessions) return single && this.#mayGoAhead(asker);
    if (!asker) return true;
    const isHeavy = this.#isHeavy(asker);
    if (isHeavy && sessions === 1 && !this.#isQuiet()) return false;
    const share = isHeavy ? 1 : Math.max(1, Math.floor(sessions / 2));
    let own = 0;
    for (const { name } of this.#turns) if (name === asker.address) own++;
    return own < share;
  }

  /** Pipelines a second message, so that the only session does not idle between two. */
  #mayGoAhead(asker: Asker | undefined): boolean {
    const [first, second] = this.#turns;
    const isOpen = this.#limits.sessions === 1 && first!.single && !first!.isLong && !first!.isHeavy;
    return isOpen && !second && !this.#isHeavy(asker);
  }

  #isHeavy(asker: Asker | undefined): boolean {
    return asker?.limited === true && (asker.heavy || this.time.untilHeavy(asker.address) === 0);
  }

  #isQuiet(): boolean {
    const left = this.#quietUntil - performance.now();
    if (left <= 0) return true;
    this.#wake ??= setTimeout(() => {
      this.#wake = undefined;
      this.#startNext();
    }, Math.ceil(left));
    return false;
  }

  #refuseOverTime(asker: Asker | undefined): void {
    const seconds = asker?.limited ? this.time.wait(asker.address) : 0;
    if (seconds) throw new DatabaseTimeUsed(seconds);
  }

  #join(waiting: Waiting): void {
    const name = nameOf(waiting.asker);
    const line = this.#lines.get(name);
    if (line) line.push(waiting);
    else this.#lines.set(name, [waiting]);
    this.#waiting++;
    for (const held of this.#turns) if (held.isLong && held.name !== name) askToGiveWay(held);
  }

  #leave(waiting: Waiting): void {
    const name = nameOf(waiting.asker);
    const line = this.#lines.get(name)!;
    line.splice(line.indexOf(waiting), 1);
    if (line.length === 0) this.#lines.delete(name);
    clearTimeout(waiting.timer);
    this.#waiting--;
  }

  #makeRoom(name: string): void {
    const full = new DatabaseUnavailable(`${this.#limits.waiting} requests are already waiting for the database`);
    let longest: Waiting[] = [];
    for (const line of this.#lines.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= (this.#lines.get(name)?.length ?? 0) + 1) throw full;
    const last = longest.at(-1)!;
    this.#leave(last);
    last.refuse(full);
  }

  #becomesLong(held: Held, giveWay: () => void): void {
    Object.assign(held, { isLong: true, giveWay });
    const others = [...this.#turns].filter((turn) => turn !== held).map(({ name }) => name);
    if ([...this.#lines.keys(), ...others].some((name) => name !== held.name)) askToGiveWay(held);
  }

  #release(held: Held): void {
    this.#turns.delete(held);
    for (const next of this.#turns) {
      next.begin?.();
      next.begin = null;
    }
    if (!held.isHeavy) this.#quietUntil = performance.now() + QUIET_MS;
    this.#startNext();
    if (this.#turns.size + this.#waiting === 0) this.#idle?.();
  }

  #startNext(): void {
    for (const [name, line] of [...this.#lines]) {
      const next = line[0]!;
      const seconds = next.asker?.limited ? this.time.wait(name) : 0;
      if (seconds) {
        for (const waiting of [...line]) {
          if (!waiting.asker?.limited) continue;
          this.#leave(waiting);
          waiting.refuse(new DatabaseTimeUsed(seconds));
        }
        continue;
      }
      if (!this.#mayStart(next.asker, next.single)) continue;
      this.#leave(next);
      if (line.length > 0) {
        this.#lines.delete(name);
        this.#lines.set(name, line);
      }
      next.start();
      this.#startNext();
      return;
    }
  }
}

const nameOf = (asker: Asker | undefined): string => asker?.address ?? HOUSE;

function askToGiveWay(held: Held): void {
  held.giveWay?.();
  held.giveWay = null;
}

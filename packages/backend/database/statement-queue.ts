import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseTimeExceeded, DatabaseUnavailable, EngineRestarted, type QueryClient } from './database.ts';
import { DatabaseTime } from './database-time.ts';

export interface QueueLimits {
  sessions: number;
  maxWaiting: number;
  maxWaitMs: number | (() => number);
  /** Working time of the sessions so far; wall clock by default. */
  meterMs?: () => number;
  allowedMs?: number | null;
}

export interface QueueOptions {
  /** One message and its response. With one session, the next message may be sent before this response. */
  isSingleMessage?: boolean;
  client?: QueryClient | undefined;
  /** Called at most once, when a long turn delays other clients: the work should end soon. */
  onYield?: () => void;
}

interface QueuedCall {
  isSingleMessage: boolean;
  start: () => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  client: QueryClient | undefined;
}

interface Turn {
  name: string;
  isSingleMessage: boolean;
  isHeavy: boolean;
  onBegin: (() => void) | null;
  isLong: boolean;
  onYield: (() => void) | null;
}

const SERVER = '';
/** How long a turn of a heavy address may last while others wait. */
const SLICE_MS = 100;
/** A heavy turn starts only after this pause, so that it does not run between two queries of one page. */
const QUIET_MS = 20;

/** Round-robin over one bounded queue per address, which holds half of the sessions at most, and one while it is heavy. */
export class StatementQueue {
  readonly time: DatabaseTime;
  readonly #limits: QueueLimits;
  readonly #queues = new Map<string, QueuedCall[]>();
  readonly #turns = new Set<Turn>();
  readonly #context = new AsyncLocalStorage<{ isOver: boolean }>();
  #waiting = 0;
  #quietUntil = 0;
  #wakeTimer: NodeJS.Timeout | undefined;
  #closed = false;
  #onIdle: (() => void) | null = null;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.time = new DatabaseTime(limits.allowedMs ?? null);
  }

  /** @throws DatabaseUnavailable when full, too late or closed; DatabaseTimeExceeded above the address's limit */
  async run<T>(work: () => Promise<T>, { client, onYield, isSingleMessage = false }: QueueOptions = {}): Promise<T> {
    if (this.#context.getStore()?.isOver === false)
      throw new Error('Query from inside a transaction: use the transaction’s own connection');
    const turn = await this.#acquire(client, isSingleMessage);
    const context = { isOver: false };
    const meterMs = this.#limits.meterMs ?? (() => performance.now());
    let startedMs = meterMs();
    let timer: NodeJS.Timeout | undefined;
    const onBegin = () => {
      startedMs = meterMs();
      if (!client || !onYield) return;
      const slice = Math.max(SLICE_MS, client.heavy ? 0 : this.time.msUntilHeavy(client.address));
      timer = setTimeout(() => this.#markLong(turn, onYield), slice);
    };
    if (turn.onBegin) turn.onBegin = onBegin;
    else onBegin();
    try {
      return await this.#context.run(context, work);
    } catch (error) {
      if (client && error instanceof EngineRestarted) this.time.penalize(client.address);
      throw error;
    } finally {
      context.isOver = true;
      clearTimeout(timer);
      if (client?.limited) this.time.charge(client.address, meterMs() - startedMs);
      this.#release(turn);
    }
  }

  get maxWaitMs(): number {
    const { maxWaitMs } = this.#limits;
    return typeof maxWaitMs === 'number' ? maxWaitMs : maxWaitMs();
  }

  get inUse(): number {
    return this.#turns.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#turns.size + this.#waiting > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async #acquire(client: QueryClient | undefined, isSingleMessage: boolean): Promise<Turn> {
    if (this.#closed) throw new DatabaseUnavailable('The database is closed');
    const seconds = client?.limited ? this.time.secondsBlocked(client.address) : 0;
    if (seconds) throw new DatabaseTimeExceeded(seconds);
    if (this.#canStart(client, isSingleMessage)) return this.#startTurn(client, isSingleMessage);
    if (this.#waiting >= this.#limits.maxWaiting) this.#evictLongest(clientName(client));
    const { maxWaitMs } = this;
    return new Promise<Turn>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#dequeue(call);
        reject(new DatabaseUnavailable(`No database session available within ${maxWaitMs} ms`));
      }, maxWaitMs);
      const start = () => resolve(this.#startTurn(client, isSingleMessage));
      const call: QueuedCall = { isSingleMessage, start, reject, timer, client };
      this.#enqueue(call);
    });
  }

  #startTurn(client: QueryClient | undefined, isSingleMessage: boolean): Turn {
    const isPipelined = this.#turns.size >= this.#limits.sessions;
    const onBegin = isPipelined ? () => {} : null;
    const name = clientName(client);
    const isHeavy = this.#isHeavy(client);
    const turn: Turn = { name, isSingleMessage, isHeavy, onBegin, isLong: false, onYield: null };
    this.#turns.add(turn);
    return turn;
  }

  #canStart(client: QueryClient | undefined, isSingleMessage: boolean): boolean {
    const { sessions } = this.#limits;
    if (this.#turns.size >= sessions) return isSingleMessage && this.#canPipeline(client);
    if (!client) return true;
    const isHeavy = this.#isHeavy(client);
    if (isHeavy && sessions === 1 && !this.#isQuiet()) return false;
    const share = isHeavy ? 1 : Math.max(1, Math.floor(sessions / 2));
    let ownTurns = 0;
    for (const { name } of this.#turns) if (name === client.address) ownTurns++;
    return ownTurns < share;
  }

  /** Pipelines a second message, so that the only session does not idle between two. */
  #canPipeline(client: QueryClient | undefined): boolean {
    const [first, second] = this.#turns;
    const isPipelineOpen = this.#limits.sessions === 1 && first!.isSingleMessage && !first!.isLong && !first!.isHeavy;
    return isPipelineOpen && !second && !this.#isHeavy(client);
  }

  #isHeavy(client: QueryClient | undefined): boolean {
    return client?.limited === true && (client.heavy || this.time.msUntilHeavy(client.address) === 0);
  }

  #isQuiet(): boolean {
    const remainingMs = this.#quietUntil - performance.now();
    if (remainingMs <= 0) return true;
    this.#wakeTimer ??= setTimeout(() => {
      this.#wakeTimer = undefined;
      this.#startNext();
    }, Math.ceil(remainingMs));
    return false;
  }

  #enqueue(call: QueuedCall): void {
    const name = clientName(call.client);
    const queue = this.#queues.get(name);
    if (queue) queue.push(call);
    else this.#queues.set(name, [call]);
    this.#waiting++;
    for (const turn of this.#turns) if (turn.isLong && turn.name !== name) requestYield(turn);
  }

  #dequeue(call: QueuedCall): void {
    const name = clientName(call.client);
    const queue = this.#queues.get(name)!;
    queue.splice(queue.indexOf(call), 1);
    if (queue.length === 0) this.#queues.delete(name);
    clearTimeout(call.timer);
    this.#waiting--;
  }

  #evictLongest(name: string): void {
    const full = new DatabaseUnavailable(`${this.#limits.maxWaiting} requests are already waiting for the database`);
    let longest: QueuedCall[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= (this.#queues.get(name)?.length ?? 0) + 1) throw full;
    const last = longest.at(-1)!;
    this.#dequeue(last);
    last.reject(full);
  }

  #markLong(turn: Turn, onYield: () => void): void {
    Object.assign(turn, { isLong: true, onYield });
    const others = [...this.#turns].filter((other) => other !== turn).map(({ name }) => name);
    if ([...this.#queues.keys(), ...others].some((name) => name !== turn.name)) requestYield(turn);
  }

  #release(turn: Turn): void {
    this.#turns.delete(turn);
    for (const next of this.#turns) {
      next.onBegin?.();
      next.onBegin = null;
    }
    if (!turn.isHeavy) this.#quietUntil = performance.now() + QUIET_MS;
    this.#startNext();
    if (this.#turns.size + this.#waiting === 0) this.#onIdle?.();
  }

  #startNext(): void {
    for (const [name, queue] of [...this.#queues]) {
      const next = queue[0]!;
      const seconds = next.client?.limited ? this.time.secondsBlocked(name) : 0;
      if (seconds) {
        for (const call of [...queue]) {
          if (!call.client?.limited) continue;
          this.#dequeue(call);
          call.reject(new DatabaseTimeExceeded(seconds));
        }
        continue;
      }
      if (!this.#canStart(next.client, next.isSingleMessage)) continue;
      this.#dequeue(next);
      if (queue.length > 0) {
        this.#queues.delete(name);
        this.#queues.set(name, queue);
      }
      next.start();
      this.#startNext();
      return;
    }
  }
}

const clientName = (client: QueryClient | undefined): string => client?.address ?? SERVER;

function requestYield(turn: Turn): void {
  turn.onYield?.();
  turn.onYield = null;
}

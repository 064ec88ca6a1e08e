import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { listenStatement } from '../database.ts';
import type { PostgresServers } from './servers.ts';
import type { PostgresSession } from './session.ts';

const RETRY_MS = 1_000;
const CONNECT_MS = 4_000;
/** Detects dead connections: one ping each half second, answered within a second. */
const PING_MS = 500;
const ANSWER_MS = 1_000;

interface Listener {
  heard: (payload: string) => void;
  away: () => void;
}

export class PostgresListener {
  readonly #servers: PostgresServers;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #unanswered: (since: number) => void;
  readonly #listeners = new Map<string, Listener[]>();
  #session: PostgresSession | null = null;
  #connecting: Promise<void> | null = null;
  #pings: NodeJS.Timeout | undefined;
  #closed = false;
  #answeredAt: number | null = null;

  /** @param options.unanswered called when reconnecting fails, with the time of the attempt */
  constructor(
    servers: PostgresServers,
    { timeoutMs, log, unanswered }: { timeoutMs: number; log: Logger; unanswered: (since: number) => void },
  ) {
    this.#servers = servers;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
    this.#unanswered = unanswered;
  }

  async listen(channel: string, heard: (payload: string) => void, away: () => void = () => {}): Promise<void> {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), { heard, away }]);
    if (!this.#session) await this.#connect();
    await this.#session?.script(listenStatement(channel));
  }

  /** The server signals this connection before a commit returns, and sends notifications before a query's answer. */
  async caughtUp(): Promise<void> {
    if (this.#session) await this.#answer(this.#session);
  }

  get ageMs(): number | null {
    return this.#answeredAt && performance.now() - this.#answeredAt;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pings);
    await this.#session?.close();
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => (this.#connecting = null));
    return this.#connecting;
  }

  async #open(): Promise<void> {
    let opened: PostgresSession | null = null;
    const session = await this.#servers.open(
      {
        timeoutMs: this.#timeoutMs,
        onNotify: (channel, payload) => this.#tell(channel, payload),
        onGone: () => opened && this.#lost(opened),
      },
      { isPatient: true },
    );
    opened = session;
    try {
      const listening = [...this.#listeners.keys()].map(listenStatement);
      await session.inTime(session.script(listening.join(';')), CONNECT_MS);
    } catch (error) {
      session.destroy();
      throw error;
    }
    this.#session = session;
    this.#answeredAt = performance.now();
    this.#pings = setInterval(() => void this.#answer(session), PING_MS).unref();
  }

  /** Resolves when the server has answered, or the connection is dropped: silent, or read-only after a failover. */
  async #answer(session: PostgresSession): Promise<void> {
    let answered = false;
    // This process may have been busy: first read a response that already arrived.
    const timer = setTimeout(() => setImmediate(() => answered || session.destroy()), ANSWER_MS);
    const takesWrites = await session.takesWrites('still listening').catch(() => false);
    if (takesWrites) this.#answeredAt = performance.now();
    answered = true;
    clearTimeout(timer);
    if (!takesWrites) session.destroy();
  }

  #lost(session: PostgresSession): void {
    if (this.#closed || this.#session !== session) return;
    this.#session = null;
    clearInterval(this.#pings);
    this.#log.warn('LISTEN connection lost');
    for (const listeners of this.#listeners.values()) for (const { away } of listeners) away();
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed) {
      const asked = performance.now();
      try {
        await this.#connect();
        break;
      } catch (error) {
        this.#unanswered(asked);
        this.#log.debug({ error: (error as Error).message }, 'LISTEN connection still unavailable');
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    // Notifications in between were missed.
    if (!this.#closed) for (const channel of this.#listeners.keys()) this.#tell(channel, '');
  }

  #tell(channel: string, payload: string): void {
    for (const { heard } of this.#listeners.get(channel) ?? []) heard(payload);
  }
}

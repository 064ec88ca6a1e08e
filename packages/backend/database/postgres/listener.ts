import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { listenStatement } from '../database.ts';
import type { PostgresServers } from './servers.ts';
import type { PostgresSession } from './session.ts';

const RETRY_INTERVAL_MS = 1_000;
const CONNECT_MS = 4_000;
/** Detects dead connections: a ping every half second must get a response within a second. */
const PING_INTERVAL_MS = 500;
const RESPONSE_TIMEOUT_MS = 1_000;

interface ListenerOptions {
  timeoutMs: number;
  log: Logger;
  /** Called when reconnecting fails, with the time of the attempt. */
  onUnreachable: (since: number) => void;
}

export class PostgresListener {
  readonly #servers: PostgresServers;
  readonly #options: ListenerOptions;
  readonly #listeners = new Map<string, { onNotify: (payload: string) => void; onLost: () => void }[]>();
  #session: PostgresSession | null = null;
  #connecting: Promise<void> | null = null;
  #pingTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #respondedAt: number | null = null;

  constructor(servers: PostgresServers, options: ListenerOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  async listen(channel: string, onNotify: (payload: string) => void, onLost: () => void = () => {}): Promise<void> {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), { onNotify, onLost }]);
    if (!this.#session) await this.#connect();
    await this.#session?.script(listenStatement(channel));
  }

  /** The server signals this connection before a commit returns, and sends notifications before a query's result. */
  async waitForNotifications(): Promise<void> {
    if (this.#session) await this.#ping(this.#session);
  }

  get ageMs(): number | null {
    return this.#respondedAt && performance.now() - this.#respondedAt;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pingTimer);
    await this.#session?.close();
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => (this.#connecting = null));
    return this.#connecting;
  }

  async #open(): Promise<void> {
    let opened: PostgresSession | null = null;
    const { timeoutMs } = this.#options;
    const onNotify = (channel: string, payload: string) => this.#notify(channel, payload);
    const onClose = () => opened && this.#onSessionLost(opened);
    const session = await this.#servers.open({ timeoutMs, onNotify, onClose }, { isPatient: true });
    opened = session;
    try {
      const listening = [...this.#listeners.keys()].map(listenStatement);
      await session.withTimeout(session.script(listening.join(';')), CONNECT_MS);
    } catch (error) {
      session.destroy();
      throw error;
    }
    this.#session = session;
    this.#respondedAt = performance.now();
    this.#pingTimer = setInterval(() => void this.#ping(session), PING_INTERVAL_MS).unref();
  }

  /** Drops the connection when the server is silent, or read-only after a failover. */
  async #ping(session: PostgresSession): Promise<void> {
    let hasResponded = false;
    // This process may have been busy: first read a response that already arrived.
    const timer = setTimeout(() => setImmediate(() => hasResponded || session.destroy()), RESPONSE_TIMEOUT_MS);
    const acceptsWrites = await session.acceptsWrites('still listening').catch(() => false);
    if (acceptsWrites) this.#respondedAt = performance.now();
    hasResponded = true;
    clearTimeout(timer);
    if (!acceptsWrites) session.destroy();
  }

  #onSessionLost(session: PostgresSession): void {
    if (this.#isClosed || this.#session !== session) return;
    this.#session = null;
    clearInterval(this.#pingTimer);
    this.#options.log.warn('LISTEN connection lost');
    for (const listeners of this.#listeners.values()) for (const { onLost } of listeners) onLost();
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (!this.#isClosed) {
      const attemptedAt = performance.now();
      try {
        await this.#connect();
        break;
      } catch (error) {
        this.#options.onUnreachable(attemptedAt);
        this.#options.log.debug({ error: (error as Error).message }, 'LISTEN connection still unavailable');
        await sleep(RETRY_INTERVAL_MS, undefined, { ref: false });
      }
    }
    // Notifications in between were missed.
    if (!this.#isClosed) for (const channel of this.#listeners.keys()) this.#notify(channel, '');
  }

  #notify(channel: string, payload: string): void {
    for (const { onNotify } of this.#listeners.get(channel) ?? []) onNotify(payload);
  }
}

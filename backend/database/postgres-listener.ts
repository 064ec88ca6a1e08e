import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { listenStatement } from './database.ts';
import { PostgresSession, type SessionSettings } from './postgres-session.ts';

/** The advisory lock that every server holds as long as it is connected. */
export const PRESENCE = 7205759403792795;

const RETRY_MS = 1_000;
/** A connection that died without a word is noticed by it. */
const HEARTBEAT_MS = 10_000;

// Shared, so that nobody is kept out: whoever looks into pg_locks sees how many servers are here.
const PRESENT = `select pg_advisory_lock_shared(${PRESENCE})`;

/** Keeps one connection of its own for NOTIFY, and takes a new one when the old is lost. */
export class PostgresListener {
  readonly #settings: SessionSettings;
  readonly #log: Logger;
  readonly #heard = new Map<string, Set<(payload: string) => void>>();
  #session: PostgresSession | null = null;
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: SessionSettings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  async listen(channel: string, heard: (payload: string) => void): Promise<void> {
    const listeners = this.#heard.get(channel) ?? new Set();
    this.#heard.set(channel, listeners.add(heard));
    if (this.#session) await this.#session.script(listenStatement(channel));
    else await this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    await this.#session?.close();
  }

  async #connect(): Promise<void> {
    const session = new PostgresSession({
      ...this.#settings,
      onNotify: (channel, payload) => this.#tell(channel, payload),
      onGone: () => this.#lost(session),
    });
    this.#session = session;
    try {
      await session.script([PRESENT, ...[...this.#heard.keys()].map(listenStatement)].join(';'));
    } catch (error) {
      this.#session = null;
      session.destroy();
      throw error;
    }
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => {
      session.inTime(session.script('select 1'), HEARTBEAT_MS / 2).catch(() => {});
    }, HEARTBEAT_MS).unref();
  }

  #lost(session: PostgresSession): void {
    if (this.#closed || this.#session !== session) return;
    this.#session = null;
    clearInterval(this.#heartbeat);
    this.#log.warn('the connection that hears notifications was lost');
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed) {
      await sleep(RETRY_MS, undefined, { ref: false });
      try {
        await this.#connect();
        break;
      } catch (error) {
        this.#log.debug({ error: (error as Error).message }, 'notifications: still no connection');
      }
    }
    // Whatever was said in between was missed.
    if (!this.#closed) for (const channel of this.#heard.keys()) this.#tell(channel, '');
  }

  #tell(channel: string, payload: string): void {
    for (const heard of this.#heard.get(channel) ?? []) heard(payload);
  }
}

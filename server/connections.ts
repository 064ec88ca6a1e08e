import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UPLOAD_MS } from './admission.ts';

/** A client that reads nothing for this long is disconnected (threat model §8). */
const READ_TIMEOUT_MS = 30_000;
/** Time for responses in progress during a stop; the rest is left for the database. */
const GRACE_MS = 7_000;
const LAST_REQUEST_MS = 5_000;
const HANDBACK_MS = 1_000;
const CLOSE_CHECK_MS = 20;

export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #closed: Promise<unknown> | null = null;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    // A client waiting for our response is not slow.
    server.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0 || isIdle(socket)) socket.destroy();
    });
    setInterval(() => this.#setReadTimeouts(), 1_000).unref();
  }

  drain(): void {
    this.#server.prependListener('request', (_request, response: ServerResponse) => (response.shouldKeepAlive = false));
  }

  /** Open connections have five seconds for another request, which may take as long as the longest upload. */
  async leave(): Promise<void> {
    this.drain();
    const closed = this.#stopAccepting();
    // Connections that the primary handed over meanwhile return to it.
    await sleep(HANDBACK_MS);
    await Promise.race([closed, sleep(LAST_REQUEST_MS)]);
    await this.#closeIdleFor(UPLOAD_MS);
  }

  /** Resolves when responses in progress are sent; past seven seconds the rest is cut. */
  async close(): Promise<void> {
    // Without a response, so that a proxy tries another server.
    const refuse = (_request: IncomingMessage, response: ServerResponse) => response.socket?.destroy();
    this.#server.removeAllListeners('request').on('request', refuse);
    await this.#closeIdleFor(GRACE_MS);
    for (const socket of this.#open) socket.destroy();
  }

  /** The HTTP server's own `close` also cuts responses that are not yet read. */
  #stopAccepting(): Promise<unknown> {
    this.#closed ??= new Promise((resolve) => TcpServer.prototype.close.call(this.#server, resolve));
    return this.#closed;
  }

  #setReadTimeouts(): void {
    for (const socket of this.#open)
      if (socket.writableLength > 0 && socket.timeout !== READ_TIMEOUT_MS) socket.setTimeout(READ_TIMEOUT_MS);
  }

  async #closeIdleFor(ms: number): Promise<void> {
    const closeIdle = () => {
      for (const socket of this.#open) if (isIdle(socket) && socket.writableLength === 0) socket.destroy();
    };
    const timer = setInterval(closeIdle, CLOSE_CHECK_MS);
    closeIdle();
    await Promise.race([this.#stopAccepting(), sleep(ms, undefined, { ref: false })]);
    clearInterval(timer);
  }
}

/** Between requests Node sets the socket timeout to `keepAliveTimeout`; before the first, no byte was read. */
const isIdle = (socket: Socket): boolean => (socket.timeout ?? 0) > READ_TIMEOUT_MS || socket.bytesRead === 0;

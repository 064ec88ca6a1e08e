import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UPLOAD_MS } from './admission.ts';

/** A client that reads nothing for this long is disconnected (threat model §8). */
const READER_MS = 30_000;
/** Time for responses in progress during a stop; the rest is left for the database. */
const GRACE_MS = 7_000;
const LAST_REQUEST_MS = 5_000;
const HANDED_BACK_MS = 1_000;
const LOOK_MS = 1_000;
const LOOK_AT_END_MS = 20;

export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #over: Promise<unknown> | null = null;

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
    setInterval(() => this.#timeReaders(), LOOK_MS).unref();
  }

  drain(): void {
    this.#server.prependListener('request', (_request, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
  }

  /** Open connections have five seconds for another request, which may take as long as the longest upload. */
  async leave(): Promise<void> {
    this.drain();
    const closed = this.#takeNoMore();
    // Connections that the primary handed over meanwhile return to it.
    await sleep(HANDED_BACK_MS);
    await Promise.race([closed, sleep(LAST_REQUEST_MS)]);
    const looking = setInterval(() => this.#closeIdle(), LOOK_AT_END_MS);
    await Promise.race([closed, sleep(UPLOAD_MS)]);
    clearInterval(looking);
  }

  /** Resolves when responses in progress are sent; past seven seconds the rest is cut. */
  async close(): Promise<void> {
    const closed = this.#takeNoMore();
    this.#server.removeAllListeners('request').on('request', refuse);
    const looking = setInterval(() => this.#closeIdle(), LOOK_AT_END_MS);
    this.#closeIdle();
    const late = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([closed, late]);
    clearInterval(looking);
    for (const socket of this.#open) socket.destroy();
  }

  /** The HTTP server's own `close` also cuts responses that are not yet read. */
  #takeNoMore(): Promise<unknown> {
    this.#over ??= new Promise((resolve) => TcpServer.prototype.close.call(this.#server, resolve));
    return this.#over;
  }

  #timeReaders(): void {
    for (const socket of this.#open)
      if (socket.writableLength > 0 && socket.timeout !== READER_MS) socket.setTimeout(READER_MS);
  }

  #closeIdle(): void {
    for (const socket of this.#open) if (isIdle(socket) && socket.writableLength === 0) socket.destroy();
  }
}

/** Between requests Node sets the socket timeout to `keepAliveTimeout`; before the first, no byte was read. */
const isIdle = (socket: Socket): boolean => (socket.timeout ?? 0) > READER_MS || socket.bytesRead === 0;

/** Without a response, so that a proxy tries another server. */
function refuse(_request: IncomingMessage, response: ServerResponse): void {
  response.socket?.destroy();
}

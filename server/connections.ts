import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UPLOAD_MS } from './admission.ts';

/** A reader who takes nothing for so long is gone (threat model §8). Node may give it as long again to notice. */
const READER_MS = 30_000;
/** Time that a stop gives to what is being sent or answered; then it needs some for the database. */
const GRACE_MS = 7_000;
const LAST_REQUEST_MS = 5_000;
const HANDED_BACK_MS = 1_000;
const LOOK_MS = 1_000;
const LOOK_AT_END_MS = 20;

/** The connections of a server, until the last of them is closed. */
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
    // One that waits for us is not slow.
    server.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0 || isIdle(socket)) socket.destroy();
    });
    setInterval(() => this.#timeReaders(), LOOK_MS).unref();
  }

  /** From now on every answer is the last of its connection: who asks again comes to whoever is there then. */
  drain(): void {
    this.#server.prependListener('request', (_request, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
  }

  /**
   * Takes no more connections, and resolves when those that are open are over. They have five seconds for another
   * request; what is under way then has as long as the longest upload.
   */
  async leave(): Promise<void> {
    this.drain();
    const closed = this.#takeNoMore();
    // What the primary has handed over meanwhile goes back to it.
    await sleep(HANDED_BACK_MS);
    await Promise.race([closed, sleep(LAST_REQUEST_MS)]);
    const looking = setInterval(() => this.#closeIdle(), LOOK_AT_END_MS);
    await Promise.race([closed, sleep(UPLOAD_MS)]);
    clearInterval(looking);
  }

  /**
   * Takes no more connections and no more requests, and resolves when what is under way is answered and sent. Past
   * seven seconds the rest is cut.
   */
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

  /** Resolves when the last connection is over. The HTTP server's own `close` also cuts answers that are not yet read. */
  #takeNoMore(): Promise<unknown> {
    this.#over ??= new Promise((resolve) => TcpServer.prototype.close.call(this.#server, resolve));
    return this.#over;
  }

  /** Starts the clock of those who have not taken everything at once. The others, nearly all, cost nothing. */
  #timeReaders(): void {
    for (const socket of this.#open)
      if (socket.writableLength > 0 && socket.timeout !== READER_MS) socket.setTimeout(READER_MS);
  }

  #closeIdle(): void {
    for (const socket of this.#open) if (isIdle(socket) && socket.writableLength === 0) socket.destroy();
  }
}

/** Between two requests, when Node gives the connection the server's `keepAliveTimeout`, or before the first. */
const isIdle = (socket: Socket): boolean => (socket.timeout ?? 0) > READER_MS || socket.bytesRead === 0;

/** Without an answer, so that a proxy asks another server. One that follows a request under way goes with its connection. */
function refuse(_request: IncomingMessage, response: ServerResponse): void {
  response.socket?.destroy();
}

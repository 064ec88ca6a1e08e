import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';

/** A reader who takes nothing for so long is gone (threat model §8). Node may give it as long again to notice. */
const READER_MS = 30_000;
/** Time that a stop gives to what is being sent or answered; then it needs some for the database. */
const GRACE_MS = 7_000;
const LOOK_MS = 1_000;
const LOOK_AT_END_MS = 20;

/** The connections of a server, until the last of them is closed. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

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

  /**
   * Takes no more connections and no more requests, and resolves when what is under way is answered and sent. Past
   * seven seconds the rest is cut.
   */
  async close(): Promise<void> {
    // The HTTP server's own `close` also cuts answers that are not yet read to their end.
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(this.#server, resolve));
    this.#server.removeAllListeners('request').on('request', refuse);
    const looking = setInterval(() => this.#closeIdle(), LOOK_AT_END_MS);
    this.#closeIdle();
    const late = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([closed, late]);
    clearInterval(looking);
    for (const socket of this.#open) socket.destroy();
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

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP relay to a server on loopback that can simulate faults. */
export interface Relay {
  port: number;
  /** Drops all traffic silently without closing connections. New connections get no response. */
  freeze(): void;
  /** Closes all connections, and new ones immediately. */
  cut(): void;
  /** Closes new connections immediately; the others remain. */
  refuse(): void;
  /** New connections work again; those that were frozen stay frozen. */
  restore(): void;
  close(): Promise<void>;
}

export async function startRelay(toPort: number): Promise<Relay> {
  const open = new Set<Socket>();
  let frozen = false;
  let isCut = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    open.add(near);
    near.on('error', () => {});
    if (isCut) return void near.destroy();
    if (frozen) return;
    const serverSocket = connect({ port: toPort, host: '127.0.0.1', allowHalfOpen: true });
    open.add(serverSocket);
    serverSocket.on('error', () => near.destroy());
    near.pipe(serverSocket);
    serverSocket.pipe(near);
    for (const side of [near, serverSocket])
      side.once('close', () => (frozen ? undefined : [near, serverSocket].map((end) => end.destroy())));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true;
      for (const socket of open) socket.unpipe().pause();
    },
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    refuse() {
      isCut = true;
    },
    restore() {
      frozen = false;
      isCut = false;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

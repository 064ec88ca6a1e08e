import { randomUUID } from 'node:crypto';
import { type ServerType, serve } from '@hono/node-server';
import type { Service } from '../context.ts';

type Answering = Pick<Service, 'fetch'>;

/** The client address is read from `x-test-address`. */
const response = (service: Answering, request: Request) =>
  service.fetch(request, { address: request.headers.get('x-test-address') ?? '192.0.2.1', id: randomUUID() });

export const answeredBy =
  (service: Answering): typeof fetch =>
  async (input, init) =>
    response(service, new Request(input, init));

/** Serves a service on loopback. @returns closes the server */
export async function listen(service: () => Answering, port: number): Promise<() => Promise<void>> {
  const server = await new Promise<ServerType>((listening) => {
    const started = serve(
      {
        fetch: (request) => response(service(), request),
        port,
        hostname: '127.0.0.1',
        // A busy client must not reuse a connection that is just being closed.
        serverOptions: { keepAliveTimeout: 600_000 },
      },
      () => listening(started),
    );
  });
  return async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
}

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
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
  const fetch = (request: Request) => response(service(), request);
  // A busy client must not reuse a connection that is just being closed.
  const server = serve({ fetch, port, hostname: '127.0.0.1', serverOptions: { keepAliveTimeout: 600_000 } });
  await once(server, 'listening');
  return async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
}

import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpServer } from './http-server.ts';

/** Faults of an S3 server: unreachable, silent, slow, rejecting, read-only, or with damaged bodies. */
export type Fault = 'away' | 'hangs' | 'slow' | 500 | 503 | 403 | 'read-only' | 'cut' | 'short' | 'long';

export interface S3Relay {
  url: string;
  requests: string[];
  /** Fault injected into all further requests; null: none. */
  fault: Fault | null;
  close(): Promise<void>;
}

/** A proxy between the server and S3 that injects faults. Signatures stay valid, as the host is passed on. */
export async function openRelay(to: string): Promise<S3Relay> {
  const relay: Pick<S3Relay, 'requests' | 'fault'> = { requests: [], fault: null };
  const server = await startHttpServer((incoming, outgoing) => {
    relay.requests.push(`${incoming.method} ${incoming.url}`);
    respond(relay.fault, incoming, outgoing, to).catch(() => outgoing.destroy());
  });
  return Object.assign(relay, server);
}

async function respond(fault: Fault | null, incoming: IncomingMessage, outgoing: ServerResponse, to: string) {
  if (fault === 'away') return void incoming.socket.destroy();
  if (fault === 'hangs') return;
  if (fault === 'slow') await sleep(3_000);
  const refusal = fault === 'read-only' && !/^(GET|HEAD)$/.test(incoming.method!) ? 403 : fault;
  if (typeof refusal === 'number') {
    incoming.resume();
    outgoing.writeHead(refusal, { 'content-type': 'application/xml' });
    return void outgoing.end('<Error><Code>Refused</Code></Error>');
  }
  const { hostname, port } = new URL(to);
  const { method, url: path, headers } = incoming;
  const onward = request({ hostname, port, method, path, headers });
  incoming.pipe(onward);
  const [response] = (await once(onward, 'response')) as [IncomingMessage];
  const isDamaged = incoming.method === 'GET' && response.statusCode! < 300;
  if (!isDamaged || !fault || fault === 'slow' || fault === 'read-only') {
    outgoing.writeHead(response.statusCode!, response.rawHeaders);
    return void response.pipe(outgoing);
  }
  const body = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));
  const half = body.subarray(0, Math.floor(body.length / 2));
  const contentLength = fault === 'short' ? half.length : fault === 'long' ? body.length + 7 : body.length;
  outgoing.writeHead(response.statusCode!, { ...response.headers, 'content-length': contentLength });
  outgoing.write(fault === 'long' ? body : half);
  // Lets the sent bytes arrive before the connection is cut.
  await sleep(20);
  if (fault === 'short') outgoing.end();
  else outgoing.destroy();
}

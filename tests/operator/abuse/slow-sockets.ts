import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { newAddress } from '../../server.ts';

export interface RawConnection {
  socket: Socket;
  /** Bytes received so far, as Latin-1 text. */
  answer: () => string;
  isOpen: () => boolean;
  /** Resolves with all received bytes when the connection is closed. */
  closed: Promise<string>;
}

/**
 * Connects to `base`, sends `text`, and waits for the first response bytes. Errors only close the connection.
 * @param andEnd half-closes the socket after `text`
 */
export async function openConnection(base: string, text: string, { andEnd = false } = {}): Promise<RawConnection> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let response = '';
  socket.on('data', (chunk: Buffer) => {
    response += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(response)));
  socket.write(text, 'latin1');
  if (andEnd) socket.end();
  await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
  return { socket, answer: () => response, isOpen: () => !socket.closed, closed };
}

/** Request header of a client address behind one trusted proxy. */
export const requestHeader = (line: string, address: string, headers: Record<string, string | number> = {}): string =>
  [
    `${line} HTTP/1.1`,
    'Host: madhouse.example',
    `X-Forwarded-For: ${address}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Starts an upload of `bytes` bytes to the bucket `files`; resolves when the server waits for the body. */
export function beginUpload(base: string, name: string, bytes: number, headers: Record<string, string>) {
  const body = { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes, Expect: '100-continue' };
  const line = `POST /storage/v1/object/files/${name}`;
  return openConnection(base, requestHeader(line, newAddress(), { ...headers, ...body }));
}

/** Milliseconds of each of `times` sequential requests, whose responses must have the status 200. */
export async function measureRequests(times: number, request: () => Promise<Response>): Promise<number[]> {
  const durationMs: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    const response = await request();
    await response.arrayBuffer();
    durationMs.push(performance.now() - start);
    if (response.status !== 200) throw new Error(`${response.url} returned ${response.status} instead of 200`);
  }
  return durationMs;
}

export const p95 = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * 0.95) - 1]!;

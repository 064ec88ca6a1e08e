import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** A connection to a server, without any HTTP of its own. */
export interface Line {
  socket: Socket;
  /** All that came back so far. */
  answer: () => string;
  isOpen: () => boolean;
  /** Resolves with all that came back when the server has closed it. */
  closed: Promise<string>;
}

/**
 * Connects to a server at `base`, says `text`, and waits for the first that is said back. What goes wrong only closes it.
 * @param andNothingMore says that this was all
 */
export async function call(base: string, text: string, { andNothingMore = false } = {}): Promise<Line> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  socket.write(text, 'latin1');
  if (andNothingMore) socket.end();
  await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed]);
  return { socket, answer: () => answer, isOpen: () => !socket.closed, closed };
}

/** The head of a request from an address, behind one trusted proxy. */
export const head = (line: string, address: string, headers: Record<string, string | number> = {}): string =>
  [
    `${line} HTTP/1.1`,
    'Host: madhouse.example',
    `X-Forwarded-For: ${address}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** How long each of a number of requests took, one after the other, in milliseconds; all of them were answered with `status`. */
export async function timesOf(times: number, status: number, request: () => Promise<Response>): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    const answer = await request();
    await answer.arrayBuffer();
    took.push(performance.now() - start);
    if (answer.status !== status) throw new Error(`${answer.url} was answered ${answer.status}, not ${status}`);
  }
  return took;
}

/** What 95 of a hundred stay below. */
export const p95 = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * 0.95) - 1]!;

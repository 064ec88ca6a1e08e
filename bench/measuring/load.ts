import { Agent, request } from 'node:http';

export interface RequestSpec {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** Result of one round over `connections` persistent connections: requests per second, and p99 in milliseconds. */
export interface Round {
  perSecond: number;
  p99: number;
}

type LoadHeaders = RequestSpec['headers'] | (() => RequestSpec['headers']);

/** Requests `url` repeatedly for `ms` milliseconds. Every response must have the status 200. */
export const load = (url: string, headers: LoadHeaders, ms: number, connections = 8): Promise<Round> =>
  loadSequentially(() => ({ url, headers: typeof headers === 'function' ? headers() : headers }), ms, connections);

/** Makes the next request of a connection, from its number and its last response. */
export type NextRequest = (connection: number, last: string | null) => RequestSpec;

/** Like `load`, but each request depends on the previous response, and every status must be `expected`. */
export async function loadSequentially(next: NextRequest, ms: number, connections = 8, expected = 200): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const end = performance.now() + ms;
  const runConnection = async (connection: number) => {
    let last: string | null = null;
    while (performance.now() < end) {
      const start = performance.now();
      last = await sendRequest(agent, next(connection, last), expected);
      times.push(performance.now() - start);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, connection) => runConnection(connection)));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return { perSecond: times.length / seconds, p99: quantile(times, 0.99) };
}

/** Measures for `ms` milliseconds how often `work` completes per second. */
export async function workPerSecond(work: () => Promise<unknown>, ms: number, concurrency: number): Promise<number> {
  let done = 0;
  const start = performance.now();
  const worker = async () => {
    for (; performance.now() - start < ms; done++) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done / ((performance.now() - start) / 1000);
}

/** @returns the response body, or an empty text for a GET request @throws Error when the status is not `expected` */
function sendRequest(agent: Agent, { url, headers, body }: RequestSpec, expected: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? null : JSON.stringify(body);
    const json =
      payload === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    const options = { agent, method: payload === null ? 'GET' : 'POST', headers: { ...headers, ...json } };
    const outgoing = request(url, options, (response) => {
      if (response.statusCode !== expected) reject(new Error(`${url} returned ${response.statusCode}`));
      let text = '';
      // Decoding every response would cost the load generator more than the server.
      if (payload === null) response.resume();
      else response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** Not the mean, so that one slow round does not distort a figure. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs each side once per round, so that both run under the same load of the machine. */
export async function interleaved<T>(rounds: number, sides: Record<string, () => Promise<T>>) {
  const results: Record<string, T[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(sides)) results[name]!.push(await run());
  return results;
}

/** Runs `work` `times` times with bounded concurrency. Each call gets its number, from 0. */
export async function runAll(times: number, concurrency: number, work: (number: number) => Promise<unknown>) {
  let started = 0;
  const worker = async () => {
    while (started < times) await work(started++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

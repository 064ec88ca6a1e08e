import { Agent, request } from 'node:http';

/** One round: so many requests per second over `connections` kept connections, and the 99th percentile in milliseconds. */
export interface Round {
  perSecond: number;
  p99: number;
}

/** Asks `url` again and again for `ms`. Every answer must have status `expected`. */
export async function load(
  url: string,
  headers: Record<string, string> | (() => Record<string, string>),
  ms: number,
  connections = 8,
  expected = 200,
): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const end = performance.now() + ms;
  const one = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      await ask(agent, url, typeof headers === 'function' ? headers() : headers, expected);
      times.push(performance.now() - start);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { perSecond: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

function ask(agent: Agent, url: string, headers: Record<string, string>, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers }, (response) => {
      if (response.statusCode !== expected) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume();
      response.on('end', resolve);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The middle value, for figures that one slow round must not decide. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Runs each side once per round, in turn, so that both meet the same weather. */
export async function interleaved<T>(
  rounds: number,
  sides: Record<string, () => Promise<T>>,
): Promise<Record<string, T[]>> {
  const results: Record<string, T[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(sides)) results[name]!.push(await run());
  return results;
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishableKeyOf, type RunningServer, startServer } from '../server.ts';

const EXPERIMENTS = 5_001;
const CONCURRENCY = 100;

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ SEED: 'none' });
});
afterAll(() => server?.stop());

const placesIn = async (path: string) => {
  const text = await (await fetch(server.base + path)).text();
  return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place!);
};

it('splits the sitemap of a large portfolio into parts without losing a URL', async () => {
  const [, setupKey] = /Setup key \(shown once, .*: (\S+)/.exec(server.output())!;
  const apikey = await publishableKeyOf(server.base);
  const account = { email: 'first@madhouse.example', password: 'a-long-walk-by-the-sea' };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(server.base + path, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  await post('/functions/v1/admin-setup', account, { 'x-setup-key': setupKey! });
  const session = await post('/auth/v1/token?grant_type=password', account);
  const { access_token } = (await session.json()) as { access_token: string };
  for (let made = 0; made < EXPERIMENTS; made += CONCURRENCY) {
    const rows = Array.from({ length: Math.min(CONCURRENCY, EXPERIMENTS - made) }, (_, at) => ({
      title: `Number ${made + at}`,
      status: 'active',
    }));
    expect((await post('/rest/v1/projects', rows, { authorization: `Bearer ${access_token}` })).status).toBe(201);
  }

  const parts = await placesIn('/sitemap.xml');
  expect(parts).toEqual(['pages', '1', '2'].map((part) => `${server.base}/sitemaps/${part}.xml`));
  const [pages, first, second] = await Promise.all(parts.map((part) => placesIn(part.slice(server.base.length))));
  expect(pages).toContain(`${server.base}/about`);
  expect([first!.length, second!.length]).toEqual([5_000, 1]);
  const numbers = [...first!, ...second!].map((place) => Number(/number-(\d+)$/.exec(place)![1]));
  expect(new Set(numbers).size).toBe(EXPERIMENTS);
  expect((await fetch(`${server.base}/sitemaps/3.xml`)).status).toBe(404);
});

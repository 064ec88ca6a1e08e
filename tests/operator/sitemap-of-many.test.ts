import postgres from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../for-all-tests.ts';
import { startServerOnPostgres } from '../server.ts';
import { clientOf } from './client.ts';

const LISTED = 101_500;

/** Triggers would take minutes, so this script also writes their rows of the list. */
const FILL = `
  set session_replication_role = replica;
  insert into public.projects (number, title, status, created_at)
    select n, 'Number ' || n, 'active', timestamptz '2020-01-01' + n / 2 * interval '1 minute' from generate_series(1, ${LISTED}) n;
  insert into private.listings (category, created_at, project_id, hand_share)
    select 'all', created_at, id, case when number % 2 = 0 then 100 end from public.projects;
  insert into private.listing_words (project_id, created_at, words)
    select id, created_at, case when number > ${LISTED} - 300 or number <= 500 then 'tea'::tsvector else 'ink'::tsvector end
    from public.projects where number > ${LISTED} - 20100 or number <= 500;
  insert into private.listing_counts
    select category, date_trunc('week', created_at at time zone 'utc')::date, count(*), count(hand_share), 0, 0, coalesce(sum(hand_share), 0), 0
    from private.listings group by 1, 2;
  update private.experiment_numbers set last = ${LISTED};
  set session_replication_role = origin;
  analyze public.projects; analyze private.listings`;

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none' }));
beforeAll(async () => {
  const sql = postgres(server.databaseUrl!, { max: 1, onnotice: () => {} });
  await sql.unsafe(FILL).finally(() => sql.end());
});

it('a long list contains each of more than 101,000 experiments once (B4)', async () => {
  const placesIn = async (path: string) => {
    const response = await fetch(server.base + path);
    expect(response.status, path).toBe(200);
    return [...(await response.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place!);
  };
  const parts = await placesIn('/sitemap.xml');
  expect(parts).toHaveLength(22);
  expect(await placesIn('/sitemaps/pages.xml')).toContain(`${server.base}/about`);
  const numbers = new Set<number>();
  for (const part of parts.slice(1)) {
    const places = await placesIn(new URL(part).pathname);
    expect(places.length, part).toBe(part.endsWith('/21.xml') ? 1_500 : 5_000);
    for (const place of places) numbers.add(Number(/number-(\d+)$/.exec(place)![1]));
  }
  expect(numbers.size).toBe(LISTED);
  expect((await fetch(`${server.base}/sitemaps/22.xml`)).status).toBe(404);

  // A page far down the list: two experiments per minute, every second one made mostly by hand.
  const listed = async (question: string) => {
    const address = `/rest/v1/rpc/search_case_studies?select=number&take=100&${question}`;
    const rows = (await (await clientOf(server).send(address)).json()) as { number: number }[];
    return rows.map(({ number }) => number).sort((a, b) => b - a);
  };
  const numbersDownFrom = (first: number, step = 1) => Array.from({ length: 100 }, (_, at) => first - at * step);
  for (const skip of [999, 1001, 50_001, LISTED - 101])
    expect(await listed(`skip=${skip}`), String(skip)).toEqual(numbersDownFrom(LISTED - skip));
  expect(await listed('skip=20000&made=hand')).toEqual(numbersDownFrom(LISTED - 40_000, 2));
  expect(await listed(`skip=${LISTED}`)).toEqual([]);

  // A word that is frequent among the newest and rare elsewhere.
  expect(await listed('words=tea&skip=1')).toEqual(numbersDownFrom(LISTED - 1));
  expect(await listed('words=tea&skip=301')).toEqual(numbersDownFrom(499));
  expect(await listed('words=tea&skip=601')).toEqual(numbersDownFrom(199));
  expect(await listed('words=tea&skip=800')).toEqual([]);

  await clientOf(server).insert('projects', { title: `Number ${LISTED + 1}`, status: 'active' });
  const newest = await placesIn('/sitemaps/21.xml');
  expect([newest.length, newest.at(-1)]).toEqual([1_501, expect.stringMatching(/number-101501$/)]);
});

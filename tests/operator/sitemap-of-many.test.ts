import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { openDatabase } from '../../backend/database/open.ts';
import { migratedTemplate, silent, startMigratedPostgres, temporaryFolder } from '../database.ts';
import { type RunningServer, startServer } from '../server.ts';

const LISTED = 101_500;
const PATIENCE = { log: silent, timeoutMs: 120_000 };

/** Rows alone: what triggers would write beside them for so many takes minutes, so the list is written as they would. */
const FILL = `
  set session_replication_role = replica;
  insert into public.projects (title, status, created_at)
    select 'Number ' || n, 'active', timestamptz '2020-01-01' + n / 2 * interval '1 minute' from generate_series(1, ${LISTED}) n;
  insert into private.listings (category, created_at, project_id) select 'all', created_at, id from public.projects;
  update private.listing_counts set experiments = ${LISTED} where category = 'all';
  set session_replication_role = origin;
  analyze public.projects; analyze private.listings`;

const fill = (db: Database) => db.script(FILL, { timeoutMs: PATIENCE.timeoutMs });

const houses = [
  {
    engine: 'the embedded engine',
    async open() {
      const { folder, remove } = await temporaryFolder();
      const choice = { kind: 'embedded' as const, folder: join(folder, 'database') };
      const db = await openDatabase(choice, { ...PATIENCE, template: await migratedTemplate() });
      await fill(db);
      await db.close();
      const server = await startServer({ SEED: 'none' }, folder);
      return { server, end: () => server.stop().then(remove) };
    },
  },
  {
    engine: 'PostgreSQL',
    async open() {
      const database = await startMigratedPostgres();
      const server = await startServer({ DATABASE_URL: database.url, SEED: 'none' });
      const db = await openDatabase({ kind: 'postgres', url: database.url }, PATIENCE);
      await fill(db);
      await db.close();
      return { server, end: () => server.stop().then(() => database.stop()) };
    },
  },
];

describe.each(houses)('a sitemap over $engine', ({ open }) => {
  let end = async () => {};
  afterAll(() => end());

  it('B4: has every part of more than 101,000 experiments, each of them once', async () => {
    const house: { server: RunningServer; end: () => Promise<unknown> } = await open();
    end = async () => void (await house.end());
    const placesIn = async (path: string) => {
      const answer = await fetch(house.server.base + path);
      expect(answer.status, path).toBe(200);
      return [...(await answer.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place!);
    };
    const parts = await placesIn('/sitemap.xml');
    expect(parts).toHaveLength(22);
    const numbers = new Set<number>();
    for (const part of parts.slice(1)) {
      const places = await placesIn(new URL(part).pathname);
      expect(places.length, part).toBe(part.endsWith('/21.xml') ? 1_500 : 5_000);
      for (const place of places) numbers.add(Number(/number-(\d+)$/.exec(place)![1]));
    }
    expect(numbers.size).toBe(LISTED);
    expect((await fetch(`${house.server.base}/sitemaps/22.xml`)).status).toBe(404);
  });
});

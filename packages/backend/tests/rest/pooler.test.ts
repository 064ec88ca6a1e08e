import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { findPgBouncer, startPgBouncer } from '../../../../tests/programs/pgbouncer.ts';
import { startPostgres } from '../../../../tests/programs/postgres.ts';
import { library } from './library.ts';
import { openRest } from './rest-server.ts';

describe.skipIf(!findPgBouncer())('the data service behind PgBouncer in transaction mode', () => {
  const server = forAllTests(startPostgres);
  const pooler = forAllTests(() => startPgBouncer(server.url));
  const api = forAllTests(() => {
    const database = { kind: 'postgres' as const, url: pooler.url, directUrl: server.url };
    const timeoutMs = { anon: 500, authenticated: 500, admin: 500, service_role: 500 };
    return openRest({ sql: library }, { database, limits: { timeoutMs } });
  });
  const guest = () => api.client();

  it('reads, embeds across views and counts', async () => {
    const { data, count } = await guest()
      .from('shelf')
      .select('note,books(title,price,added,authors(name,tags))', { count: 'exact' })
      .order('place')
      .limit(1);
    const authors = { name: 'Ada', tags: ['math', 'poetry'] };
    const books = { title: 'Notes', price: 9.5, added: '2026-01-02T03:04:05.123456+00:00', authors };
    expect([count, data]).toEqual([2, [{ note: 'left', books }]]);
  });

  it('binds values of every type as PostgreSQL converts them', async () => {
    const { data } = await guest()
      .from('books')
      .select('id')
      .in('id', [1, 2])
      .eq('state', 'new')
      .gte('added', '2026-01-01')
      .overlaps('period', '[2,3)')
      .lte('price', '9.50');
    expect(data).toEqual([{ id: 1 }]);
  });

  it('writes, upserts and rolls back', async () => {
    expect((await guest().from('genres').upsert({ id: 50, name: 'x' })).status).toBe(201);
    expect((await guest().from('genres').upsert({ id: 50, name: 'y' })).status).toBe(200);
    const two = await guest().from('book_details').update({ pages: 1 }).gte('pages', 1).select().single();
    expect(two.error?.code).toBe('PGRST116');
    expect((await guest().from('book_details').select().eq('pages', 1)).data).toEqual([]);
    expect((await guest().from('genres').delete().eq('id', 50).select()).data).toEqual([{ id: 50, name: 'y' }]);
  });

  it('calls functions with arguments of all kinds', async () => {
    expect((await guest().rpc('sum_array', { items: [1, 2, 3] })).data).toBe(6);
    expect((await guest().rpc('add', { a: 1 }, { get: true })).data).toBe(11);
    expect((await guest().rpc('nothing')).status).toBe(204);
  });

  it('cancels a slow statement and continues', async () => {
    const slow = await guest().rpc('slow');
    expect([slow.status, slow.error?.code]).toEqual([500, '57014']);
    expect((await guest().from('books').select('id').eq('id', 1)).data).toEqual([{ id: 1 }]);
  });

  it('serves new tables after a schema reload notification', async () => {
    const reload = `notify pgrst, 'reload schema'`;
    await api.db.script(`create table public.later (id int); grant select on public.later to anon; ${reload}`);
    await expect.poll(async () => (await guest().from('later').select()).status).toBe(200);
  });

  it('responds 503 with Retry-After while the database is unreachable', async () => {
    await server.crash();
    const response = await api.call('/books');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ code: expect.stringMatching(/^(PGRST00|57P|08)/), details: null });
    await server.start();
    await expect.poll(async () => (await api.call('/books')).status).toBe(200);
  });
});

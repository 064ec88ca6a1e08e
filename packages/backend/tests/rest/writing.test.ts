import { beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { library } from './library.ts';
import { openRest } from './rest-server.ts';

const api = forAllTests(() => openRest({ sql: library }));
const from = (table: string) => api.client().from(table);
const service = () => api.client(api.keys.secret);
beforeEach(() =>
  api.db.script('delete from public.plain; delete from public.genres where id > 3; delete from public.notes'),
);

describe('insert', () => {
  const complete = { a: 1, b: 2 };

  it('returns 201 without a body unless rows are requested', async () => {
    const response = await api.call('/genres', { json: { id: 10, name: 'new' } });
    expect([response.status, await response.text(), response.headers.get('content-length')]).toEqual([201, '', '0']);
    expect(response.headers.get('content-range')).toBe('*/*');
    expect((await from('genres').select('name').eq('id', 10)).data).toEqual([{ name: 'new' }]);
  });

  it('returns the row with its embeds, computed columns and relationships', async () => {
    const { data, status } = await from('books')
      .insert({ title: 'loud', author_id: 2 })
      .select('title,price,shout,authors(name),writer_of(name)')
      .single();
    const bob = { name: 'Bob' };
    expect(status).toBe(201);
    expect(data).toEqual({ title: 'loud', price: null, shout: 'LOUD', authors: bob, writer_of: bob });
    await from('books').delete().eq('title', 'loud');
  });

  it('accepts many rows, and sets missing keys to null', async () => {
    const { data, count } = await from('plain')
      .insert([complete, { a: 3 }], { count: 'exact' })
      .select();
    expect([data, count]).toEqual([[complete, { a: 3, b: null }], 2]);
  });

  it('sets missing keys to their defaults when requested', async () => {
    const { data } = await from('plain')
      .insert([complete, { a: 3 }], { defaultToNull: false })
      .select();
    expect(data).toEqual([complete, { a: 3, b: 7 }]);
    const identity = await from('books')
      .insert([{ title: 'x', id: 50 }, { title: 'y' }], { defaultToNull: false })
      .select('id,state');
    expect(identity.data).toEqual([
      { id: 50, state: 'new' },
      { id: expect.any(Number), state: 'new' },
    ]);
    await from('books').delete().in('title', ['x', 'y']);
  });

  it('inserts rows of defaults, and nothing from an empty list', async () => {
    expect((await from('plain').insert({}).select()).data).toEqual([{ a: null, b: 7 }]);
    expect((await from('plain').insert([{}, {}]).select()).data).toHaveLength(2);
    const empty = await from('plain').insert([]).select();
    expect([empty.status, empty.data]).toEqual([201, []]);
  });

  it('converts JSON numbers to column types without losing digits', async () => {
    const typed = { price: 123456.78, state: 'used', period: '[1,2)' };
    const row = { title: 'typed', ...typed, added: '2026-05-01T00:00:00+02:00' };
    const { data } = await from('books').insert(row).select('price,state,period,added').single();
    expect(data).toEqual({ ...typed, added: '2026-04-30T22:00:00+00:00' });
    const big = '{"id": 60, "name": "Big", "facts": {"n": 12345678901234567890123}, "tags": ["a,b", "c\\"d"]}';
    await api.call('/authors', { json: big });
    const unchanged = '[{"facts":{"n": 12345678901234567890123},"tags":["a,b","c\\"d"]}]';
    expect(await (await api.call('/authors?select=facts,tags&id=eq.60')).text()).toBe(unchanged);
    await api.db.script('delete from public.authors where id = 60; delete from public.books where id >= 100');
  });

  it('returns the row’s location when only headers are requested', async () => {
    const prefer = { prefer: 'return=headers-only' };
    const response = await api.call('/genres', { json: { id: 11, name: 'there' }, headers: prefer });
    expect(response.headers.get('location')).toBe('/genres?id=eq.11');
  });

  it('rejects malformed bodies', async () => {
    for (const [message, ...bodies] of [
      ['Empty or invalid json', '', '{', '7', '[1]'],
      ['All object keys must match', '[{"a":1},{"b":1}]', '[{"a":1},{"a":1,"b":1}]'],
    ] as const)
      for (const body of bodies) {
        const refused = { status: 400, code: 'PGRST102', message };
        expect(await api.refusal('/plain', { json: body }), body).toMatchObject(refused);
      }
    const message = "Could not find the 'nope' column of 'plain' in the schema cache";
    const unknown = await api.refusal('/plain', { json: { nope: 1 } });
    expect(unknown).toEqual({ status: 400, code: 'PGRST204', message, details: null, hint: null });
    expect(await api.code('/plain?columns=nope', { json: { a: 1 } })).toBe('400 PGRST204');
  });

  it('ignores keys that columns= omits', async () => {
    const row = { json: [{ a: 1, b: 9, other: 1 }], headers: { prefer: 'return=representation' } };
    expect(await (await api.call('/plain?columns=a&select=a,b', row)).json()).toEqual([{ a: 1, b: 7 }]);
  });

  it('returns constraint errors', async () => {
    const message = 'duplicate key value violates unique constraint "genres_pkey"';
    const duplicate = { status: 409, code: '23505', message, details: 'Key (id)=(1) already exists.', hint: null };
    expect(await api.refusal('/genres', { json: { id: 1, name: 'x' } })).toEqual(duplicate);
    expect(await api.code('/books', { json: { title: 'x', author_id: 99 } })).toBe('409 23503');
    expect(await api.code('/genres', { json: { id: 12 } })).toBe('400 23502');
    expect(await api.code('/books', { json: { title: 'x', state: 'odd' } })).toBe('400 22P02');
  });
});

describe('upsert', () => {
  it('merges on the primary key, and returns 201 for a new row and 200 for an existing one', async () => {
    const upsert = (...rows: object[]) => from('genres').upsert(rows).select();
    const third = { id: 20, name: 'three' };
    const fresh = { id: 21, name: 'new' };
    expect((await upsert({ id: 20, name: 'one' })).status).toBe(201);
    expect((await upsert({ id: 20, name: 'two' })).status).toBe(200);
    expect(await upsert(third, fresh)).toMatchObject({ status: 201, data: [third, fresh] });
  });

  it('ignores duplicates when requested', async () => {
    const fresh = { id: 22, name: 'fresh' };
    const rows = [{ id: 1, name: 'other' }, fresh];
    const { data, status } = await from('genres').upsert(rows, { ignoreDuplicates: true }).select();
    expect([status, data]).toEqual([201, [fresh]]);
  });

  it('merges on other unique columns', async () => {
    const { data } = await from('books')
      .upsert({ isbn: 'b-1', title: 'Bob, by Bob', price: 6 }, { onConflict: 'isbn' })
      .select('id,price');
    expect(data).toEqual([{ id: 3, price: 6 }]);
    await from('books').update({ price: 5 }).eq('id', 3);
    const merge = { json: { title: 'x' }, headers: { prefer: 'resolution=merge-duplicates' } };
    expect(await api.code('/books?on_conflict=title', merge)).toBe('400 42P10');
  });

  it('returns a row when only its key was sent', async () => {
    const row = { book_id: 1, genre_id: 1 };
    expect((await from('book_genres').upsert(row).select()).data).toEqual([row]);
  });

  it('inserts plainly into a table without a key', async () => {
    const response = await api.call('/plain', { json: { a: 1 }, headers: { prefer: 'resolution=merge-duplicates' } });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([201, null]);
  });
});

describe('update', () => {
  const twoRows = () => api.db.query('insert into public.plain values (1, 1), (2, 1)');

  it('responds 204 with a count, or the rows', async () => {
    await twoRows();
    const response = await api.call('/plain?b=eq.1', { method: 'PATCH', json: { b: 5 } });
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([204, '0-1/*', '']);
    const update = from('plain').update({ b: 6 }, { count: 'exact' });
    const { data, status, count } = await update.eq('b', 5).select('a').order('a', { ascending: false });
    expect([status, count, data]).toEqual([200, 2, [{ a: 2 }, { a: 1 }]]);
    expect((await from('plain').update({ b: 1 }).eq('a', 99).select()).data).toEqual([]);
  });

  it('rolls back when not exactly one row matched', async () => {
    await twoRows();
    const { status, error } = await from('plain').update({ b: 9 }).eq('b', 1).select().single();
    expect([status, error?.code]).toEqual([406, 'PGRST116']);
    expect((await from('plain').select().eq('b', 9)).data).toEqual([]);
  });

  it('rolls back when too many rows matched', async () => {
    await twoRows();
    const { error } = await from('plain').update({ b: 9 }).eq('b', 1).maxAffected(1);
    expect(error).toMatchObject({ code: 'PGRST124', details: 'The query affects 2 rows' });
    expect((await from('plain').select().eq('b', 9)).data).toEqual([]);
    expect((await from('plain').update({ b: 9 }).eq('b', 1).maxAffected(2)).status).toBe(204);
  });

  it('requires a filter', async () => {
    const requests = { UPDATE: { method: 'PATCH', json: { b: 1 } }, DELETE: { method: 'DELETE' } };
    for (const [verb, init] of Object.entries(requests)) {
      const refused = { status: 400, code: '21000', message: `${verb} requires a WHERE clause` };
      expect(await api.refusal('/plain', init)).toMatchObject(refused);
    }
  });
});

describe('delete', () => {
  it('responds 204, or the deleted rows', async () => {
    await from('plain').insert([{ a: 1 }, { a: 2 }]);
    const response = await api.call('/plain?a=eq.1', { method: 'DELETE', headers: { prefer: 'count=exact' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([204, '*/1']);
    expect((await from('plain').delete().eq('a', 2).select()).data).toEqual([{ a: 2, b: 7 }]);
  });

  it('deletes every visible row for a filter that all rows match', async () => {
    await from('plain').insert([{ a: 1 }, { a: 2 }]);
    expect((await from('plain').delete({ count: 'exact' }).not('a', 'is', null)).count).toBe(2);
  });
});

describe('put', () => {
  it('inserts or replaces the row of a complete key', async () => {
    const put = async (name: string) => {
      const row = { method: 'PUT', json: { id: 30, name }, headers: { prefer: 'return=representation' } };
      const response = await api.call('/genres?id=eq.30', row);
      return [response.status, await response.json()];
    };
    expect(await put('put')).toEqual([201, [{ id: 30, name: 'put' }]]);
    expect(await put('again')).toEqual([200, [{ id: 30, name: 'again' }]]);
  });

  it('rejects other filters than the key', async () => {
    const put = (query: string, id: number) => api.code(`/genres?${query}`, { method: 'PUT', json: { id, name: 'x' } });
    expect(await put('id=eq.31', 32)).toBe('400 PGRST115');
    expect(await put('name=eq.x', 31)).toBe('405 PGRST105');
    expect(await put('id=eq.31&limit=1', 31)).toBe('400 PGRST114');
    expect((await from('genres').select().gt('id', 30)).data).toEqual([]);
  });
});

describe('preferences', () => {
  it('are listed in the response when applied, in a fixed order', async () => {
    const prefer = 'count=exact, return=representation, missing=default, resolution=merge-duplicates';
    const response = await api.call('/genres', { json: { id: 40, name: 'x' }, headers: { prefer } });
    const applied = 'resolution=merge-duplicates, missing=default, return=representation, count=exact';
    expect(response.headers.get('preference-applied')).toBe(applied);
  });

  it('are rejected when unknown with strict handling', async () => {
    const prefer = 'handling=strict, color=red, tx=maybe, __proto__=y';
    const strict = await api.refusal('/genres', { json: { id: 41, name: 'x' }, headers: { prefer } });
    const details = 'Invalid preferences: color=red, tx=maybe, __proto__=y';
    expect(strict).toMatchObject({ status: 400, code: 'PGRST122', details });
    expect((await api.call('/genres', { headers: { prefer: 'color=red' } })).status).toBe(200);
  });

  it('roll back for the service role', async () => {
    const undone = await service().from('genres').insert({ id: 42, name: 'gone' }).select().rollback();
    expect([undone.status, undone.data]).toEqual([201, [{ id: 42, name: 'gone' }]]);
    const plan = await service().from('genres').insert({ id: 44, name: 'gone' }).rollback().explain({ analyze: true });
    expect(plan.data).toContain('Insert on genres');
    expect((await from('genres').insert({ id: 43, name: 'stays' }).rollback()).status).toBe(201);
    expect((await from('genres').select('id').gte('id', 42)).data).toEqual([{ id: 43 }]);
  });

  it('set the time zone of the response', async () => {
    for (const [zone, added] of [
      ['Asia/Tokyo', '2026-01-02T12:04:05.123456+09:00'],
      ["'; drop table x", '2026-01-02T03:04:05.123456+00:00'],
    ]) {
      const response = await api.call('/books?select=added&id=eq.1', { headers: { prefer: `timezone=${zone}` } });
      expect(await response.json()).toEqual([{ added }]);
    }
  });
});

describe('row-level security', () => {
  it('lets users write and read their own rows only', async () => {
    const [ann, ben] = [await api.person(), await api.person()];
    const mine = api.client(ann.token);
    const { data, error } = await mine.from('notes').insert({ owner: ann.id, body: 'mine' }).select('id,body').single();
    expect([data?.body, error]).toEqual(['mine', null]);
    const foreign = await mine.from('notes').insert({ owner: ben.id, body: 'forged' });
    const message = 'new row violates row-level security policy for table "notes"';
    expect(foreign).toMatchObject({ status: 403, error: { code: '42501', message } });
    const theirs = api.client(ben.token);
    expect((await theirs.from('notes').select('id')).data).toEqual([]);
    expect((await theirs.from('notes').update({ body: 'stolen' }).eq('id', data?.id).select('id')).data).toEqual([]);
    expect((await theirs.from('notes').delete().eq('id', data?.id).select('id')).data).toEqual([]);
    expect((await mine.from('notes').select('body')).data).toEqual([{ body: 'mine' }]);
  });

  it('lets a guest insert a row without reading it back', async () => {
    const owner = '11111111-1111-4111-8111-111111111111';
    expect((await from('notes').insert({ owner, body: 'dropped' })).status).toBe(201);
    const insert = await from('notes').insert({ owner, body: 'refused' }).select('id');
    expect([insert.status, insert.error?.code]).toEqual([401, '42501']);
    expect((await service().from('notes').select('body')).data).toEqual([{ body: 'dropped' }]);
  });

  it('responds 42501 for a column without a grant, with 401 to guests and 403 to users', async () => {
    const { token } = await api.person();
    const asGuest = await api.call('/notes?select=secret');
    expect([asGuest.status, asGuest.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await api.client(token).from('notes').select('secret')).status).toBe(403);
    expect((await api.client(token).from('notes').select('*')).error?.code).toBe('42501');
    expect((await api.client(token).from('locked').select()).error?.code).toBe('42501');
  });

  it('requires grants only on the selected columns', async () => {
    const { id, token } = await api.person();
    const { data, status } = await api.client(token).from('notes').insert({ owner: id, secret: 's' }).select('body');
    expect([status, data]).toEqual([201, [{ body: null }]]);
  });
});

describe('rich text', () => {
  const dirty = '<p onclick="x()">Hi <b>you</b><script>alert(1)</script></p>';
  const clean = '<p>Hi <strong>you</strong></p>';

  it('is sanitized in single rows, bulk rows, updates and upserts', async () => {
    const single = await from('books').insert({ title: 'r1', blurb: dirty }).select('id,blurb').single();
    expect(single.data?.blurb).toBe(clean);
    const rows = [dirty, null].map((blurb, at) => ({ title: `r${at}`, blurb }));
    expect((await from('books').insert(rows).select('blurb')).data).toEqual([{ blurb: clean }, { blurb: null }]);
    const id = single.data?.id;
    const changed = from('books').update({ blurb: `${dirty}!` });
    expect((await changed.eq('id', id).select('blurb')).data).toEqual([{ blurb: `${clean}!` }]);
    const merged = from('books').upsert({ id, title: 'r1', blurb: dirty });
    expect((await merged.select('blurb')).data).toEqual([{ blurb: clean }]);
  });

  it('is sanitized for a duplicate key, an escaped key and a value that is no text', async () => {
    for (const body of [
      `{"title": "r4", "blurb": ${JSON.stringify(dirty)}, "blurb": "ok"}`,
      `{"title": "r4", "blurb": "ok", "blur\\u0062": ${JSON.stringify(dirty)}}`,
      `{"title": "r4", "blurb": {"a": ${JSON.stringify(dirty)}}}`,
    ]) {
      const prefer = { prefer: 'return=representation' };
      const response = await api.call('/books?select=blurb', { json: body, headers: prefer });
      expect(await response.text()).not.toMatch(/script|onclick/);
    }
  });

  it('is refused when its elements are nested too deeply or it is too long', async () => {
    for (const blurb of ['<b>'.repeat(60_000), '<b>'.repeat(330_000), 'x'.repeat(300_000)])
      expect((await from('books').insert({ title: 'r5', blurb })).error).toMatchObject({ code: 'PGRST102' });
  });

  it('leaves other columns and the digits of numbers unchanged', async () => {
    const body = `{"title": ${JSON.stringify(dirty)}, "price": 10.10, "blurb": "x"}`;
    const init = { json: body, headers: { prefer: 'return=representation' } };
    const response = await api.call('/books?select=title,price', init);
    expect(await response.text()).toBe(JSON.stringify([{ title: dirty, price: 0 }]).replace('0}', '10.10}'));
  });
});

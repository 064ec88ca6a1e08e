import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { library } from './library.ts';
import { type Client, openRest } from './rest-server.ts';

let guest: Client;
let service: Client;

const api = forAllTests(() => openRest({ sql: library }));
beforeAll(() => {
  guest = api.client();
  service = api.client(api.keys.secret);
});
beforeEach(() =>
  api.db.script('delete from public.plain; delete from public.genres where id > 3; delete from public.notes'),
);

const json = (method: string, body: unknown, headers: Record<string, string> = {}) => ({
  method,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});

describe('insert', () => {
  it('returns 201 without a body unless rows are requested', async () => {
    const response = await api.call('/genres', json('POST', { id: 10, name: 'new' }));
    expect([response.status, await response.text(), response.headers.get('content-length')]).toEqual([201, '', '0']);
    expect(response.headers.get('content-range')).toBe('*/*');
    expect((await guest.from('genres').select('name').eq('id', 10)).data).toEqual([{ name: 'new' }]);
  });

  it('returns the row with its embeds', async () => {
    const { data, status } = await guest
      .from('books')
      .insert({ title: 'Fresh', author_id: 2 })
      .select('title,price,authors(name)')
      .single();
    expect([status, data]).toEqual([201, { title: 'Fresh', price: null, authors: { name: 'Bob' } }]);
    await guest.from('books').delete().eq('title', 'Fresh');
  });

  it('returns computed columns and relationships of written rows', async () => {
    const { data } = await guest
      .from('books')
      .insert({ title: 'loud', author_id: 1 })
      .select('*,shout,writer_of(name)')
      .single();
    expect(data).toMatchObject({ title: 'loud', shout: 'LOUD', writer_of: { name: 'Ada' } });
    expect(data).not.toHaveProperty('pgrst_row');
    await guest.from('books').delete().eq('title', 'loud');
  });

  it('accepts many rows, and sets missing keys to null', async () => {
    const { data, count } = await guest
      .from('plain')
      .insert([{ a: 1, b: 2 }, { a: 3 }], { count: 'exact' })
      .select();
    expect([data, count]).toEqual([
      [
        { a: 1, b: 2 },
        { a: 3, b: null },
      ],
      2,
    ]);
  });

  it('sets missing keys to their defaults when requested', async () => {
    const { data } = await guest
      .from('plain')
      .insert([{ a: 1, b: 2 }, { a: 3 }], { defaultToNull: false })
      .select();
    expect(data).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 7 },
    ]);
    const identity = await guest
      .from('books')
      .insert([{ title: 'x', id: 50 }, { title: 'y' }], { defaultToNull: false })
      .select('id,state');
    expect(identity.data).toEqual([
      { id: 50, state: 'new' },
      { id: expect.any(Number), state: 'new' },
    ]);
    await guest.from('books').delete().in('title', ['x', 'y']);
  });

  it('inserts rows of defaults, and nothing from an empty list', async () => {
    expect((await guest.from('plain').insert({}).select()).data).toEqual([{ a: null, b: 7 }]);
    expect((await guest.from('plain').insert([{}, {}]).select()).data).toHaveLength(2);
    const empty = await guest.from('plain').insert([]).select();
    expect([empty.status, empty.data]).toEqual([201, []]);
  });

  it('converts JSON numbers to column types without losing digits', async () => {
    const row = {
      title: 'typed',
      price: 123456.78,
      state: 'used',
      period: '[1,2)',
      added: '2026-05-01T00:00:00+02:00',
    };
    const { data } = await guest.from('books').insert(row).select('price,state,period,added').single();
    expect(data).toEqual({ price: 123456.78, state: 'used', period: '[1,2)', added: '2026-04-30T22:00:00+00:00' });
    await api.call(
      '/authors',
      json('POST', '{"id": 60, "name": "Big", "facts": {"n": 12345678901234567890123}, "tags": ["a,b", "c\\"d"]}'),
    );
    expect(await (await api.call('/authors?select=facts,tags&id=eq.60')).text()).toBe(
      '[{"facts":{"n": 12345678901234567890123},"tags":["a,b","c\\"d"]}]',
    );
    await api.db.script('delete from public.authors where id = 60; delete from public.books where id >= 100');
  });

  it('returns the row’s location when only headers are requested', async () => {
    const response = await api.call(
      '/genres',
      json('POST', { id: 11, name: 'there' }, { prefer: 'return=headers-only' }),
    );
    expect(response.headers.get('location')).toBe('/genres?id=eq.11');
  });

  it('rejects malformed bodies', async () => {
    for (const [body, message] of [
      ['', 'Empty or invalid json'],
      ['{', 'Empty or invalid json'],
      ['7', 'Empty or invalid json'],
      ['[1]', 'Empty or invalid json'],
      ['[{"a":1},{"b":1}]', 'All object keys must match'],
      ['[{"a":1},{"a":1,"b":1}]', 'All object keys must match'],
    ] as const)
      expect(await api.refusal('/plain', json('POST', body)), body).toMatchObject({
        status: 400,
        code: 'PGRST102',
        message,
      });
    expect(await api.refusal('/plain', json('POST', { nope: 1 }))).toEqual({
      status: 400,
      code: 'PGRST204',
      message: "Could not find the 'nope' column of 'plain' in the schema cache",
      details: null,
      hint: null,
    });
    expect(await api.refusal('/plain?columns=nope', json('POST', { a: 1 }))).toMatchObject({ code: 'PGRST204' });
  });

  it('ignores keys that columns= omits', async () => {
    const response = await api.call(
      '/plain?columns=a&select=a,b',
      json('POST', [{ a: 1, b: 9, other: 1 }], { prefer: 'return=representation' }),
    );
    expect(await response.json()).toEqual([{ a: 1, b: 7 }]);
  });

  it('returns constraint errors', async () => {
    expect(await api.refusal('/genres', json('POST', { id: 1, name: 'x' }))).toEqual({
      status: 409,
      code: '23505',
      message: 'duplicate key value violates unique constraint "genres_pkey"',
      details: 'Key (id)=(1) already exists.',
      hint: null,
    });
    expect(await api.refusal('/books', json('POST', { title: 'x', author_id: 99 }))).toMatchObject({
      status: 409,
      code: '23503',
    });
    expect(await api.refusal('/genres', json('POST', { id: 12 }))).toMatchObject({ status: 400, code: '23502' });
    expect(await api.refusal('/books', json('POST', { title: 'x', state: 'odd' }))).toMatchObject({
      status: 400,
      code: '22P02',
    });
  });
});

describe('upsert', () => {
  it('merges on the primary key, and returns 201 for a new row and 200 for an existing one', async () => {
    const first = await guest.from('genres').upsert({ id: 20, name: 'one' }).select();
    const second = await guest.from('genres').upsert({ id: 20, name: 'two' }).select();
    const both = await guest
      .from('genres')
      .upsert([
        { id: 20, name: 'three' },
        { id: 21, name: 'new' },
      ])
      .select();
    expect([first.status, second.status, both.status]).toEqual([201, 200, 201]);
    expect(both.data).toEqual([
      { id: 20, name: 'three' },
      { id: 21, name: 'new' },
    ]);
  });

  it('ignores duplicates when requested', async () => {
    const { data, status } = await guest
      .from('genres')
      .upsert(
        [
          { id: 1, name: 'other' },
          { id: 22, name: 'fresh' },
        ],
        { ignoreDuplicates: true },
      )
      .select();
    expect([status, data]).toEqual([201, [{ id: 22, name: 'fresh' }]]);
  });

  it('merges on other unique columns', async () => {
    const { data } = await guest
      .from('books')
      .upsert({ isbn: 'b-1', title: 'Bob, by Bob', price: 6 }, { onConflict: 'isbn' })
      .select('id,price');
    expect(data).toEqual([{ id: 3, price: 6 }]);
    await guest.from('books').update({ price: 5 }).eq('id', 3);
    expect(
      await api.refusal(
        '/books?on_conflict=title',
        json('POST', { title: 'x' }, { prefer: 'resolution=merge-duplicates' }),
      ),
    ).toMatchObject({ status: 400, code: '42P10' });
  });

  it('returns a row when only its key was sent', async () => {
    expect((await guest.from('book_genres').upsert({ book_id: 1, genre_id: 1 }).select()).data).toEqual([
      { book_id: 1, genre_id: 1 },
    ]);
  });

  it('inserts plainly into a table without a key', async () => {
    const response = await api.call('/plain', json('POST', { a: 1 }, { prefer: 'resolution=merge-duplicates' }));
    expect([response.status, response.headers.get('preference-applied')]).toEqual([201, null]);
  });
});

describe('update', () => {
  it('responds 204 with a count, or the rows', async () => {
    await guest.from('plain').insert([
      { a: 1, b: 1 },
      { a: 2, b: 1 },
    ]);
    const response = await api.call('/plain?b=eq.1', json('PATCH', { b: 5 }));
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([204, '0-1/*', '']);
    const { data, status, count } = await guest
      .from('plain')
      .update({ b: 6 }, { count: 'exact' })
      .eq('b', 5)
      .select()
      .order('a', { ascending: false });
    expect([status, count, data]).toEqual([
      200,
      2,
      [
        { a: 2, b: 6 },
        { a: 1, b: 6 },
      ],
    ]);
  });

  it('returns an empty list when nothing matched', async () => {
    expect((await guest.from('plain').update({ b: 1 }).eq('a', 99).select()).data).toEqual([]);
  });

  it('rolls back when not exactly one row matched', async () => {
    await guest.from('plain').insert([
      { a: 1, b: 1 },
      { a: 2, b: 1 },
    ]);
    const { status, error } = await guest.from('plain').update({ b: 9 }).eq('b', 1).select().single();
    expect([status, error?.code]).toEqual([406, 'PGRST116']);
    expect((await guest.from('plain').select().eq('b', 9)).data).toEqual([]);
  });

  it('rolls back when too many rows matched', async () => {
    await guest.from('plain').insert([
      { a: 1, b: 1 },
      { a: 2, b: 1 },
    ]);
    const { error } = await guest.from('plain').update({ b: 9 }).eq('b', 1).maxAffected(1);
    expect(error).toMatchObject({ code: 'PGRST124', details: 'The query affects 2 rows' });
    expect((await guest.from('plain').select().eq('b', 9)).data).toEqual([]);
    expect((await guest.from('plain').update({ b: 9 }).eq('b', 1).maxAffected(2)).status).toBe(204);
  });

  it('requires a filter', async () => {
    expect(await api.refusal('/plain', json('PATCH', { b: 1 }))).toMatchObject({
      status: 400,
      code: '21000',
      message: 'UPDATE requires a WHERE clause',
    });
    expect(await api.refusal('/plain', { method: 'DELETE' })).toMatchObject({
      status: 400,
      code: '21000',
      message: 'DELETE requires a WHERE clause',
    });
  });
});

describe('delete', () => {
  it('responds 204, or the deleted rows', async () => {
    await guest.from('plain').insert([{ a: 1 }, { a: 2 }]);
    const response = await api.call('/plain?a=eq.1', { method: 'DELETE', headers: { prefer: 'count=exact' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([204, '*/1']);
    expect((await guest.from('plain').delete().eq('a', 2).select()).data).toEqual([{ a: 2, b: 7 }]);
  });

  it('deletes every visible row for a filter that all rows match', async () => {
    await guest.from('plain').insert([{ a: 1 }, { a: 2 }]);
    expect((await guest.from('plain').delete({ count: 'exact' }).not('a', 'is', null)).count).toBe(2);
  });
});

describe('put', () => {
  it('inserts or replaces the row of a complete key', async () => {
    const made = await api.call(
      '/genres?id=eq.30',
      json('PUT', { id: 30, name: 'put' }, { prefer: 'return=representation' }),
    );
    expect([made.status, await made.json()]).toEqual([201, [{ id: 30, name: 'put' }]]);
    const replaced = await api.call(
      '/genres?id=eq.30',
      json('PUT', { id: 30, name: 'again' }, { prefer: 'return=representation' }),
    );
    expect([replaced.status, await replaced.json()]).toEqual([200, [{ id: 30, name: 'again' }]]);
  });

  it('rejects other filters than the key', async () => {
    expect(await api.refusal('/genres?id=eq.31', json('PUT', { id: 32, name: 'x' }))).toMatchObject({
      status: 400,
      code: 'PGRST115',
    });
    expect(await api.refusal('/genres?name=eq.x', json('PUT', { id: 31, name: 'x' }))).toMatchObject({
      status: 405,
      code: 'PGRST105',
    });
    expect(await api.refusal('/genres?id=eq.31&limit=1', json('PUT', { id: 31, name: 'x' }))).toMatchObject({
      status: 400,
      code: 'PGRST114',
    });
    expect((await guest.from('genres').select().gt('id', 30)).data).toEqual([]);
  });
});

describe('preferences', () => {
  it('are listed in the response when applied, in a fixed order', async () => {
    const prefer = 'count=exact, return=representation, missing=default, resolution=merge-duplicates';
    const response = await api.call('/genres', json('POST', { id: 40, name: 'x' }, { prefer }));
    expect(response.headers.get('preference-applied')).toBe(
      'resolution=merge-duplicates, missing=default, return=representation, count=exact',
    );
  });

  it('are rejected when unknown with strict handling', async () => {
    const strict = await api.refusal(
      '/genres',
      json('POST', { id: 41, name: 'x' }, { prefer: 'handling=strict, color=red, tx=maybe, __proto__=y' }),
    );
    expect(strict).toMatchObject({
      status: 400,
      code: 'PGRST122',
      details: 'Invalid preferences: color=red, tx=maybe, __proto__=y',
    });
    expect((await api.call('/genres', { headers: { prefer: 'color=red' } })).status).toBe(200);
  });

  it('roll back for the service role', async () => {
    const undone = await service.from('genres').insert({ id: 42, name: 'gone' }).select().rollback();
    expect([undone.status, undone.data]).toEqual([201, [{ id: 42, name: 'gone' }]]);
    expect((await guest.from('genres').insert({ id: 43, name: 'stays' }).rollback()).status).toBe(201);
    expect((await guest.from('genres').select('id').gte('id', 42)).data).toEqual([{ id: 43 }]);
  });

  it('set the time zone of the response', async () => {
    const response = await api.call('/books?select=added&id=eq.1', { headers: { prefer: 'timezone=Asia/Tokyo' } });
    expect(await response.json()).toEqual([{ added: '2026-01-02T12:04:05.123456+09:00' }]);
    const unknown = await api.call('/books?select=added&id=eq.1', { headers: { prefer: "timezone='; drop table x" } });
    expect(await unknown.json()).toEqual([{ added: '2026-01-02T03:04:05.123456+00:00' }]);
  });
});

describe('row-level security', () => {
  it('lets users write and read their own rows only', async () => {
    const [ann, ben] = [await api.person(), await api.person()];
    const mine = api.client(ann.token);
    const { data, error } = await mine.from('notes').insert({ owner: ann.id, body: 'mine' }).select('id,body').single();
    expect([data?.body, error]).toEqual(['mine', null]);
    const foreign = await mine.from('notes').insert({ owner: ben.id, body: 'forged' });
    expect([foreign.status, foreign.error?.code, foreign.error?.message]).toEqual([
      403,
      '42501',
      'new row violates row-level security policy for table "notes"',
    ]);
    const theirs = api.client(ben.token);
    expect((await theirs.from('notes').select('id')).data).toEqual([]);
    expect((await theirs.from('notes').update({ body: 'stolen' }).eq('id', data?.id).select('id')).data).toEqual([]);
    expect((await theirs.from('notes').delete().eq('id', data?.id).select('id')).data).toEqual([]);
    expect((await mine.from('notes').select('body')).data).toEqual([{ body: 'mine' }]);
  });

  it('lets a guest insert a row without reading it back', async () => {
    const owner = '11111111-1111-4111-8111-111111111111';
    expect((await guest.from('notes').insert({ owner, body: 'dropped' })).status).toBe(201);
    const insert = await guest.from('notes').insert({ owner, body: 'refused' }).select('id');
    expect([insert.status, insert.error?.code]).toEqual([401, '42501']);
    expect((await service.from('notes').select('body')).data).toEqual([{ body: 'dropped' }]);
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
    const single = await guest.from('books').insert({ title: 'r1', blurb: dirty }).select('id,blurb').single();
    expect(single.data?.blurb).toBe(clean);
    const bulk = await guest
      .from('books')
      .insert([
        { title: 'r2', blurb: dirty },
        { title: 'r3', blurb: null },
      ])
      .select('blurb');
    expect(bulk.data).toEqual([{ blurb: clean }, { blurb: null }]);
    const changed = await guest
      .from('books')
      .update({ blurb: `${dirty}!` })
      .eq('id', single.data?.id)
      .select('blurb')
      .single();
    expect(changed.data?.blurb).toBe(`${clean}!`);
    const merged = await guest
      .from('books')
      .upsert({ id: single.data?.id, title: 'r1', blurb: dirty })
      .select('blurb')
      .single();
    expect(merged.data?.blurb).toBe(clean);
  });

  it('is sanitized for a duplicate key, an escaped key and a value that is no text', async () => {
    for (const body of [
      `{"title": "r4", "blurb": ${JSON.stringify(dirty)}, "blurb": "ok"}`,
      `{"title": "r4", "blurb": "ok", "blur\\u0062": ${JSON.stringify(dirty)}}`,
      `{"title": "r4", "blurb": {"a": ${JSON.stringify(dirty)}}}`,
    ]) {
      const response = await api.call('/books?select=blurb', json('POST', body, { prefer: 'return=representation' }));
      expect(await response.text()).not.toMatch(/script|onclick/);
    }
  });

  it('leaves other columns and the digits of numbers unchanged', async () => {
    const body = `{"title": ${JSON.stringify(dirty)}, "price": 10.10, "blurb": "x"}`;
    const response = await api.call(
      '/books?select=title,price',
      json('POST', body, { prefer: 'return=representation' }),
    );
    expect(await response.text()).toBe(JSON.stringify([{ title: dirty, price: 0 }]).replace('0}', '10.10}'));
  });
});

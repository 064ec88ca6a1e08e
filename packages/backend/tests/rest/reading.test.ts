import { describe, expect, it } from 'vitest';
import { engines } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { library } from './library.ts';
import { openRest } from './rest-server.ts';

const api = forAllTests(() => openRest({ sql: library }, { engine: engines[0] }));
const from = (table: string) => api.client().from(table);

const rows = async (query: string): Promise<unknown> => (await api.call(`/${query}`)).json();
const refusal = (query: string, headers: Record<string, string> = {}) => api.refusal(`/${query}`, { headers });
const code = (query: string, headers: Record<string, string> = {}) => api.code(`/${query}`, { headers });

describe('selecting columns', () => {
  it('returns all columns in PostgreSQL’s formats', async () => {
    const { data } = await from('books').select().eq('id', 1).single();
    const added = '2026-01-02T03:04:05.123456+00:00';
    expect(data).toMatchObject({ id: 1, price: 9.5, state: 'new', period: '[1,5)', added });
  });

  it('returns columns, aliases and casts', async () => {
    const { data } = await from('books').select('name:title,id::text,price::int').eq('id', 1);
    expect(data).toEqual([{ name: 'Notes', id: '1', price: 10 }]);
  });

  it('follows paths into JSON and names them after their last key', async () => {
    const facts = await rows('authors?select=facts->born->>place,year:facts->born->year,facts->pets->0&id=eq.1');
    expect(facts).toEqual([{ place: 'London', year: 1815, pets: 'cat' }]);
  });

  it('parses quoted names', async () => {
    expect(await rows('odd%20name?select="a b","c\\"d",x:"e.f"')).toEqual([{ 'a b': 1, 'c"d': 'quoted', x: 'dotted' }]);
  });

  it('returns computed columns when selected', async () =>
    expect(await rows('books?select=id,shout&shout=eq.NOTES&order=shout')).toEqual([{ id: 1, shout: 'NOTES' }]));

  it('uses the later of two equal names', async () =>
    expect(await rows('books?select=x:id,x:title&id=eq.1')).toEqual([{ x: 'Notes' }]));

  it('rejects unknown columns and casts', async () => {
    const unknown = { status: 400, code: '42703', message: 'column books.nope does not exist' };
    for (const query of ['select=nope', 'nope=eq.1', 'order=nope'])
      expect(await refusal(`books?${query}`)).toMatchObject(unknown);
    expect(await code('books?select=id::regclass')).toBe('400 42704');
  });
});

describe('embedding', () => {
  it('returns the referenced row, or null', async () => {
    const { data } = await from('books').select('id,authors(name)').in('id', [1, 4]).order('id');
    expect(data).toEqual([
      { id: 1, authors: { name: 'Ada' } },
      { id: 4, authors: null },
    ]);
  });

  it('returns the referencing rows, or an empty array', async () => {
    expect(await rows('authors?select=name,books(title)&order=id&books.order=id')).toEqual([
      { name: 'Ada', books: [{ title: 'Notes' }, { title: 'Engines' }] },
      { name: 'Bob', books: [{ title: 'Bob, by Bob' }] },
      { name: 'Cyd', books: [] },
    ]);
  });

  it('returns a one-to-one relation as an object from both sides', async () => {
    const details = [{ book_details: { pages: 120 } }, { book_details: null }];
    expect(await rows('books?select=book_details(pages)&id=in.(1,3)&order=id')).toEqual(details);
    expect(await rows('book_details?select=books(title)&book_id=eq.1')).toEqual([{ books: { title: 'Notes' } }]);
  });

  it('returns a many-to-many relation through the junction table', async () => {
    const books = [[1], [1, 2], []].map((ids) => ({ books: ids.map((id) => ({ id })) }));
    expect(await rows('genres?select=books(id)&books.order=id&order=id')).toEqual(books);
  });

  it('returns computed relationships', async () => {
    const related = { id: 1, siblings: [{ id: 2 }], writer_of: { name: 'Ada' } };
    expect(await rows('books?select=id,siblings(id),writer_of(name)&id=eq.1')).toEqual([related]);
  });

  it('works across views by their key columns, renamed or from a hidden table', async () => {
    const [ada, bob] = [{ authors: { name: 'Ada' } }, { authors: { name: 'Bob' } }];
    expect(await rows('cheap_books?select=authors(name)&order=book_no')).toEqual([ada, bob]);
    expect(await rows('authors?select=cheap_books(title)&id=eq.1')).toEqual([{ cheap_books: [{ title: 'Notes' }] }]);
    const [notes, other] = [{ books: { title: 'Notes' } }, { books: { title: 'Bob, by Bob' } }];
    expect(await rows('shelf?select=books(title)&order=place')).toEqual([notes, other]);
  });

  it('works both ways within one table: the table name for many, the column for one', async () => {
    const select = 'name,team:staff(name),boss:manager_id(name)';
    expect(await rows(`staff?select=${select}&id=in.(1,2)&order=id&team.order=id`)).toEqual([
      { name: 'Mia', team: [{ name: 'Ned' }, { name: 'Oda' }], boss: null },
      { name: 'Ned', team: [], boss: { name: 'Mia' } },
    ]);
  });

  it('works at several levels', async () => {
    const notes = { title: 'Notes', authors: { name: 'Ada', books: [{ id: 1 }, { id: 2 }] } };
    const essays = await rows('genres?select=name,books(title,authors(name,books(id)))&id=eq.1');
    expect(essays).toEqual([{ name: 'essay', books: [notes] }]);
  });

  it('reports an ambiguous relationship, and accepts a hint', async () => {
    const ambiguous = await refusal('loans?select=staff(name)');
    const hint = expect.stringContaining("'staff!loans_lender'");
    expect(ambiguous).toMatchObject({ status: 300, code: 'PGRST201', hint });
    expect(ambiguous['details']).toHaveLength(2);
    for (const hint of ['loans_borrower', 'borrower_id'])
      expect(await rows(`loans?select=staff!${hint}(name)`)).toEqual([{ staff: { name: 'Ned' } }]);
    const loan = { lender: { name: 'Mia' }, borrower: { name: 'Ned' } };
    expect(await rows('loans?select=lender:lender_id(name),borrower:loans_borrower(name)')).toEqual([loan]);
  });

  it('reports a missing relationship', async () => {
    expect(await refusal('books?select=staff(*)')).toEqual({
      status: 400,
      code: 'PGRST200',
      message: "Could not find a relationship between 'books' and 'staff' in the schema cache",
      details:
        "Searched for a foreign key relationship between 'books' and 'staff' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'shelf' instead of 'staff'.",
    });
  });

  it('omits parents without a match for inner embeds, and keeps them otherwise', async () => {
    const inner = await from('authors').select('books!inner(id)').eq('books.state', 'used');
    expect(inner.data).toEqual([{ books: [{ id: 2 }] }]);
    const left = await from('authors').select('books(id)').eq('books.state', 'used').order('id');
    expect(left.data).toEqual([{ books: [{ id: 2 }] }, { books: [] }, { books: [] }]);
    const deep = 'select=name,books!inner(authors!inner(name))&books.authors.name=eq.Ada&books.id=eq.2';
    expect(await rows(`genres?${deep}`)).toEqual([{ name: 'science', books: [{ authors: { name: 'Ada' } }] }]);
    expect(await rows('authors?select=name,books!inner()&books.limit=1&books.offset=1')).toEqual([{ name: 'Ada' }]);
  });

  it('filters, orders and limits embeds by alias', async () => {
    const works = await rows('authors?select=works:books(id)&id=eq.1&works.order=order.asc&works.limit=1');
    expect(works).toEqual([{ works: [{ id: 2 }] }]);
    const logic = 'works.or=(id.eq.1,title.eq.none)&works.offset=0';
    expect(await rows(`authors?select=works:books(id)&id=eq.1&${logic}`)).toEqual([{ works: [{ id: 1 }] }]);
    expect(await code('authors?books.id=eq.1')).toBe('400 PGRST108');
  });

  it('filters by the existence of embedded rows', async () => {
    expect(await rows('authors?select=name,books()&books=is.null')).toEqual([{ name: 'Cyd' }]);
    const names = async (filter: string) =>
      ((await rows(`authors?select=name,books()&${filter}&order=id`)) as { name: string }[]).map(({ name }) => name);
    expect(await names('books=not.is.null')).toEqual(['Ada', 'Bob']);
    expect(await names('or=(books.is.null,name.eq.Ada)')).toEqual(['Ada', 'Cyd']);
    expect(await code('authors?select=name,books()&books=eq.1')).toBe('400 PGRST120');
  });

  it('orders parents by a to-one embed only', async () => {
    expect(await rows('books?select=id,authors(name)&order=authors(name).desc.nullslast,id.asc&limit=2')).toEqual([
      { id: 3, authors: { name: 'Bob' } },
      { id: 1, authors: { name: 'Ada' } },
    ]);
    expect(await code('authors?select=books(id)&order=books(id)')).toBe('400 PGRST118');
  });

  it('spreads embedded columns into their parent', async () => {
    expect(await rows('books?select=id,...authors(writer:name)&id=eq.1')).toEqual([{ id: 1, writer: 'Ada' }]);
    const author = { name: 'Ada', titles: ['Notes', 'Engines'] };
    expect(await rows('authors?select=name,...books(titles:title)&id=eq.1&books.order=id')).toEqual([author]);
  });
});

describe('filters', () => {
  const ids = async (query: string) =>
    ((await rows(`books?select=id&order=id&${query}`)) as { id: number }[]).map(({ id }) => id);

  it.each([
    ['id=eq.2', [2]],
    ['id=neq.2', [1, 3, 4]],
    ['title=eq.null', []],
    ['id=gt.2&id=lte.4', [3, 4]],
    ['id=gte.3&id=lt.4', [3]],
    ['title=like.*o*', [1, 3, 4]],
    ['title=ilike.n*', [1, 4]],
    ['title=like(any).{N*,E*}', [1, 2, 4]],
    ['title=ilike(all).{n*,*s}', [1]],
    ['id=eq(any).{1,3}', [1, 3]],
    ['id=in.(1,2,99)', [1, 2]],
    ['id=in.()', []],
    ['id=in.( 1,2)', [1, 2]],
    ['id=in.( )', []],
    ['title=in.("Bob, by Bob","Nomads (2nd)")', [3, 4]],
    ['title=not.in.(Notes,Engines)', [3, 4]],
    ['price=is.null', [4]],
    ['price=not.is.null', [1, 2, 3]],
    ['price=is.NOT_NULL', [1, 2, 3]],
    ['price=isdistinct.5', [1, 2, 4]],
    ['state=eq.lost', [4]],
    ['period=cs.[2,3)', [1]],
    ['period=ov.[4,6)', [1, 2]],
    ['period=sl.[10,11)', [1, 2]],
    ['period=sr.[6,7)', [3]],
    ['period=nxl.[5,6)', [2, 3]],
    ['period=nxr.[1,9)', [1, 2]],
    ['period=adj.[5,9)', [1]],
    ['search=fts(english).cat', [1]],
    ['search=plfts(english).quiet%20life', [3]],
    ['search=phfts(english).engines%20of%20thought', [2]],
    ['search=wfts(english).cats%20or%20life', [1, 3]],
    ['title=fts(english).notes', [1]],
    ['or=(id.eq.1,title.eq."Nomads (2nd)")', [1, 4]],
    ['or=(id.eq.1,and(id.gt.1,id.lt.4,not.or(id.eq.2)))', [1, 3]],
    ['not.or=(id.eq.1,id.eq.2)', [3, 4]],
    ['and=(id.in.(1,2),title.not.eq.Notes)', [2]],
  ])('selects rows by %s', async (query, expected) => expect(await ids(query)).toEqual(expected));

  it('compares arrays and JSON', async () => {
    const authors = async (query: string) =>
      ((await rows(`authors?select=id&${query}`)) as { id: number }[]).map(({ id }) => id);
    expect((await from('authors').select('id').contains('tags', ['math'])).data).toEqual([{ id: 1 }]);
    expect(await authors('tags=ov.{dance,math}&order=id')).toEqual([1, 3]);
    const born = { born: { year: 1922 } };
    expect((await from('authors').select('id').contains('facts', born)).data).toEqual([{ id: 3 }]);
    expect(await authors('facts->born->>place=eq.London')).toEqual([1]);
    expect(await authors('facts->born->year=gt.1900')).toEqual([3]);
    expect(await authors('order=facts->born->>place.asc.nullslast')).toEqual([3, 1, 2]);
  });

  it('responds 400 to a value of the wrong type', async () => {
    for (const filter of ['id=eq.abc', 'state=eq.unheard']) expect(await code(`books?${filter}`)).toBe('400 22P02');
  });
});

describe('order, pages and counts', () => {
  it('orders nulls first or last on request', async () => {
    const { data } = await from('books').select('id').order('price', { ascending: false, nullsFirst: false });
    expect(data?.map(({ id }) => id)).toEqual([2, 1, 3, 4]);
    expect(await rows('books?select=id&order=price.nullsfirst,id&limit=1')).toEqual([{ id: 4 }]);
  });

  it('orders by a column named “order”', async () =>
    expect(await rows('books?select=id&order=order.asc&limit=2')).toEqual([{ id: 2 }, { id: 1 }]));

  it.each([
    ['books?select=id', {}, 200, '0-3/*'],
    ['books?select=id&id=eq.99', {}, 200, '*/*'],
    ['books?select=id&limit=0', {}, 200, '*/*'],
    ['books?select=id', { prefer: 'count=exact' }, 200, '0-3/4'],
    ['books?select=id&limit=1&offset=1', { prefer: 'count=exact' }, 206, '1-1/4'],
    ['books?select=id&limit=1', { prefer: 'count=estimated' }, 206, '0-0/4'],
    ['books?select=id&id=eq.99', { prefer: 'count=exact' }, 200, '*/0'],
    ['books?select=id&offset=4', { prefer: 'count=exact' }, 206, '*/4'],
    ['books?select=id&offset=9', {}, 200, '*/*'],
    ['books?select=id&offset=-1', {}, 200, '0-3/*'],
    ['books?select=id', { range: '1-2', 'range-unit': 'items' }, 200, '1-2/*'],
  ])('%s %o responds %i with %s', async (query, headers, status, range) => {
    const response = await api.call(`/${query}`, { headers: headers as Record<string, string> });
    expect([response.status, response.headers.get('content-range')]).toEqual([status, range]);
  });

  it('responds 416 beyond the end and for impossible ranges', async () => {
    const details = 'An offset of 9 was requested, but there are only 4 rows.';
    expect(await refusal('books?offset=9', { prefer: 'count=exact' })).toMatchObject({ status: 416, details });
    expect(await code('books?limit=-1')).toBe('416 PGRST103');
    expect(await code('books', { range: '5-2' })).toBe('416 PGRST103');
  });

  it('counts without rows for HEAD, inner embeds included', async () => {
    const { count, data } = await from('authors').select('id,books!inner(id)', { count: 'exact', head: true });
    expect([count, data]).toEqual([2, null]);
  });

  it('returns at most max_rows, and default_rows without a limit', async () => {
    await using small = await openRest({ sql: library, config: '[api]\nmax_rows = 3\ndefault_rows = 2\n' });
    const lengthOf = async (path: string) => ((await (await small.call(`/${path}`)).json()) as []).length;
    expect(await Promise.all(['books', 'books?limit=50'].map(lengthOf))).toEqual([2, 3]);
  });
});

describe('response media types', () => {
  it('return one object, or 406', async () => {
    expect((await from('books').select('id').eq('id', 1).single()).data).toEqual({ id: 1 });
    const none = await from('books').select('id').eq('id', 99).single();
    const message = 'Cannot coerce the result to a single JSON object';
    expect(none.status).toBe(406);
    expect(none.error).toMatchObject({ code: 'PGRST116', message, details: 'The result contains 0 rows' });
    expect((await from('books').select('id').single()).error?.details).toBe('The result contains 4 rows');
    expect((await from('books').select('id').eq('id', 99).maybeSingle()).data).toBeNull();
  });

  it('strip nulls', async () => {
    expect((await from('books').select('id,price').eq('id', 4).single().stripNulls()).data).toEqual({ id: 4 });
    expect((await from('books').select('id,price').eq('id', 4).stripNulls()).data).toEqual([{ id: 4 }]);
  });

  it('return CSV', async () => {
    const { data } = await from('books').select('id,title,id').lte('id', 3).order('id').csv();
    expect(data).toBe('id,title,id\n1,Notes,1\n2,Engines,2\n3,"Bob, by Bob",3');
  });

  it('reject other types and name them', async () => {
    expect(await code('books', { accept: 'image/png' })).toBe('406 PGRST107');
    expect((await api.call('/books', { headers: { accept: 'image/png, */*;q=0.1' } })).status).toBe(200);
  });

  it('always have a Content-Type and nosniff', async () => {
    const response = await api.call('/books?limit=1', { headers: { accept: 'text/html, application/json;q=0.9' } });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-location')).toBe('/books?limit=1');
  });
});

it('aggregates are returned to the service role', async () => {
  const service = api.client(api.keys.secret);
  expect((await service.from('books').select('count(),total:price.sum()')).data).toEqual([{ count: 4, total: 44.5 }]);
  const grouped = await service.from('books').select('author_id,price.max()::int').order('author_id');
  expect(grouped.data).toMatchObject([{ max: 30 }, { max: 5 }, { author_id: null, max: null }]);
  const counted = await service.from('authors').select('books(count())').order('id');
  expect(counted.data).toEqual([2, 1, 0].map((count) => ({ books: [{ count }] })));
});

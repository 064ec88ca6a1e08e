import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { embedded } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { shared } from '../../../../tests/two-machines/shared.ts';
import { library } from './library.ts';
import { type Call, openRest } from './rest-server.ts';

const api = forAllTests(() => openRest({ sql: library }));
const from = (table: string) => api.client().from(table);

async function outcome(path: string, init?: Call) {
  const response = await api.call(path, init);
  const text = await response.text();
  return { ...(text ? (JSON.parse(text) as Record<string, unknown>) : {}), status: response.status, text };
}

describe('credentials', () => {
  it('a wrong token gets 401 with a reason, and is never treated as a guest', async () => {
    const person = await api.person();
    const broken = `${person.token.slice(0, -4)}AAAA`;
    const claims = { sub: person.id, role: 'authenticated' };
    const now = Math.floor(Date.now() / 1000);
    const cases: [string, string, string][] = [
      ['', 'PGRST301', 'Empty JWT is sent in Authorization header'],
      ['a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2'],
      [broken, 'PGRST301', 'JWSError JWSInvalidSignature'],
      [await api.token(claims, now - 60), 'PGRST303', 'JWT expired'],
      [await api.token({ ...claims, iat: now + 86_400 }, '2d'), 'PGRST303', 'JWT issued at future'],
      [await api.token({ ...claims, aud: 'others' }), 'PGRST303', 'JWT not in audience'],
    ];
    for (const role of ['postgres', 'authenticated; reset role'])
      cases.push([await api.token({ ...claims, role }), '22023', `role "${role}" does not exist`]);
    for (const [token, code, message] of cases) {
      const response = await api.call('/books', { headers: { authorization: `Bearer ${token}` } });
      expect(response.status, message).toBe(401);
      expect(await response.json()).toEqual({ code, message, details: null, hint: null });
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect((await api.call('/books', { headers: { authorization: 'Basic eDp5' } })).status).toBe(401);
  });

  it('a token of an ended session or a deleted user gets 401', async () => {
    const role = 'authenticated';
    for (const claims of [{ sub: (await api.person()).id, session_id: randomUUID() }, { sub: randomUUID() }])
      expect(await api.code('/books', { token: await api.token({ ...claims, role }) })).toBe('401 PT401');
  });

  it('the keys select their roles in either header, and no key means a guest', async () => {
    const role = async (headers: Record<string, string>) =>
      ((await (await fetch(`${api.url}/rpc/request`, { headers })).json()) as { role: string }).role;
    const apikey = api.keys.publishable;
    expect(await role({})).toBe('anon');
    expect(await role({ apikey, authorization: `Bearer ${apikey}` })).toBe('anon');
    expect(await role({ apikey: api.keys.secret })).toBe('service_role');
    expect(await role({ apikey, authorization: `Bearer ${(await api.person()).token}` })).toBe('authenticated');
  });
});

describe('injection', () => {
  const evil = `x'); drop table public.books; --`;
  const positions: Record<string, string> = {
    'filter value': `/books?title=eq.${encodeURIComponent(evil)}`,
    'list value': `/books?title=in.("${encodeURIComponent(evil)}")`,
    'logic value': `/books?or=(title.eq."${encodeURIComponent(evil)}")`,
    'array value': `/authors?tags=cs.{"${encodeURIComponent(evil)}"}`,
    'quantified value': `/books?title=like(any).{"${encodeURIComponent(evil)}"}`,
    'search value': `/books?search=plfts.${encodeURIComponent(evil)}`,
    'json key in filter': `/authors?facts->>"${encodeURIComponent(evil)}"=eq.1`,
    'json key in select': `/authors?select=facts->"${encodeURIComponent(evil)}"`,
    alias: `/books?select="${encodeURIComponent(`a" from public.locked; --`)}":id`,
    'function argument': `/rpc/greet?name=${encodeURIComponent(evil)}`,
    column: `/books?${encodeURIComponent(`"id"; drop table public.books; --`)}=eq.1`,
    'quoted column': `/books?select="${encodeURIComponent(evil)}"`,
    cast: `/books?select=id::${encodeURIComponent('int; drop table public.books')}`,
    'order column': `/books?order="${encodeURIComponent(evil)}"`,
    'order direction': `/books?order=id.${encodeURIComponent('desc; drop table public.books')}`,
    operator: `/books?id=${encodeURIComponent('eq; drop')}.1`,
    'search configuration': `/books?search=fts(${encodeURIComponent("english'")}).x`,
    limit: `/books?limit=${encodeURIComponent('1; drop table public.books')}`,
    table: `/${encodeURIComponent('books"; drop table public.books; --')}`,
    routine: `/rpc/${encodeURIComponent('add(1); drop table public.books; --')}`,
    embed: `/books?select="${encodeURIComponent(evil)}"(*)`,
    hint: `/books?select=authors!"${encodeURIComponent(evil)}"(*)`,
    conflict: `/books?on_conflict="${encodeURIComponent(evil)}"`,
  };

  it.each(Object.entries(positions))('in a %s is stored as data or rejected', async (_, path) => {
    expect((await outcome(path)).status).toBeLessThan(500);
    expect((await from('books').select('id', { count: 'exact', head: true })).count).toBe(4);
  });

  it('in bodies is stored as data or rejected', async () => {
    expect((await outcome('/books', { json: { [evil]: 1 } })).status).toBe(400);
    expect((await from('books').insert({ title: evil }).select('title').single()).data).toEqual({ title: evil });
    expect((await from('books').delete().eq('title', evil).select()).data).toHaveLength(1);
    expect((await outcome('/rpc/add', { json: { 'a => 1); drop table public.books; --': 1 } })).status).toBe(404);
  });

  it('in profile and preference headers is rejected or ignored', async () => {
    const profile = { headers: { 'accept-profile': 'public"; drop schema public' } };
    expect(await api.code('/books', profile)).toBe('406 PGRST106');
    expect((await outcome('/books', { headers: { prefer: `count=exact; drop, tx='` } })).status).toBe(200);
  });
});

describe('hidden objects', () => {
  it('other schemas cannot be named in any way', async () => {
    const embeds = ['users', 'base'].map((name) => `books?select=${name}(*)`);
    for (const path of ['users', 'auth.users', 'hidden.base', 'base', 'pg_class', ...embeds])
      expect((await outcome(`/${path}`)).status, path).toBeGreaterThanOrEqual(400);
    const hint = 'Only the following schemas are exposed: public';
    const profile = { headers: { 'accept-profile': 'auth' } };
    expect(await outcome('/users', profile)).toMatchObject({ status: 406, code: 'PGRST106', hint });
    const call = { json: '{}', headers: { 'content-profile': 'auth' } };
    expect(await api.code('/rpc/check_session', call)).toBe('406 PGRST106');
    expect((await outcome('/rpc/pg_sleep?seconds=1')).status).toBe(404);
  });

  it('a hidden row and a missing row return the same response', async () => {
    const [ann, ben] = [await api.person(), await api.person()];
    await api.db.query(`insert into public.notes (id, owner, body) values (7, $1, 'hidden')`, [ann.id]);
    const answers = async (id: number) => {
      const url = `/notes?select=id&id=eq.${id}`;
      const results: unknown[] = [];
      const requests: Call[] = [
        {},
        ...['exact', 'planned', 'estimated'].map((count) => ({ headers: { prefer: `count=${count}` } })),
        { headers: { accept: 'application/vnd.pgrst.object+json' } },
        { method: 'PATCH', json: '{"body":"x"}', headers: { prefer: 'return=representation' } },
        { method: 'DELETE', headers: { prefer: 'count=exact' } },
      ];
      for (const init of requests) {
        const response = await api.call(url, { ...init, token: ben.token });
        results.push([response.status, response.headers.get('content-range'), await response.text()]);
      }
      return results;
    };
    expect(await answers(7)).toEqual(await answers(99_999));
    await api.db.script('delete from public.notes');
  });

  it('an upsert cannot change a row that the caller may not update', async () => {
    const [ann, ben] = [await api.person(), await api.person()];
    await api.db.query(`insert into public.notes (id, owner, body) values (8, $1, 'mine')`, [ann.id]);
    const { status } = await api.client(ben.token).from('notes').upsert({ id: 8, owner: ben.id, body: 'taken' });
    expect(status).toBe(403);
    expect((await api.client(ann.token).from('notes').select('body').eq('id', 8)).data).toEqual([{ body: 'mine' }]);
    await api.db.script('delete from public.notes');
  });

  it('plans, aggregates and the OpenAPI document are for the service role', async () => {
    const { token } = await api.person();
    for (const bearer of [undefined, token]) {
      const as = bearer ? { token: bearer } : {};
      const plan = { headers: { accept: 'application/vnd.pgrst.plan+json' }, ...as };
      expect(await api.code('/books', plan)).toBe('406 PGRST107');
      expect(await api.code('/books?select=count()', as)).toBe('400 PGRST123');
      expect(await api.code('/', as)).toBe('404 PGRST126');
    }
    const service = api.client(api.keys.secret);
    expect((await service.from('books').select().explain()).data).toContain('Seq Scan on books');
    const plan = await service.from('books').select().explain({ format: 'json', analyze: true });
    expect(plan.data).toMatchObject([{ Plan: {} }]);
    const root = await api.call('/', { token: api.keys.secret });
    expect(root.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
  });

  it('hints name only objects that the caller may use', async () => {
    expect(await outcome('/lockd')).toMatchObject({ status: 404, code: 'PGRST205', hint: null });
    expect(await outcome('/book')).toMatchObject({ hint: "Perhaps you meant the table 'public.books'" });
  });
});

describe('limits', () => {
  const address = (length: number) => `/books?title=eq.${'x'.repeat(length)}`.slice(0, length - api.url.length);
  const several = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n));
  const logic = (depth: number) =>
    `/books?or=${several(depth, (n) => (n === 0 ? '(' : n % 2 ? 'and(' : 'or(')).join('')}id.eq.1${')'.repeat(depth)}`;
  const embeds = (depth: number) =>
    `/authors?select=${several(depth, (n) => (n % 2 ? 'authors(' : 'books(')).join('')}id${')'.repeat(depth)}`;
  it.each<[string, (most: number) => string, number, number]>([
    ['characters of an address', address, 8192, 414],
    ['parameters', (n) => `/books?${several(n, () => 'limit=1').join('&')}`, 100, 400],
    ['filters', (n) => `/books?${several(n, () => 'id=gt.0').join('&')}`, 30, 400],
    ['levels of logic', logic, 4, 400],
    ['values in a list', (n) => `/books?id=in.(${several(n, String)})`, 200, 400],
    ['levels of embeds', embeds, 3, 400],
    ['embeds', (n) => `/books?select=${several(n, (at) => `a${at}:authors(id)`)}`, 6, 400],
    ['items of a select', (n) => `/books?select=${several(n, () => 'id')}`, 60, 400],
    ['terms of an order', (n) => `/books?order=${several(n, () => 'id')}`, 5, 400],
    ['rows requested', (n) => `/books?limit=${n}`, 1000, 400],
    ['rows left out', (n) => `/books?offset=${n}`, 100_000, 400],
  ])('limits the number of %s (section 8)', async (_, path, most, status) => {
    expect((await outcome(path(most))).status).toBe(200);
    expect(await outcome(path(most + 1))).toMatchObject({ status, code: 'PGRST100' });
  });

  it('rejects deeply nested embeds', async () => {
    expect(await api.code('/books?a.b.c.d.e=eq.1')).toBe('400 PGRST100');
  });

  const keys = (count: number) => Object.fromEntries(several(count, (n) => `k${n}`).map((key) => [key, 1]));
  const factsOf = (entries: number) => `{"id": 60, "name": "x", "facts": [[${several(entries, String)}]]}`;
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}${depth % 2 ? '[]' : '1'}${'}]'.repeat(depth / 2)}`;
  it.each<[string, string, (most: number) => string, number, number]>([
    ['bytes', '/rpc/whole_body', (n) => `"${'x'.repeat(n - 2)}"`, 1_000_000, 413],
    ['levels', '/rpc/whole_body', nested, 32, 400],
    ['keys in an object', '/rpc/whole_body', (n) => JSON.stringify(keys(n)), 500, 400],
    ['keys in an object further in', '/rpc/whole_body', (n) => JSON.stringify({ a: [keys(n)] }), 500, 400],
    ['entries in a list', '/rpc/whole_body', (n) => JSON.stringify({ a: several(n, String) }), 1000, 400],
    ['entries in a list further in', '/authors?on_conflict=id', factsOf, 1000, 400],
    ['rows', '/plain', (n) => JSON.stringify(several(n, String).map(() => ({ a: 1 }))), 100, 400],
  ])('limits the number of %s in a body (section 8, TM-47)', async (_, path, body, most, status) => {
    const upsert = { prefer: 'resolution=merge-duplicates' };
    expect((await outcome(path, { json: body(most), headers: upsert })).status).toBeLessThan(300);
    expect((await outcome(path, { json: body(most + 1), headers: upsert })).status).toBe(status);
  });

  it('accepts 100 rows of an account and rejects 101 (section 8)', async () => {
    const { token } = await api.person();
    const sent = async (count: number) =>
      (await outcome('/plain', { json: Array(count).fill({ a: 1 }), token })).status;
    expect(await sent(100)).toBe(201);
    expect(await sent(101)).toBe(400);
  });

  it('rejects rows and arguments with too many keys, oversized bodies without a length, and compressed ones', async () => {
    for (const path of ['/plain', '/rpc/add'])
      expect((await outcome(path, { json: keys(501) })).text).toContain('More than 500 keys');
    const deep = `{"a":${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}}`;
    expect((await outcome('/rpc/whole_body', { json: deep })).status).toBe(400);
    const chunks = () => new Blob([`"${'x'.repeat(1_000_000)}"`]).stream();
    const unannounced = { json: '', body: chunks(), duplex: 'half' } as Call;
    expect((await outcome('/rpc/whole_body', unannounced)).status).toBe(413);
    expect((await outcome('/books', { json: '{}', headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
  });

  it('applies a project’s lower limit to rows that a guest writes', async () => {
    await using strict = await openRest({ sql: library, config: '[api]\nguest_rows = 1\n' });
    const rows = [{ a: 1 }, { a: 2 }];
    expect((await strict.client().from('plain').insert(rows)).error?.message).toBe('More than 1 row in one request');
    const { token } = await strict.person();
    expect((await strict.client(token).from('plain').insert(rows)).status).toBe(201);
  });

  it('returns responses of up to 5 MB (section 8)', async () => {
    const answered = async (length: number) => {
      await api.db.query(`insert into public.books (id, title) values (90, repeat('x', $1 - 14))`, [length]);
      const remove = () => api.db.script('delete from public.books where id = 90');
      return outcome('/books?select=title&id=eq.90').finally(remove);
    };
    const longest = await answered(5_000_000);
    expect([longest.status, longest.text.length]).toEqual([200, 5_000_000]);
    expect((await answered(5_000_001)).status).toBe(400);
  });

  it('does not count requests of the secret key or page reads (C19)', async () => {
    await using busy = await openRest({ sql: library }, { limits: { requests: { points: 2, seconds: 60 } } });
    const { secret } = busy.keys;
    const ways: Record<string, string>[] = [{ apikey: secret }, { authorization: `Bearer ${secret}` }];
    for (const headers of ways)
      for (let n = 0; n < 4; n++) expect((await busy.call('/books', { headers })).status).toBe(200);
    const page = { address: '127.0.0.1', id: 'one', forPage: true } as const;
    for (let n = 0; n < 4; n++)
      expect((await busy.rest.fetch(new Request(`${busy.url}/books`), page)).status).toBe(200);
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await busy.call('/books'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('allows guests and accounts two filters without an index, at any place (H1, C1)', async () => {
    const person = await api.person();
    const tooMany = [
      '/books?or=(title.fts.a,title.plfts.b,title.wfts.c)',
      '/books?title=like.*a*&and=(title.not.ilike.*b*,or(title.phfts.c,title.eq.d))',
      '/books?title=ilike(any).{*a*,*b*,*c*}',
      '/books?select=title,authors!inner(name)&title=like.a*&authors.name=like.b*&authors.or=(name.ilike.*c*,name.eq.d)',
      '/books?title->>a=eq.1&title->>b=eq.1&title->>c=eq.1',
      `/books?title=like.${'a'.repeat(201)}`,
    ];
    for (const path of tooMany) {
      expect(await api.code(path), path).toBe('400 PGRST100');
      expect(await api.code(path, { token: person.token }), path).toBe('400 PGRST100');
      expect((await api.call(path, { headers: { apikey: api.keys.secret } })).status, path).toBe(200);
    }
    expect((await outcome('/books?or=(title.fts.a,title.ilike.*b*)')).status).toBe(200);
    expect((await outcome('/books?title=like.*a*&title=neq.b&id=gt.0&id=lt.9')).status).toBe(200);
    expect(await api.code(tooMany[0]!, { method: 'PATCH', json: '{"title": "x"}' })).toBe('400 PGRST100');
  });

  it('responds 429 with Retry-After when an address has used its time of the embedded engine (H1, TM-45)', async () => {
    await using engine = await openRest({ sql: library }, { engine: embedded, allowedMs: 50 });
    const count = async (init = {}) => (await engine.call('/books?select=*,authors(*)', init)).status;
    await expect.poll(() => count(), { interval: 1 }).toBe(429);
    const refused = await engine.call('/books');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await refused.json()).toMatchObject({ code: 'over_request_rate_limit', hint: expect.any(String) });
    expect(await count({ headers: { apikey: engine.keys.secret } })).toBe(200);
    const otherCaller = { address: '192.0.2.9', id: 'one' };
    expect((await engine.rest.fetch(new Request(`${engine.url}/books`), otherCaller)).status).toBe(200);
  });

  it('limits a statement of a guest to 2 s, of an account to 5 s, of an admin to 30 s (section 8)', async () => {
    const boss = randomUUID();
    const sql = `${library} create function public.is_admin() returns boolean language sql stable as
      $$ select auth.uid() = '${boss}' $$;`;
    await using slow = await openRest({ sql }, { crowd: true });
    const person = await slow.person();
    await slow.db.query('update auth.users set id = $1 where id = $2', [boss, (await slow.person()).id]);
    const admin = await slow.token({ sub: boss, role: 'authenticated' });
    const lasts = async (seconds: number, token?: string) =>
      (await slow.call('/rpc/slow', { json: { seconds }, ...(token && { token }) })).status;
    const within = [lasts(0.5), lasts(3, person.token), lasts(9, admin)];
    const beyond = [lasts(4), lasts(9, person.token), lasts(45, admin)];
    expect(await Promise.all(within)).toEqual([200, 200, 200]);
    expect(await Promise.all(beyond)).toEqual([500, 500, 500]);
  });
});

// Not with two machines: only one process has the failing engine.
it.skipIf(shared)(
  'a malfunctioning engine responds with an error, and no empty list, when it reports success without a result (TM-47)',
  async () => {
    const { db } = api;
    const whole = db.batch.bind(db);
    // As after a stack overflow: every statement succeeds without a result.
    db.batch = async (...args) => (await whole(...args)).map((result) => ({ ...result, rows: [] }));
    try {
      for (const init of [{}, { method: 'PATCH', json: '{"b": 1}' }, { method: 'DELETE' }])
        expect(await outcome('/plain?a=eq.-1', init)).toMatchObject({ status: 500 });
      expect(await outcome('/rpc/add?a=1')).toMatchObject({ status: 500 });
    } finally {
      db.batch = whole;
    }
  },
);

describe('malformed input', () => {
  it.each([
    ['prototype keys', '/authors', '{"__proto__": {"id": 1}, "id": 70, "name": "x"}'],
    ['constructor keys', '/authors', '{"constructor": {"prototype": {}}, "id": 70, "name": "x"}'],
    ['a NUL character', '/authors', '{"id": 70, "name": "a\\u0000b"}'],
    ['half a surrogate pair', '/authors', '{"id": 70, "name": "\\ud800"}'],
    ['a huge number', '/authors', '{"id": 1e400, "name": "x"}'],
    ['an object for a number', '/authors', '{"id": {"a": 1}, "name": "x"}'],
    ['a prototype argument', '/rpc/add', '{"__proto__": 1}'],
    ['text for arguments', '/rpc/add', '"text"'],
    ['broken JSON', '/rpc/add', '{"a": 1'],
  ])('%s gets 4xx', async (_, path, body) => {
    expect([400, 404]).toContain((await outcome(path, { json: body })).status);
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });

  it('invalid UTF-8, NUL and lone surrogates in addresses get 4xx', async () => {
    const queries = ['title=eq.%00', 'select=%00', 'facts->%00=eq.1'].map((query) => `books?${query}`);
    for (const path of [...queries, '%00', '%ff', 'books%', 'a/b/c', 'rpc/a/b'])
      expect([400, 404], path).toContain((await outcome(`/${path}`)).status);
    const invalid = await api.call('/books', { method: 'POST', body: new Uint8Array([123, 34, 0xff, 34, 125]) });
    expect(invalid.status).toBe(400);
  });

  it('keeps CR, LF, template syntax and markup in text unchanged', async () => {
    const title = 'a\r\nSet-Cookie: x=1\r\n{{7*7}} <%= 7 %> <script> \u2028';
    expect((await from('books').insert({ title }).select('title').single()).data?.title).toBe(title);
    const row = { json: { id: 77, name: title }, headers: { prefer: 'return=headers-only' } };
    expect((await api.call('/genres?select=id', row)).headers.get('set-cookie')).toBeNull();
    await from('books').delete().eq('title', title);
    await from('genres').delete().eq('id', 77);
  });

  it('keys such as __proto__ in stored JSON stay data', async () => {
    await api.call('/authors', { json: '{"id": 71, "name": "p", "facts": {"__proto__": {"admin": true}}}' });
    const stored = '[{"facts":{"__proto__": {"admin": true}}}]';
    expect(await (await api.call('/authors?select=facts&id=eq.71')).text()).toBe(stored);
    await from('authors').delete().eq('id', 71);
  });
});

describe('HTTP', () => {
  it('answers the client’s preflights', async () => {
    const custom = 'x-retry-count, x-mine';
    const requested = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': custom };
    const headers = { origin: 'https://elsewhere.example', ...requested };
    const response = await fetch(`${api.url}/books`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toMatch(/PATCH/);
    const names = ['authorization', 'apikey', 'prefer', 'accept-profile', 'x-retry-count', 'x-draft-secret', 'x-mine'];
    for (const name of names) expect(response.headers.get('access-control-allow-headers')).toContain(name);
    expect(response.headers.get('access-control-max-age')).toBe('86400');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('exposes counts to other origins, also for errors', async () => {
    for (const path of ['/books', '/nope']) {
      const response = await api.call(path);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toMatch(/Content-Range/);
    }
  });

  it('lists allowed methods for OPTIONS', async () => {
    const allow = async (path: string) => (await api.call(path, { method: 'OPTIONS' })).headers.get('allow');
    expect(await allow('/books')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(await allow('/plain')).toBe('OPTIONS,GET,HEAD,POST,PATCH,DELETE');
    expect(await allow('/rpc/add')).toBe('OPTIONS,GET,HEAD,POST');
    expect(await allow('/rpc/nothing')).toBe('OPTIONS,POST');
  });

  it('reports unknown tables and deeper paths in its error format', async () => {
    const message = "Could not find the table 'public.nothere' in the schema cache";
    expect(await outcome('/nothere')).toMatchObject({ status: 404, code: 'PGRST205', message });
    expect(await api.code('/a/b')).toBe('404 PGRST125');
    const response = await api.call('/nothere');
    expect(response.headers.get('proxy-status')).toBe('PostgREST; error=PGRST205');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys((await response.json()) as object)).toEqual(['code', 'message', 'details', 'hint']);
  });

  it('is cacheable only for guests, and varies by every relevant header', async () => {
    const kept = await api.call('/books');
    expect(kept.headers.get('cache-control')).toBe('private, no-cache');
    expect(kept.headers.get('vary')).toMatch(/Authorization.*apikey.*Accept.*Prefer.*Range/);
    for (const [path, init] of [
      ['/books', { token: (await api.person()).token }],
      ['/books', { headers: { 'x-draft-secret': 'x' } }],
      ['/nope', {}],
      ['/rpc/add?a=1', {}],
    ] as const)
      expect((await api.call(path, init)).headers.get('cache-control')).toBe('no-store');
  });

  it('serves new tables after a schema reload notification', async () => {
    expect((await api.call('/later')).status).toBe(404);
    const reload = `notify pgrst, 'reload schema'`;
    await api.db.script(`create table public.later (id int); grant select on public.later to anon; ${reload}`);
    await expect.poll(async () => (await api.call('/later')).status).toBe(200);
  });

  it('selects a schema by profile', async () => {
    await using two = await openRest({
      sql: `${library} grant usage on schema hidden to anon; grant select on hidden.base to anon;`,
      config: '[api]\nschemas = ["public", "hidden"]\nextra_search_path = ["extensions"]\n',
    });
    const { data } = await two.client().schema('hidden').from('base').select('note').order('id');
    expect(data).toEqual([{ note: 'left' }, { note: 'right' }]);
    expect((await two.call('/base')).status).toBe(404);
    expect((await two.call('/books')).headers.get('content-profile')).toBe('public');
  });
});

it('a project made for Supabase, without grants of its own, is readable by its row policies, as on a hosted project', async () => {
  await using other = await openRest({
    sql: `create table public.posts (id int primary key, shown boolean not null);
        alter table public.posts enable row level security;
        create policy "shown posts" on public.posts for select using (shown);
        insert into public.posts values (1, true), (2, false);
        create function public.hello() returns text language sql as $$ select 'hello' $$;`,
  });
  expect((await other.client().from('posts').select('id')).data).toEqual([{ id: 1 }]);
  expect((await other.client().rpc('hello')).data).toBe('hello');
  expect((await other.client().from('posts').insert({ id: 3, shown: true })).error?.code).toBe('42501');
});

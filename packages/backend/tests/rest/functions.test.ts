import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { type Call, openRest } from './rest-server.ts';

const sql = `
create table public.stays (id int primary key, nights int not null);
insert into public.stays values (1, 3), (2, 5);
create function public.created_ago(public.stays) returns int language sql stable as 'select $1.nights * 2';
create function public.of_all(boolean) returns text language sql immutable as $$ select 'boolean' $$;
create function public.of_all(integer) returns text language sql immutable as $$ select 'integer' $$;
create function public.of_all(text) returns text language sql immutable as $$ select 'text ' || $1 $$;
create function public.by_default(text default 'y') returns text language sql immutable as 'select $1';
create function public.only_hidden(integer) returns int language sql immutable as 'select $1';
create function public.part_named(integer, b integer) returns int language sql immutable as 'select $1 + b';
create function public.stays_of() returns setof public.stays language sql stable as 'select * from public.stays';
create domain public.words as text;
create function public.of_words(public.words) returns int language sql immutable as 'select 1';
create function public.text_body(text) returns text language sql immutable as 'select $1';
create function public.bytes_body(bytea) returns text language sql immutable as $$ select encode($1, 'hex') $$;
create function public.xml_body(xml) returns text language sql immutable as $$ select 'xml ' || $1::text $$;
create function public.any_body(json) returns text language sql immutable as $$ select 'json' $$;
create function public.any_body(bytea) returns text language sql immutable as $$ select 'bytes' $$;
create function public.any_body(text) returns text language sql immutable as $$ select 'text' $$;
create function public.any_body() returns text language sql immutable as $$ select 'nothing' $$;
create function public.any_body(x int, y int) returns text language sql immutable as $$ select 'names' $$;
create function public.two_bodies(jsonb) returns int language sql immutable as 'select 1';
create function public.two_bodies(json) returns int language sql immutable as 'select 2';
create function public.same(a text) returns text language sql immutable as $$ select 'text' $$;
create function public.same(a boolean, b timestamptz default now()) returns text language sql immutable as $$ select 'two' $$;
create function public.same(a int) returns text language sql immutable as $$ select 'int' $$;
create function public.same(a bool) returns text language sql immutable as $$ select 'bool' $$;
create function public.add_them(a int, b int) returns int language sql immutable as 'select a + b';
create function public.exactly(n numeric) returns text language sql immutable as 'select n::text';
create domain public."application/octet-stream" as bytea;
create function public.bytes(hex text) returns bytea language sql stable as $$ select decode(hex, 'hex') $$;
create function public.no_bytes() returns bytea language sql stable as $$ select null::bytea $$;
create function public.same_bytes(bytea) returns public."application/octet-stream" language sql stable as 'select $1';
create function public.many_bytes() returns setof bytea language sql stable as $$ values ('\\x01'::bytea), ('\\x02') $$;
create function public.zeros(size int) returns bytea language sql stable as $$ select decode(repeat('00', size), 'hex') $$;
create function public.own_bytes() returns bytea language sql stable as $$ select '\\x01'::bytea $$;
revoke execute on function public.own_bytes() from public, anon;
create function public.nothing_given() returns text language sql immutable as $$ select 'called' $$;
`;

const AMBIGUOUS = { status: 300, code: 'PGRST203' };
const CHOICE = 'Could not choose the best candidate function between:';
const MISSING = { status: 404, code: 'PGRST202' };

const api = forAllTests(() => openRest({ sql }));

const answer = async (path: string, body: BodyInit, type = 'application/json'): Promise<unknown> =>
  (await api.call(`/rpc/${path}`, { method: 'POST', body, headers: { 'content-type': type } })).json();
const refusal = (path: string, body: BodyInit, type = 'application/json') =>
  api.refusal(`/rpc/${path}`, { method: 'POST', body, headers: { 'content-type': type } });

describe('unnamed parameters', () => {
  it('are called with the empty name, among the overloads that accept a body, and receive all of it', async () => {
    expect(await answer('of_all', '{"":"x"}')).toBe('text {"":"x"}');
    expect(await answer('by_default', '{"":"x"}')).toBe('{"":"x"}');
    expect(await answer('by_default', '{}')).toBe('{}');
    expect(await (await api.call('/rpc/of_all?=x')).json()).toBe('text {"":"x"}');
  });

  it.each(['only_hidden', 'part_named', 'of_words', 'created_ago'])(
    'of other types hide a function: %s is neither called nor disclosed',
    async (name) => {
      for (const body of ['{"":1}', '{}', '{"b":1}'])
        expect(await refusal(name, body)).toMatchObject({ ...MISSING, hint: null });
      expect((await api.call(`/rpc/${name}`, { method: 'OPTIONS' })).status).toBe(404);
    },
  );

  it('do not hide computed columns', async () => {
    expect(await (await api.call('/stays?select=id,created_ago&order=id')).json()).toEqual([
      { id: 1, created_ago: 6 },
      { id: 2, created_ago: 10 },
    ]);
  });

  it('receive a JSON body only when no names match', async () => {
    expect(await answer('any_body', '{"x": 1, "y": 2}')).toBe('names');
    expect(await answer('any_body', '{}')).toBe('nothing');
    expect(await answer('any_body', '{"A": 1}')).toBe('json');
    const message = `${CHOICE} public.two_bodies( => json), public.two_bodies( => jsonb)`;
    expect(await refusal('two_bodies', '{"A": 1}')).toMatchObject({ ...AMBIGUOUS, message });
  });
});

describe('bodies that are not JSON', () => {
  it('are passed to an unnamed text or bytea unchanged', async () => {
    expect(await answer('text_body', 'so "it" is, ä\n', 'text/plain; charset=utf-8')).toBe('so "it" is, ä\n');
    expect(await answer('any_body', 'x', 'text/plain')).toBe('text');
    const bytes = new Uint8Array([0, 255, 92, 120, 10]);
    expect(await answer('bytes_body', bytes, 'application/octet-stream')).toBe('00ff5c780a');
    expect(await answer('any_body', bytes, 'application/octet-stream')).toBe('bytes');
  });

  it('are passed to an unnamed xml', async () => {
    const note = '<note><to>Jane</to></note>';
    expect(await answer('xml_body', note, 'text/xml')).toBe(`xml ${note}`);
    expect(await refusal('xml_body', '<', 'text/xml')).toMatchObject({ status: 400, code: '2200N' });
  });

  const types = { 'text/plain': 'text', 'text/xml': 'xml', 'application/octet-stream': 'bytea' };
  it.each(Object.entries(types))('of type %s match no function', async (type, parameter) => {
    for (const name of ['add_them', 'nothing_given']) {
      expect(await refusal(name, 'x', type)).toMatchObject({
        ...MISSING,
        message: `Could not find the function public.${name} in the schema cache`,
        details: `Searched for the function public.${name} with a single unnamed ${parameter} parameter, but no matches were found in the schema cache.`,
      });
    }
  });

  it.each([
    ['text/csv', 'a,b\n1,2\n4,6', 'x,y\n1,2'],
    ['application/x-www-form-urlencoded', 'a=1&b=2', 'x=1&y=2'],
  ])('of a CSV or a form have names for their values (%s)', async (type, unknown, known) => {
    expect(await answer('any_body', known, type)).toBe('names');
    expect(await refusal('any_body', unknown, type)).toMatchObject({
      ...MISSING,
      message: 'Could not find the function public.any_body(a, b) in the schema cache',
      details:
        'Searched for the function public.any_body with parameters a, b, but no matches were found in the schema cache.',
    });
  });

  it('of unsupported types are rejected', async () => {
    for (const type of ['image/png', 'constructor'])
      expect(await refusal('any_body', 'x', type)).toMatchObject({ status: 415, code: 'PGRST102' });
  });
});

describe('bytea results as application/octet-stream (F6)', () => {
  const BYTES = 'application/octet-stream';
  const bytesOf = async (path: string, init: Call = {}) => {
    const response = await api.call(`/rpc/${path}`, { ...init, headers: { accept: BYTES, ...init.headers } });
    const hex = Buffer.from(await response.arrayBuffer()).toString('hex');
    return { status: response.status, type: response.headers.get('content-type'), hex };
  };

  it('are sent unchanged, by GET and POST, from bytea and domains over it', async () => {
    const sent = { status: 200, type: BYTES, hex: '00ff5c780a' };
    expect(await bytesOf('bytes?hex=00ff5c780a')).toEqual(sent);
    expect(await bytesOf('bytes', { json: { hex: '00ff5c780a' } })).toEqual(sent);
    const body = Buffer.from(sent.hex, 'hex');
    expect(await bytesOf('same_bytes', { method: 'POST', body, headers: { 'content-type': BYTES } })).toEqual(sent);
    const lessPreferred = { headers: { accept: `text/html, ${BYTES};q=0.5` } };
    expect(await bytesOf('bytes?hex=61', lessPreferred)).toEqual({ ...sent, hex: '61' });
  });

  it('are empty for null, and for HEAD', async () => {
    expect(await bytesOf('no_bytes')).toEqual({ status: 200, type: BYTES, hex: '' });
    expect(await bytesOf('bytes?hex=61', { method: 'HEAD' })).toEqual({ status: 200, type: BYTES, hex: '' });
  });

  it('are JSON for clients that accept JSON first', async () => {
    for (const accept of ['*/*', `application/json, ${BYTES}`])
      expect(await (await api.call('/rpc/bytes?hex=00ff', { headers: { accept } })).json()).toBe('\\x00ff');
  });

  it.each(['/rpc/many_bytes', '/rpc/by_default', '/rpc/add_them?a=1&b=2', '/rpc/stays_of', '/stays'])(
    'are not available for other types: %s responds 406',
    async (path) => {
      const message = `None of these media types are available: ${BYTES}`;
      const refused = { status: 406, code: 'PGRST107', message, details: null, hint: null };
      expect(await api.refusal(path, { headers: { accept: BYTES } })).toEqual(refused);
    },
  );

  it('are refused without the right to execute', async () => {
    expect(await api.code('/rpc/own_bytes', { headers: { accept: BYTES } })).toBe('401 42501');
    const { token } = await api.person();
    const allowed = await api.call('/rpc/own_bytes', { token, headers: { accept: BYTES } });
    expect([allowed.status, await allowed.text()]).toEqual([200, '\x01']);
  });

  it('have a size limit in both directions', async () => {
    await using strict = await openRest({ sql }, { limits: { responseLength: 1_000, body: 1_000 } });
    const call = async (path: string, init: RequestInit = {}) =>
      (await strict.call(`/rpc/${path}`, { ...init, headers: { accept: BYTES, 'content-type': BYTES } })).status;
    expect(await call('zeros?size=1000')).toBe(200);
    expect(await call('zeros?size=1001')).toBe(400);
    expect(await call('same_bytes', { method: 'POST', body: new Uint8Array(1_000) })).toBe(200);
    expect(await call('same_bytes', { method: 'POST', body: new Uint8Array(1_001) })).toBe(413);
  });
});

it('candidates are listed with their SQL types, those with fewer parameters first', async () => {
  const candidates = ['boolean', 'integer', 'text', 'boolean, b => timestamp with time zone'];
  const message = `${CHOICE} ${candidates.map((types) => `public.same(a => ${types})`).join(', ')}`;
  expect(await refusal('same', '{"a": 1}')).toMatchObject({ ...AMBIGUOUS, message });
});

describe('array of objects as call body', () => {
  it('calls with the first object', async () => {
    expect(await answer('add_them', '[{"a":1,"b":2},{"a":4,"b":6}]')).toBe(3);
    expect(await answer('exactly', '[{"n":12345678901234567890.120}]')).toBe('12345678901234567890.120');
    expect(await answer('add_them?columns=a,b', '[{"a":1,"b":2,"c":3},{"x":4}]')).toBe(3);
    expect(await answer('nothing_given', '[]')).toBe('called');
  });

  it('is rejected when its objects differ', async () => {
    const refused = { status: 400, code: 'PGRST102', message: 'All object keys must match' };
    for (const body of ['[{"a":1,"b":2},{"a":4}]', '[{"a":1,"b":2},7]', '[7]'])
      expect(await refusal('add_them', body)).toMatchObject(refused);
  });

  it('is passed whole to an unnamed parameter', async () => {
    expect(await answer('any_body', '[{"k":1},{"k":2}]')).toBe('json');
  });
});

import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { library } from './library.ts';
import { openRest } from './rest-server.ts';

const handlers = `
create domain "text/html" as text;
create domain "application/x.frame" as bytea;
create domain "text/x.titles" as text;
create domain "text/x.rows" as text;
create domain "*/*" as bytea;
create function public.page(name text) returns "text/html" language sql immutable as $$ select '<h1>' || name || '</h1>' $$;
create function public.frame() returns "application/x.frame" language sql immutable as $$ select '\\x00ff10'::bytea $$;
create function public.any_type() returns "*/*" language plpgsql as $$ begin
  perform set_config('response.headers', '[{"Content-Type": "image/x-dot"}]', true);
  return '\\x01'::bytea; end $$;
create function public.titles_next(state text, book public.books) returns "text/x.titles" language sql immutable as
  $$ select coalesce(state || ';', '') || book.title $$;
create aggregate public.titles(public.books) (sfunc = titles_next, stype = "text/x.titles");
create function public.rows_next(state "text/x.rows", item anyelement) returns "text/x.rows" language sql immutable as
  $$ select coalesce(state, '') || 'x' $$;
create aggregate public.count_rows(anyelement) (sfunc = rows_next, stype = "text/x.rows");
create function public.cookies() returns json language sql stable as $$ select current_setting('request.cookies')::json $$;
create table public.labels (id int primary key, kind public.state not null, code varchar(5), book_id int references public.books);
comment on column public.labels.kind is 'Where it is';
grant select, insert on public.labels to anon, service_role;
grant execute on all functions in schema public to anon, service_role;
`;

const server = forAllTests(() => openRest({ sql: library + handlers }));

async function get(path: string, accept: string): Promise<[number, string | null, string]> {
  const response = await server.call(path, { headers: { accept } });
  return [response.status, response.headers.get('content-type'), await response.text()];
}

describe('media type handlers', () => {
  it('send the result of a function in the type named by its domain', async () => {
    expect(await get('/rpc/page?name=Ada', 'text/html')).toEqual([200, 'text/html', '<h1>Ada</h1>']);
    expect(await get('/rpc/page?name=Ada', 'image/png, text/html;q=0.5')).toEqual([200, 'text/html', '<h1>Ada</h1>']);
    expect(await get('/rpc/page?name=Ada', '*/*')).toEqual([200, 'application/json; charset=utf-8', '"<h1>Ada</h1>"']);
    expect((await get('/rpc/page?name=Ada', 'image/png'))[0]).toBe(406);
  });

  it('send bytes unchanged', async () => {
    const response = await server.call('/rpc/frame', { headers: { accept: 'application/x.frame' } });
    expect(response.headers.get('content-type')).toBe('application/x.frame');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255, 16]));
  });

  it('of any type respond to every Accept with the type that SQL sets', async () => {
    for (const accept of ['image/png', 'application/json', '*/*'])
      expect(await get('/rpc/any_type', accept)).toEqual([200, 'image/x-dot', '\u0001']);
  });

  it('aggregate the rows of a table, of a function and of any table', async () => {
    const titles = [200, 'text/x.titles', 'Engines;Bob, by Bob'];
    expect(await get('/books?id=in.(2,3)&order=id', 'text/x.titles')).toEqual(titles);
    expect((await get('/rpc/books_of?author=1', 'text/x.titles'))[2]).toBe('Notes;Engines');
    expect((await get('/authors', 'text/x.rows'))[2]).toBe('xxx');
    expect((await get('/authors', 'text/x.titles'))[0]).toBe(406);
    expect((await get('/books?select=title', 'text/x.titles'))[0]).toBe(406);
  });
});

it('request.cookies contains the cookies of the request without those of the site (TM-39)', async () => {
  const cookie = 'theme=dark; __Host-draft=secret; name=a%20b';
  const sent = await (await server.call('/rpc/cookies', { headers: { cookie } })).json();
  expect(sent).toEqual({ theme: 'dark', name: 'a b' });
  expect(await (await server.call('/rpc/cookies')).json()).toEqual({});
});

it('OpenAPI document describes filters, bodies, responses, enumerations and keys to the service role', async () => {
  const headers = { apikey: server.keys.secret };
  const document = (await (await server.call('/', { headers })).json()) as Record<string, never>;
  const { paths, definitions, parameters } = document as Record<string, Record<string, object>>;
  const withReference = (name: string) => expect.arrayContaining([{ $ref: `#/parameters/${name}` }]);
  const rows = { schema: { type: 'array', items: { $ref: '#/definitions/labels' } } };
  expect(paths!['/labels']).toMatchObject({
    get: { parameters: withReference('rowFilter.labels.kind'), responses: { 200: rows, 206: {} } },
    post: { parameters: withReference('body.labels'), responses: { 201: {} } },
  });
  expect(paths!['/labels']).toMatchObject({ get: { parameters: withReference('preferCount') } });
  const a = { name: 'a', in: 'query', required: true, type: 'integer' };
  const b = { name: 'b', required: false };
  expect(paths).toMatchObject({
    '/rpc/add': { get: { parameters: [a, b] }, post: { responses: { 200: { schema: { type: 'integer' } } } } },
    '/rpc/books_of': { post: { responses: { 200: { schema: { type: 'array' } } } } },
    '/rpc/nothing': { post: { responses: { 204: {} } } },
  });
  expect(definitions!['labels']).toMatchObject({
    required: ['id', 'kind'],
    properties: {
      id: { description: 'Note:\nThis is a Primary Key.<pk/>' },
      kind: { enum: ['new', 'used', 'lost'], description: 'Where it is' },
      code: { maxLength: 5 },
      book_id: { description: expect.stringContaining("<fk table='books' column='id'/>") },
    },
  });
  const filter = { name: 'kind', in: 'query' };
  expect(parameters).toMatchObject({ 'rowFilter.labels.kind': filter, 'body.labels': { in: 'body' } });
  const references: string[] = [];
  JSON.parse(JSON.stringify(document), (key, value) => (key === '$ref' ? references.push(value) : value));
  const missing = references.filter((reference) => {
    const [, kind, name] = /^#\/(\w+)\/(.+)$/.exec(reference)!;
    return document[kind!]![name!] === undefined;
  });
  expect([references.length > 50, missing]).toEqual([true, []]);
});

import { describe, expect, it } from 'vitest';
import { engines } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { library } from './library.ts';
import { openRest } from './rest-server.ts';

const more = `
create table public.large (id int primary key, name text, data jsonb);
insert into public.large select n, 'row ' || n, '{"a": 1}' from generate_series(1, 40) n;
create view public.large_names as select name from public.large where id > 5;
create table public.guarded (id int primary key, large_id int references public.large);
alter table public.guarded enable row level security;
create policy "small ones are seen" on public.guarded for select using (id <= 3);
insert into public.guarded select n, n from generate_series(1, 40) n;
grant select on public.large, public.large_names, public.guarded to anon, service_role;
analyze public.large;
-- The planner goes by what it knew.
delete from public.guarded where id > 30;
delete from public.large where id > 30;
`;

describe.each(engines)('errors and responses on $name', (engine) => {
  const api = forAllTests(() => openRest({ sql: `${library}\n${more}`, config: '[api]\nmax_rows = 20\n' }, { engine }));

  const secret = () => ({ apikey: api.keys.secret });

  describe('unparsable requests', () => {
    const inPath = 'unexpected \'x\' expecting digit, "->", "::", ".", "," or end of input';
    const inLogic =
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)';
    const afterNulls = 'unexpected \'t\' expecting "," or end of input';
    const nulls = 'unexpected "l" expecting "nullsfirst" or "nullslast"';
    it.each([
      ['/large?select=data->>--34', 9, 'unexpected "-" expecting digit', 'select parameter (data->>--34)'],
      ['/large?select=data->>-xy-4', 9, 'unexpected "x" expecting digit', 'select parameter (data->>-xy-4)'],
      ['/large?select=data->>-78xy', 11, inPath, 'select parameter (data->>-78xy)'],
      ['/large?or=()', 4, inLogic, 'logic tree (())'],
      ['/large?or=)(', 3, 'unexpected ")" expecting "("', 'logic tree ()()'],
      ['/large?not.and=(id.in.1)', 15, 'unexpected "1" expecting "("', 'logic tree ((id.in.1))'],
      ['/large?order=id.asc.nullslasttt', 17, afterNulls, 'order (id.asc.nullslasttt)'],
      ['/large?order=id.descc', 8, 'unexpected \'c\' expecting delimiter (.), "," or end of input', 'order (id.descc)'],
      ['/large?order=id.ac', 4, 'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"', 'order (id.ac)'],
      ['/large?order=id.asc.nlsfst', 8, nulls, 'order (id.asc.nlsfst)'],
    ])('%s gets an error with the position and the expected tokens', async (path, column, details, what) => {
      const message = `"failed to parse ${what}" (line 1, column ${column})`;
      expect(await api.refusal(path)).toEqual({ status: 400, code: 'PGRST100', message, details, hint: null });
    });
  });

  describe('unknown names', () => {
    it('suggest a table or function only when its name is nearly the same', async () => {
      expect(await api.refusal('/larg')).toMatchObject({ hint: "Perhaps you meant the table 'public.large'" });
      for (const far of ['/non_existent_books', '/bookshelf'])
        expect(await api.refusal(far)).toMatchObject({ code: 'PGRST205', hint: null });
      const hint = 'Perhaps you meant to call the function public.greet';
      expect(await api.refusal('/rpc/gret')).toMatchObject({ hint });
      for (const far of ['/rpc/the_greetings', '/rpc/add_genres_now'])
        expect(await api.refusal(far)).toMatchObject({ code: 'PGRST202', hint: null });
    });

    it('suggest the most similar parameters, or none', async () => {
      const call = (name: string) => ({ hint: `Perhaps you meant to call the function public.${name}` });
      const near = await api.refusal('/rpc/add_genre', { json: { id: 1, names: 'x' } });
      expect(near).toMatchObject(call('add_genre(id, name)'));
      expect(await api.refusal('/rpc/by_names', { json: { a: 1, b: 2, c: 3 } })).toMatchObject(call('by_names(a, b)'));
      const far = await api.refusal('/rpc/add_genre', { json: { quux: 1 } });
      expect(far).toMatchObject({ code: 'PGRST202', hint: null });
    });
  });

  it('have a Content-Location with sorted parameters', async () => {
    const address = async (query: string) => (await api.call(`/large${query}`)).headers.get('content-location');
    const sorted = '/large?and=%28id.lt.5%29&id=gt.1,lt.4&select=id';
    expect(await address('?select=id&id=gt.1&and=(id.lt.5)&id=lt.4')).toBe(sorted);
    expect(await address('?name=eq.a+b%26%C3%A4')).toBe('/large?name=eq.a%20b%26%C3%A4');
    expect(await address('')).toBe('/large');
  });

  it('describe the query and the options of a plan', async () => {
    const plan = 'application/vnd.pgrst.plan';
    const type = async (options: string) => {
      const answer = await api.call('/large?id=eq.1', { headers: { ...secret(), accept: `${plan}${options}` } });
      return answer.status === 200 ? answer.headers.get('content-type')?.replace(plan, '') : answer.status;
    };
    const array = '+json; for="application/vnd.pgrst.array+json;nulls=stripped"';
    for (const [requested, described] of [
      ['+json', '+json; for="application/json"'],
      [
        '; for="application/vnd.pgrst.object"; options=wal|nope|analyze',
        '+text; for="application/vnd.pgrst.object+json"; options=analyze|wal',
      ],
      [array, array],
      ['+text; for="text/csv"', '+text; for="text/csv"'],
    ] as const)
      expect(await type(requested)).toBe(`${described}; charset=utf-8`);
    expect(await type('+json; for="text/xml"')).toBe(406);
  });

  it('return the OpenAPI document only for its media type', async () => {
    const root = (accept: string) => api.call('/', { headers: { ...secret(), accept } });
    expect((await root('text/csv')).status).toBe(406);
    for (const accept of ['application/openapi+json', 'application/json', '*/*', 'text/csv, */*;q=0.1'])
      expect((await root(accept)).headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
  });

  describe('counted responses', () => {
    const counted = async (path: string, count: string, headers: Record<string, string> = {}) => {
      const answer = await api.call(path, { headers: { ...headers, prefer: `count=${count}` } });
      return [answer.status, answer.headers.get('content-range')];
    };

    it('return the planner’s estimate, even where it is wrong', async () => {
      expect(await counted('/large', 'exact')).toEqual([206, '0-19/30']);
      expect(await counted('/large', 'planned')).toEqual([206, '0-19/40']);
      expect(await counted('/large?limit=2&offset=3', 'planned')).toEqual([206, '3-4/40']);
      expect(await counted('/large?name=eq.row 1', 'planned')).toEqual([200, '0-0/1']);
      expect(await counted('/large?select=id&offset=41', 'planned')).toEqual([416, '*/40']);
      expect(await counted('/large?id=in.(1,2,29,40)', 'planned')).toEqual([206, '0-2/4']);
    });

    it('with an estimated count are exact up to a page, and estimated beyond it', async () => {
      expect(await counted('/large?id=lt.11', 'estimated')).toEqual([200, '0-9/10']);
      expect(await counted('/large?id=in.(1,2,29,40)', 'estimated')).toEqual([200, '0-2/3']);
      expect(await counted('/large', 'estimated')).toEqual([206, '0-19/40']);
    });

    it('are always exact where rows are hidden from the caller, with every Prefer value (TM-20)', async () => {
      for (const count of ['planned', 'estimated']) {
        expect(await counted('/guarded', count)).toEqual([200, '0-2/3']);
        expect(await counted('/large_names', count)).toEqual([206, '0-19/25']);
        expect(await counted('/large?select=id,guarded!inner(id)', count)).toEqual([200, '0-2/3']);
        expect(await counted('/large?select=id,guarded()&guarded=not.is.null', count)).toEqual([200, '0-2/3']);
      }
      // Roles that may see plans also get the planner's estimate.
      const [, range] = await counted('/large_names', 'planned', secret());
      expect(Number(String(range).split('/')[1])).toBeGreaterThan(30);
    });

    it('omit the count of a write when a planner’s count was requested', async () => {
      const init = { method: 'DELETE', headers: { prefer: 'count=planned' } };
      expect((await api.call('/plain?a=eq.1', init)).headers.get('content-range')).toBe('*/*');
      const exact = { method: 'DELETE', headers: { prefer: 'count=exact' } };
      expect((await api.call('/plain?a=eq.1', exact)).headers.get('content-range')).toBe('*/0');
    });
  });
});

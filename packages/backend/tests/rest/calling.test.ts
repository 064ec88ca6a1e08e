import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { library } from './library.ts';
import { openRest } from './rest-server.ts';

const api = forAllTests(() => openRest({ sql: library }));
const guest = () => api.client();

describe('function results', () => {
  it('return a scalar as a JSON value', async () => {
    expect((await guest().rpc('add', { a: 1, b: 2 })).data).toBe(3);
    expect((await guest().rpc('greet', { name: 'Ada "Q"' })).data).toBe('Hello Ada "Q"');
    expect(await (await api.call('/rpc/no_answer', { json: {} })).text()).toBe('null');
  });

  it('return 204 for void', async () => {
    const response = await api.call('/rpc/nothing', { json: {} });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('return a set of scalars as an array', async () => {
    expect((await guest().rpc('numbers', { top: 3 })).data).toEqual([1, 2, 3]);
    expect((await guest().rpc('numbers', { top: 0 })).data).toEqual([]);
  });

  it('return one row as an object', async () => {
    expect((await guest().rpc('one_book', { wanted: 2 })).data).toMatchObject({ id: 2, title: 'Engines' });
    expect((await guest().rpc('split', { whole: 'abc' })).data).toEqual({ first: 'a', rest: 'bc' });
  });

  it('return rows as an array, with filters, columns, order, pages, counts and embeds', async () => {
    const { data, count } = await guest()
      .rpc('books_of', { author: 1 }, { count: 'exact' })
      .select('id,authors(name)')
      .order('id', { ascending: false })
      .limit(1);
    expect([data, count]).toEqual([[{ id: 2, authors: { name: 'Ada' } }], 2]);
    expect((await guest().rpc('price_list').eq('title', 'Notes')).data).toEqual([{ title: 'Notes', price: 9.5 }]);
    expect((await guest().rpc('books_of', { author: 2 }).single()).data).toMatchObject({ id: 3 });
    expect((await guest().rpc('books_of', { author: 9 }).single()).error?.code).toBe('PGRST116');
  });

  it('return a document unchanged', async () => {
    expect(await (await api.call('/rpc/document', { json: {} })).text()).toBe('{"b": 1,  "a": [1.0]}');
  });

  it('return a scalar when one object is requested', async () => {
    expect((await guest().rpc('add', { a: 1 }).single()).data).toBe(11);
  });
});

describe('function lookup', () => {
  it('uses the argument names; arguments with defaults are optional', async () => {
    expect((await guest().rpc('add', { a: 1 })).data).toBe(11);
    expect((await guest().rpc('by_names', { a: 1 })).data).toBe('a');
    expect((await guest().rpc('by_names', { a: 1, b: 1 })).data).toBe('ab');
  });

  it('finds nothing for other names', async () => {
    expect(await api.refusal('/rpc/add', { json: { a: 1, x: 2 } })).toEqual({
      status: 404,
      code: 'PGRST202',
      message: 'Could not find the function public.add(a, x) in the schema cache',
      details:
        'Searched for the function public.add with parameters a, x or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add(a, b)',
    });
    const message = 'Could not find the function public.addd without parameters in the schema cache';
    expect(await api.refusal('/rpc/addd')).toMatchObject({ message });
    expect((await api.refusal('/rpc/forbiden', { json: {} }))['hint']).toBeNull();
  });

  it('converts arguments to their declared types', async () => {
    expect((await guest().rpc('sum_array', { items: [1, 2, 3] })).data).toBe(6);
    expect((await guest().rpc('sum_array', { items: [1, 2] }, { get: true })).data).toBe(3);
    expect((await guest().rpc('count_words', { words: ['a', 'b'] })).data).toBe(2);
    expect(await (await api.call('/rpc/count_words?words=a&words=b&words=c')).text()).toBe('3');
    expect(await api.code('/rpc/add', { json: { a: 'x' } })).toBe('400 22P02');
  });

  it('sanitizes rich text arguments, by POST and by GET', async () => {
    const content = '<p>a<script>x</script></p>';
    expect((await guest().rpc('keep_html', { content })).data).toBe('<p>a</p>');
    expect((await guest().rpc('keep_html', { content }, { get: true })).data).toBe('<p>a</p>');
  });
});

describe('function call methods', () => {
  it('GET and HEAD call in a read-only transaction', async () => {
    expect((await guest().rpc('add', { a: 2, b: 3 }, { get: true })).data).toBe(5);
    expect((await guest().rpc('numbers', { top: 4 }, { head: true, count: 'exact' })).count).toBe(4);
    expect(await api.code('/rpc/add_genre?id=90&name=x')).toBe('405 25006');
    expect((await guest().from('genres').select().eq('id', 90)).data).toEqual([]);
  });

  it('a POST for HEAD with long arguments returns no rows', async () => {
    const { data, status, count } = await guest().rpc('whole_body', { a: { b: 1 } }, { head: true, count: 'exact' });
    expect([status, data, count]).toEqual([200, null, 1]);
  });

  it('GET passes arguments without an operator and filters with one', async () => {
    expect(await (await api.call('/rpc/books_of?author=1&id=eq.2&select=id')).json()).toEqual([{ id: 2 }]);
  });

  it('POST writes', async () => {
    expect((await guest().rpc('add_genre', { id: 91, name: 'called' })).data).toEqual([{ id: 91, name: 'called' }]);
    expect((await guest().from('genres').delete().eq('id', 91).select()).data).toHaveLength(1);
  });

  it('other methods are rejected', async () => {
    const refused = { status: 405, code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' };
    expect(await api.refusal('/rpc/add', { method: 'DELETE' })).toMatchObject(refused);
  });

  it('a call that returns too many rows is rolled back', async () => {
    const prefer = { prefer: 'handling=strict, max-affected=0' };
    expect(await api.code('/rpc/add_genre', { json: { id: 92, name: 'x' }, headers: prefer })).toBe('400 PGRST124');
    expect((await guest().from('genres').select().eq('id', 92)).data).toEqual([]);
    expect(await api.refusal('/rpc/add', { json: { a: 1 }, headers: prefer })).toMatchObject({ code: 'PGRST128' });
  });
});

const SECRET = 'a'.repeat(43);

describe('function context', () => {
  it('functions read the request: method, path without prefix, headers, claims, schemas', async () => {
    const { id, token } = await api.person();
    const headers = { 'X-Draft-Secret': SECRET, cookie: 'a=b', 'x-forwarded-for': '6.6.6.6' };
    const response = await api.call('/rpc/request', { json: {}, headers, token });
    const seen = (await response.json()) as { headers: Record<string, string> };
    const caller = { method: 'POST', role: 'authenticated', uid: id };
    expect(seen).toMatchObject({ ...caller, path: '/rpc/request', search_path: '"public", "extensions"' });
    expect(seen.headers['x-draft-secret']).toBe(SECRET);
    expect(seen.headers).not.toHaveProperty('cookie');
    expect(seen.headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('functions can set status and headers', async () => {
    const response = await api.call('/rpc/refuse_softly', { json: {} });
    expect([response.status, response.headers.get('x-reason')]).toEqual([403, 'because']);
    expect((await guest().rpc('refuse_softly')).error).toMatchObject({ code: '42501', message: 'not you' });
    expect(await api.code('/rpc/bad_status', { json: {} })).toBe('500 PGRST112');
    expect(await api.code('/rpc/bad_headers', { json: {} })).toBe('500 PGRST111');
  });

  it.each([
    ['P0001', 400],
    ['PT418', 418],
    ['PT1AB', 500],
    ['42501', 401],
    ['23505', 409],
    ['42P01', 404],
    ['42P17', 500],
    ['28000', 403],
    ['0L000', 403],
    ['40001', 500],
    ['53400', 500],
    ['22012', 400],
    ['ABCDE', 400],
  ])('raising %s responds %i with all four keys', async (code, status) => {
    const raised = { json: { code, words: 'said so', extra: 'more', tip: 'try' } };
    const error = { code, message: 'said so', details: 'more', hint: 'try' };
    expect(await api.refusal('/rpc/fail', raised)).toEqual({ status, ...error });
  });

  it('raising PGRST controls the whole response', async () => {
    const error = { code: '123', message: 'Payment', details: 'd', hint: 'h' };
    const words = JSON.stringify(error);
    const extra = JSON.stringify({ status: 402, headers: { 'X-Powered': 'Nerd' } });
    const response = await api.call('/rpc/fail', { json: { code: 'PGRST', words, extra } });
    expect(response.headers.get('x-powered')).toBe('Nerd');
    expect([response.status, await response.json()]).toEqual([402, error]);
    expect(await api.code('/rpc/fail', { json: { code: 'PGRST', words: 'not json', extra } })).toBe('500 PGRST121');
  });

  it('a call without the grant is refused: 401 for guests, 403 for users', async () => {
    expect(await api.code('/rpc/forbidden', { json: {} })).toBe('401 42501');
    const { token } = await api.person();
    expect((await api.client(token).rpc('forbidden')).status).toBe(403);
  });
});

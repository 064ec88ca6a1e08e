import { beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { openRest } from './rest-server.ts';

const project = `
create domain public.lucky as int default 666;
create domain public.luckier as public.lucky;
create table public.draws (id public.lucky, again public.luckier, own public.lucky default 7, name text);
create table public.items (id int primary key, name text, count int, at date);
create table public.keyless (a text, b text);
grant select, insert, update, delete on all tables in schema public to anon;
`;

const api = forAllTests(() => openRest({ sql: project }));
beforeEach(() => api.db.script('delete from public.draws; delete from public.items; delete from public.keyless'));

const send = (path: string, method: string, body: string, headers: Record<string, string> = {}) =>
  api.call(path, { method, body, headers: { 'content-type': 'application/json', ...headers } });
const answer = async (...sent: Parameters<typeof send>): Promise<[number, unknown]> => {
  const response = await send(...sent);
  return [response.status, await response.json()];
};
const rows = async (table: string) => (await api.call(`/${table}`)).json();
const twoItems = () => send('/items', 'POST', '[{"id":1,"name":"a"},{"id":2,"name":"b"}]');

describe('JSON bodies', () => {
  const preferences = { prefer: 'missing=default, return=representation' };

  it('use the default of a domain where a named column is missing and has no default of its own', async () => {
    const [, inserted] = await answer('/draws?columns=id,again,own,name', 'POST', '{"name":"Lu"}', preferences);
    expect(inserted).toEqual([{ id: 666, again: 666, own: 7, name: 'Lu' }]);
    const two = '[{"id":1,"name":"Mo"},{"name":"Ny"}]';
    const [, insertedWithId] = await answer('/draws?columns=id,name', 'POST', two, preferences);
    expect(insertedWithId).toMatchObject([{ id: 1 }, { id: 666 }]);
    const [, updated] = await answer('/draws?columns=id&name=eq.Mo', 'PATCH', '{}', preferences);
    expect(updated).toMatchObject([{ id: 666, name: 'Mo' }]);
  });

  it('return 200 for an empty upsert, and 201 for an empty insert', async () => {
    const merge = { prefer: 'resolution=merge-duplicates, return=representation' };
    for (const table of ['items', 'keyless']) expect(await answer(`/${table}`, 'POST', '[]', merge)).toEqual([200, []]);
    expect((await send('/items', 'POST', '[]', { prefer: 'resolution=merge-duplicates' })).status).toBe(200);
    expect((await send('/items', 'POST', '[]')).status).toBe(201);
    expect((await send('/items', 'POST', '[]', { prefer: 'resolution=ignore-duplicates' })).status).toBe(201);
    expect((await send('/keyless', 'POST', '{"a":"1","b":"2"}', merge)).status).toBe(201);
  });

  it('are parsed before a missing filter is reported', async () => {
    for (const [body, code] of Object.entries({ '}{': 'PGRST102', '{"nope":1}': 'PGRST204', '{"name":"x"}': '21000' }))
      expect(await answer('/items', 'PATCH', body)).toMatchObject([400, { code }]);
  });

  it('need no filter for an update without columns', async () => {
    await twoItems();
    for (const body of ['{}', '[]']) {
      const nothing = await send('/items', 'PATCH', body);
      expect([nothing.status, nothing.headers.get('content-range'), await nothing.text()]).toEqual([204, '*/*', '']);
    }
    expect(await rows('items')).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });
});

it('report a row limit only where it was applied', async () => {
  await twoItems();
  const change = async (prefer: string) =>
    (await send('/items?id=gt.0', 'PATCH', '{"count":1}', { prefer })).headers.get('preference-applied');
  expect(await change('handling=lenient, max-affected=1')).toBe('handling=lenient');
  expect(await change('max-affected=1')).toBeNull();
  expect(await change('handling=strict, max-affected=2')).toBe('handling=strict, max-affected=2');
});

describe('CSV', () => {
  const csv = { 'content-type': 'text/csv; charset=utf-8' };

  it('is inserted line by line, with null for NULL', async () => {
    const text = 'id,name,count,at\r\n1,"a ""quoted"", b\nand more",NULL,2026-01-02\n\n2,,7,"NULL"\r\n';
    const inserted = await answer('/items', 'POST', text, { ...csv, prefer: 'return=representation' });
    const stored = [
      { id: 1, name: 'a "quoted", b\nand more', count: null, at: '2026-01-02' },
      { id: 2, name: '', count: 7, at: null },
    ];
    expect(inserted).toEqual([201, stored]);
    expect(await rows('items')).toHaveLength(2);
  });

  it('can be requested as response', async () => {
    const both = { ...csv, accept: 'text/csv', prefer: 'return=representation' };
    const response = await send('/keyless', 'POST', 'a,b\nNULL,foo', both);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect([response.status, await response.text()]).toEqual([201, 'a,b\n,foo']);
  });

  it('can upsert and update rows', async () => {
    await twoItems();
    const merge = { ...csv, prefer: 'resolution=merge-duplicates' };
    expect((await send('/items', 'POST', 'id,name\n1,new\n3,c', merge)).status).toBe(201);
    expect((await send('/items?id=eq.2', 'PATCH', 'name\nchanged', csv)).status).toBe(204);
    expect(await rows('items?order=id')).toMatchObject([{ name: 'new' }, { name: 'changed' }, { name: 'c' }]);
  });

  it('with a line too short, too long or broken is rejected completely', async () => {
    const refused = { code: 'PGRST102', message: 'All lines must have same number of fields' };
    for (const text of ['a,b\nfoo,bar\nbaz', 'a,b\nfoo,bar,baz', 'a,b\nfoo,bar\nbaz,x,'])
      expect(await answer('/keyless', 'POST', text, csv)).toMatchObject([400, refused]);
    for (const text of ['', 'a,b\n"foo,bar', 'a,b\n"foo"x,bar'])
      expect(await answer('/keyless', 'POST', text, csv)).toMatchObject([400, { code: 'PGRST102' }]);
    expect(await rows('keyless')).toEqual([]);
  });

  it('selects columns like JSON, with the same limits', async () => {
    expect((await answer('/keyless', 'POST', 'a,nope\n1,2', csv))[1]).toMatchObject({ code: 'PGRST204' });
    const many = `a,b\n${'1,2\n'.repeat(101)}`;
    const refused = { message: 'More than 100 rows in one request' };
    expect(await answer('/keyless', 'POST', many, csv)).toMatchObject([400, refused]);
  });
});

it('a form body is one row; the last value of a name is used', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded', prefer: 'return=representation' };
  const inserted = await answer('/items', 'POST', 'id=7&name=forms+are+%22fun%22&count=1&count=2&at=1900-01-01', form);
  expect(inserted).toEqual([201, [{ id: 7, name: 'forms are "fun"', count: 2, at: '1900-01-01' }]]);
  expect(await answer('/items', 'POST', 'id=seven', form)).toMatchObject([400, { code: '22P02' }]);
});

it('other types of bodies are rejected by name', async () => {
  const refused = await answer('/items', 'POST', '<a/>', { 'content-type': 'text/xml' });
  expect(refused).toMatchObject([415, { message: 'Content-Type not acceptable: text/xml' }]);
});

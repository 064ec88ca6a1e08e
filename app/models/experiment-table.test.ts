import { PostgrestClient } from '@supabase/postgrest-js';
import { describe, expect, it } from 'vitest';
import { addressOf, pagesOf, previewOf, questionFrom, rangeText, readTable, searchFilter } from './experiment-table.ts';

const question = (text: string) => questionFrom(new URLSearchParams(text));

/** The official client, with a service that answers from a list and records what it was asked. */
function serviceWith(total: number) {
  const asked: URL[] = [];
  const data = new PostgrestClient('http://service.invalid', {
    fetch: async (input) => {
      const url = new URL(String(input));
      asked.push(url);
      const offset = Number(url.searchParams.get('offset'));
      const range = { 'content-range': `*/${total}` };
      if (offset > total) {
        return Response.json(
          { code: 'PGRST103', message: 'Requested range not satisfiable' },
          { status: 416, headers: range },
        );
      }
      const rows = Array.from({ length: Math.min(10, total - offset) }, (_, index) => ({ id: String(offset + index) }));
      return Response.json(rows, { headers: { 'content-range': `${offset}-${offset + rows.length - 1}/${total}` } });
    },
  });
  return { data, asked };
}

describe('the question in the address', () => {
  it('is read, and what makes no sense counts as not given', () => {
    expect(question('?search=tea&page=3&status=draft')).toEqual({ search: 'tea', page: 3, status: 'draft' });
    expect(question('?page=-1&status=lost')).toEqual({ search: '', page: 1, status: null });
    expect(question('?page=2.5').page).toBe(1);
    expect(question('?page=1e400').page).toBe(1);
  });

  it('survives being written and read again', () => {
    const asked = { search: 'a&b=c #1', page: 4, status: 'archived' as const };
    expect(question(addressOf(asked))).toEqual(asked);
    expect(addressOf({ search: '', page: 1, status: null })).toBe('?');
  });
});

describe('the search filter', () => {
  it('keeps signs of the filter language and of LIKE as text', () => {
    expect(searchFilter('a,b)(c')).toBe('title.ilike."%a,b)(c%",description.ilike."%a,b)(c%",client.ilike."%a,b)(c%"');
    expect(searchFilter('50%_\\"').split(',client')[0]).toContain('title.ilike."%50\\\\%\\\\_\\\\\\\\\\"%"');
  });

  it('looks for the escaped form in rich text, and only there', () => {
    const filter = searchFilter('R&D <3');
    expect(filter).toContain('title.ilike."%R&D <3%"');
    expect(filter).toContain('description.ilike."%R&amp;D &lt;3%"');
  });

  it('reads a star as one character, because the service would read it as any number', () => {
    expect(searchFilter('a*b')).toContain('title.ilike."%a_b%"');
  });
});

describe('reading a page', () => {
  it('asks for ten rows, the newest first, with the total', async () => {
    const { data, asked } = serviceWith(25);
    const page = await readTable(data, { search: '', page: 3, status: 'draft' });
    expect(page.rows.map(({ id }) => id)).toEqual(['20', '21', '22', '23', '24']);
    expect(rangeText(page)).toBe('Showing 21 to 25 of 25 results');
    const [url] = asked;
    expect(url!.searchParams.get('order')).toBe('created_at.desc,id.asc');
    expect(url!.searchParams.get('status')).toBe('eq.draft');
    expect(url!.searchParams.get('limit')).toBe('10');
  });

  it('goes back to the last page when the one asked for is empty or beyond the end', async () => {
    const empty = await readTable(serviceWith(20).data, { search: '', page: 3, status: null });
    expect(empty).toMatchObject({ page: 2, total: 20 });
    const beyond = await readTable(serviceWith(20).data, { search: '', page: 9, status: null });
    expect(beyond.page).toBe(2);
    expect(beyond.rows).toHaveLength(10);
    const none = await readTable(serviceWith(0).data, { search: '', page: 9, status: null });
    expect(rangeText(none)).toBe('Showing 0 to 0 of 0 results');
  });

  it('throws in words when the service fails (ERR-01)', async () => {
    const data = new PostgrestClient('http://service.invalid', {
      fetch: async () => Response.json({ message: 'permission denied', code: '42501' }, { status: 403 }),
    });
    await expect(readTable(data, question(''))).rejects.toThrow('API Error: permission denied');
  });
});

it('numbers every page', () => {
  expect(pagesOf(0)).toEqual([]);
  expect(pagesOf(10)).toEqual([1]);
  expect(pagesOf(11)).toEqual([1, 2]);
});

it('cuts previews after 50 characters, not after 50 code units', () => {
  expect(previewOf('x'.repeat(50))).toBe('x'.repeat(50));
  expect(previewOf('x'.repeat(51))).toBe(`${'x'.repeat(50)}…`);
  expect(previewOf('🎛'.repeat(50))).toBe('🎛'.repeat(50));
});

import { PostgrestClient } from '@supabase/postgrest-js';
import { describe, expect, it } from 'vitest';
import { findProjects, previewOf, projectParams, rangeText, readProjects } from './list.ts';

const question = (text: string) => projectParams.read(new URLSearchParams(text));

/** The official client, with a service that answers from a list and records what it was requests. */
function serviceWith(total: number, exact = true) {
  const requests: URL[] = [];
  let counted = 0;
  const data = new PostgrestClient('http://service.invalid', {
    fetch: async (input) => {
      const url = new URL(String(input));
      if (url.pathname.endsWith('count_projects')) {
        counted += 1;
        return Response.json([{ projects: total, exact }]);
      }
      requests.push(url);
      const from = Number(url.searchParams.get('p_skip'));
      const take = Number(url.searchParams.get('p_take'));
      const length = Math.max(0, Math.min(take, total - from));
      return Response.json(Array.from({ length }, (_, index) => ({ id: from + index })));
    },
  });
  return { data, requests, counted: () => counted };
}

describe('project list filters in the address', () => {
  it('parse valid values and ignore invalid ones', () => {
    const tea = { search: 'tea', page: 3, status: 'draft', review: null, sort: 'title' };
    expect(question('?search=tea&page=3&status=draft&sort=title')).toEqual(tea);
    const start = { search: '', page: 1, status: null, review: null, sort: 'newest' };
    expect(question('?page=-1&status=lost&review=published&sort=price')).toEqual(start);
  });

  it('survive a round trip through the address', () => {
    const part = { search: 'a&b=c #1', page: 4, status: 'archived', review: 'unfinished', sort: 'changed' } as const;
    expect(question(projectParams.write(part))).toEqual(part);
    expect(projectParams.write(question(''))).toBe('?');
  });
});

describe('project list query', () => {
  it('requests one page in the chosen order, with four media items per project', async () => {
    const { data, requests } = serviceWith(45);
    const page = await readProjects(data, question('?page=3&status=draft&sort=title&search=tea'));
    expect(page).toMatchObject({ total: 45, page: 3, size: 20, more: false });
    expect(rangeText(page)).toBe('Showing 41 to 45 of 45 results');
    const media = { 'project_media.limit': '4', 'project_media.order': 'is_cover.desc,order.asc,created_at.asc' };
    const rows = { p_words: 'tea', p_status: 'draft', p_sort: 'title', p_skip: '40', p_take: '20' };
    expect(Object.fromEntries(requests[0]!.searchParams)).toMatchObject({ ...rows, ...media });
  });

  it('filters submissions by review state instead of status', async () => {
    const { data, requests } = serviceWith(2);
    await findProjects(data, question('?review=unfinished&status=draft'), { columns: 'id' });
    expect(requests[0]!.searchParams.get('p_turn')).toBe('2');
    expect(requests[0]!.searchParams.has('p_status')).toBe(false);
  });

  it('reports when more rows match than were counted', async () => {
    const page = await findProjects(serviceWith(500, false).data, question('?search=a'), { columns: 'id' });
    expect(rangeText(page)).toBe('Showing 1 to 10 of more than 500 results');
  });

  it('counts search results only when they do not end on this page', async () => {
    const requests = { '?search=a': 1, '?search=a&page=5': 0, '?search=a&page=9': 1, '?page=5': 1 };
    for (const [address, times] of Object.entries(requests)) {
      const { data, counted } = serviceWith(45);
      const page = await findProjects(data, question(address), { columns: 'id' });
      expect(page.total, address).toBe(45);
      expect(counted(), address).toBe(times);
    }
  });

  it('returns no range when no rows match', async () => {
    const none = await findProjects(serviceWith(0).data, question('?search=a&page=9'), { columns: 'id' });
    expect(rangeText(none)).toBeNull();
  });
});

it('cuts previews after 50 characters, not after 50 code units (CONST-13, MANAGE-09)', () => {
  expect(previewOf('x'.repeat(50))).toBe('x'.repeat(50));
  expect(previewOf('x'.repeat(51))).toBe(`${'x'.repeat(50)}…`);
  expect(previewOf('🎛'.repeat(50))).toBe('🎛'.repeat(50));
});

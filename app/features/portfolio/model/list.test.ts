import { PostgrestClient } from '@supabase/postgrest-js';
import { describe, expect, it } from 'vitest';
import { countExperiments, type ListChoice, listAddress, listChoice, listExperiments } from './list.ts';

const everything: ListChoice = { category: null, made: null, fact: null, words: '', page: 1, from: 1 };

/** The official client, answered by hand: what it asks for is what matters here. */
async function requestFor(choice: Partial<ListChoice>, answer: () => Response = () => Response.json([])) {
  const questions: Record<string, { body: unknown; query: URLSearchParams }> = {};
  const client = new PostgrestClient('http://data.invalid', {
    fetch: async (input, init) => {
      const url = new URL(String(input));
      questions[url.pathname] = { body: JSON.parse(String(init?.body)), query: url.searchParams };
      return url.pathname === '/rpc/count_case_studies'
        ? Response.json([{ category: 'all', experiments: 61, exact: true }])
        : answer();
    },
  });
  const [listed, counts] = await Promise.all([
    listExperiments(client, { ...everything, ...choice }),
    countExperiments(client, choice.words),
  ]);
  const result = { ...listed, ...counts };
  return { result, found: questions['/rpc/search_case_studies']!, counted: questions['/rpc/count_case_studies']! };
}

describe('query of the experiment list', () => {
  it.each<[what: string, choice: Partial<ListChoice>, body: object]>([
    ['one page and one more row, to know whether another follows', { page: 3, from: 3 }, { skip: 48, take: 25 }],
    ['several pages that the list shows as one', { page: 5, from: 2 }, { skip: 24, take: 97 }],
    ['a lead with the database’s value', { made: 'half' }, { made: 'half', skip: 0, take: 25 }],
  ])('requests %s', async (_, choice, body) => expect((await requestFor(choice)).found.body).toEqual(body));

  it('filters by category and search words, and counts with the same words', async () => {
    const { found, counted } = await requestFor({ category: 'ai', words: 'chai "tea" & eq.1' });
    expect(found.body).toMatchObject({ category: 'ai', words: 'chai "tea" & eq.1' });
    expect(counted.body).toEqual({ words: 'chai "tea" & eq.1' });
  });

  it('returns 24 experiments, whether more follow, and the total', async () => {
    const { result } = await requestFor({}, () => Response.json(Array(25).fill({ id: 'x' })));
    expect(result).toMatchObject({ more: true, counts: { all: { experiments: 61 } }, exact: true });
    expect(result.experiments).toHaveLength(24);
  });

  it('throws the message of the data service (ERR-01)', async () => {
    const refuse = () => Response.json({ message: 'the press is jammed', code: 'X1' }, { status: 500 });
    await expect(requestFor({}, refuse)).rejects.toThrow('API Error: the press is jammed');
  });
});

describe('list filters in the address', () => {
  const choice = (query: string) => listChoice(new URLSearchParams(query));

  it('show all experiments from the first page when the address is empty or invalid', () => {
    const pages = ['category=nonsense&page=0', 'page=1.5', 'page=-2', 'page=1e99', 'from=9'];
    for (const query of ['', 'made=robots', 'fact=Industry', "category=ai'--", 'q=%20%0A%00', ...pages])
      expect(choice(query)).toEqual(everything);
  });

  it('survive a round trip through the address', () => {
    const fact = 'industry:Food & drink';
    const wanted = { category: 'video', made: 'hand', fact, words: 'chai & “tea”', page: 4, from: 2 } as const;
    expect(choice(listAddress(wanted).split('?')[1]!)).toEqual(wanted);
    expect(listAddress({ category: null, page: 1 })).toBe('/case-studies');
  });

  it('keep one line of at most a hundred characters of a search', () => {
    expect(choice(`q=${encodeURIComponent('  two\n\tlines \u0007')}`).words).toBe('two lines');
    expect(choice(`q=${encodeURIComponent('🪔'.repeat(5000))}`).words).toBe('🪔'.repeat(100));
  });

  it('show at most four pages as one', () => {
    expect(['page=6&from=3', 'page=6&from=2', 'page=2&from=3'].map((query) => choice(query).from)).toEqual([3, 6, 2]);
  });
});

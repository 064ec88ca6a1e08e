import { PostgrestClient } from '@supabase/postgrest-js';
import { describe, expect, it } from 'vitest';
import { listAddress, listChoice, listExperiments } from './experiment-list.ts';

/** The official client, answered by hand: what it asks for is what matters here. */
async function asked(choice: Parameters<typeof listExperiments>[1], answer: () => Response = () => Response.json([])) {
  let address = new URL('http://nowhere.invalid');
  const client = new PostgrestClient('http://data.invalid', {
    fetch: async (input) => {
      address = new URL(String(input));
      return answer();
    },
  });
  return { result: await listExperiments(client, choice), query: address.searchParams };
}

describe('what the list asks for', () => {
  it('LIST-10: newest first, one page and one more row to know whether there are others', async () => {
    const { query } = await asked({ category: null, page: 3 });
    expect(query.get('order')).toBe('created_at.desc,id.desc');
    expect([query.get('offset'), query.get('limit')]).toEqual(['48', '25']);
  });

  it('LIST-29: never a draft', async () => {
    expect((await asked({ category: null, page: 1 })).query.get('status')).toBe('in.(active,completed)');
  });

  it('LIST-30: a category by what is stored', async () => {
    const { query } = await asked({ category: 'ai', page: 1 });
    expect(query.get('select')).toContain('filed:case_study_metadata!inner()');
    expect(query.get('filed.category')).toBe('eq.ai');
    expect(query.has('or')).toBe(false);
  });

  it('LIST-30: Branding and Video Production also by their word in the title', async () => {
    for (const [category, word] of [
      ['branding', 'brand'],
      ['video', 'video'],
    ] as const) {
      const { query } = await asked({ category, page: 1 });
      expect(query.get('or')).toBe(`(title.ilike.*${word}*,filed.not.is.null)`);
      expect(query.get('filed.category')).toBe(`eq.${category}`);
    }
  });

  it('LIST-31: everything, whatever its category, for All', async () => {
    const { query } = await asked({ category: null, page: 1 });
    expect([...query.keys()].filter((key) => key.startsWith('filed'))).toEqual([]);
  });

  it('gives 24 experiments and says that more follow', async () => {
    const { result } = await asked({ category: null, page: 1 }, () => Response.json(Array(25).fill({ id: 'x' })));
    expect([result.experiments.length, result.more]).toEqual([24, true]);
  });

  it('ERR-01: throws what the data service said', async () => {
    const refuse = () => Response.json({ message: 'the press is jammed', code: 'X1' }, { status: 500 });
    await expect(asked({ category: null, page: 1 }, refuse)).rejects.toThrow('API Error: the press is jammed');
  });
});

describe('the choice in the address', () => {
  const choice = (query: string) => listChoice(new URLSearchParams(query));

  it('is everything from the first page when it says nothing, or nonsense', () => {
    for (const query of ['', 'category=nonsense&page=0', 'page=1.5', 'page=-2', "category=ai'--", 'page=1e99']) {
      expect(choice(query)).toEqual({ category: null, page: 1 });
    }
  });

  it('comes back as it was written', () => {
    const wanted = { category: 'video' as const, page: 2 };
    expect(choice(listAddress(wanted).split('?')[1]!)).toEqual(wanted);
    expect(listAddress({ category: null, page: 1 })).toBe('/case-studies');
  });
});

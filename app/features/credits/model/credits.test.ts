import { describe, expect, it } from 'vitest';
import { creditLine, creditsIn, sharesIn } from './credits.ts';

describe('credits in words', () => {
  it('describes each part with its people and tools', () => {
    const lines = creditsIn([
      { part: 'Idea', made: 'hand' },
      { part: 'Film', made: 'together', people: ['Asha Rao', 'Ben Okafor'], tools: ['A model'] },
      { part: 'Code', made: 'machine', tools: ['A model', 'Vim'] },
    ]).map(creditLine);
    const together = 'by hand and machine together: Asha Rao, Ben Okafor, with A model';
    expect(lines).toEqual(['by hand', together, 'by machine, with A model, Vim']);
  });

  it('returns an empty text without credits', () => {
    expect(creditsIn(null)).toEqual([]);
    expect(sharesIn(null)).toBeNull();
    expect(sharesIn({ hand_share: null, together_share: null })).toBeNull();
    expect(sharesIn({ hand_share: 0, together_share: 0 })).toEqual({ hand: 0, together: 0 });
  });
});

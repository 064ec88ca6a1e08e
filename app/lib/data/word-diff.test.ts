import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../tests/cpu-time.ts';
import { randomNumbers } from '../../../tests/random-numbers.ts';
import { shortestDiff, wordDiff } from './word-diff.ts';

const written = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'gone' ? `[-${text}-]` : `[+${text}+]`))
    .join('');

describe('word-by-word comparison', () => {
  it.each([
    ['', '', ''],
    ['one two', 'one two', 'one two'],
    ['', 'one', '[+one+]'],
    ['one', '', '[-one-]'],
    ['We make films.', 'We make short films.', 'We make [+short +]films.'],
    ['We make short films.', 'We make films.', 'We make [-short -]films.'],
    ['red cat', 'blue cat', '[-red-][+blue+] cat'],
    ['a b c d e', 'a x c y e', 'a [-b-][+x+] c [-d-][+y+] e'],
    ['the end', 'the end!', 'the end[+!+]'],
    ['नमस्ते दुनिया', 'नमस्ते भारत', 'नमस्ते [-दुनिया-][+भारत+]'],
  ])('%j to %j', (before, after, shown) => expect(written(before, after)).toBe(shown));

  it('transforms one text into the other', () => {
    const words = ['mad', 'house', 'film', 'ink', ' ', ' ', ', ', '.\n'];
    const next = randomNumbers(7);
    const text = () => Array.from({ length: next(40) }, () => words[next(words.length)]).join('');
    for (let round = 0; round < 300; round++) {
      const [before, after] = [text(), text()];
      const pieces = wordDiff(before, after);
      const without = (kind: string) => pieces.flatMap((piece) => (piece.kind === kind ? [] : piece.text)).join('');
      expect(without('new')).toBe(before);
      expect(without('gone')).toBe(after);
    }
  });

  it('treats a rewritten sentence as one change', () => {
    expect(written('They asked the agency about sugar. Good.', 'People changed the way mirrors look. Good.')).toBe(
      '[-They asked the agency about sugar-][+People changed the way mirrors look+]. Good.',
    );
  });

  it('finds the shortest difference', () => {
    const words = (text: string) => text.match(/\S+/g) ?? [];
    const pieces = shortestDiff('a b c a b b a', 'c b a b a c');
    const same = pieces.filter(({ kind }) => kind === 'same').flatMap(({ text }) => words(text));
    expect(same).toHaveLength(4);
  });

  it('returns two long unrelated texts as rewritten within the time limit', async () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join(' ');
    const compare = () => expect(wordDiff(long('old'), long('new')).map(({ kind }) => kind)).toEqual(['gone', 'new']);
    expect(await cpuTimeOf(compare)).toBeLessThan(2000);
  });

  it('finds one changed word in a long text', () => {
    const long = Array.from({ length: 20_000 }, (_, n) => `word${n}`);
    expect(written(long.join(' '), long.with(10_000, 'other').join(' '))).toContain(' [-word10000-][+other+] ');
  });
});

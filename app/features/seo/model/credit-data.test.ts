import { expect, it } from 'vitest';
import { creditsIn } from '#features/credits/model/credits.ts';
import type { Made } from '#lib/words/credits.ts';
import { creditData } from './credit-data.ts';

const picture = (name: string, made: Made | null, alt: string | null = null) => ({
  type: 'image' as const,
  url: `/storage/v1/object/public/case-studies/images/${name}.png`,
  alt,
  made,
});

it('describes the credits in a sentence, naming each person once, and each labelled picture', () => {
  const credits = creditsIn([
    { part: 'Idea', made: 'hand', people: ['Asha Rao'] },
    { part: 'Film', made: 'machine', people: ['Asha Rao', 'Ben Okafor'], tools: ['A model'] },
  ]);
  const heron = picture('a', 'machine', 'A heron');
  const media = [heron, picture('b', null), picture('c', 'together'), picture('d', 'hand')];
  const data = creditData({ credits, shares: { hand: 50, together: 0 }, project_media: media }, 'https://a.example');
  expect(data).toEqual({
    creditText: 'Hand 50 Machine 50. Idea: by hand: Asha Rao. Film: by machine: Asha Rao, Ben Okafor, with A model.',
    contributor: ['Asha Rao', 'Ben Okafor'].map((name) => ({ '@type': 'Person', name })),
    associatedMedia: [
      ['a', 'TrainedAlgorithmicMedia', { caption: 'A heron' }] as const,
      ['c', 'CompositeWithTrainedAlgorithmicMedia', {}] as const,
      ['d', 'DigitalArt', {}] as const,
    ].map(([name, source, more]) => ({
      '@type': 'ImageObject',
      contentUrl: `https://a.example/storage/v1/object/public/case-studies/images/${name}.png`,
      ...more,
      digitalSourceType: `https://schema.org/${source}DigitalSource`,
    })),
  });
});

it('returns nothing without credits', () => {
  const unlabelled = { credits: [], shares: null, project_media: [picture('a', null)] };
  expect(creditData(unlabelled, 'https://a.example')).toEqual({});
});

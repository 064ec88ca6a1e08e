import { expect, it } from 'vitest';
import { creditsIn } from '#features/credits/model/credits.ts';
import type { Made } from '#lib/words/credits.ts';
import { creditData } from './credit-data.ts';

const host = { origin: 'https://a.example', own: true, pictureHosts: [], defaultCover: '' };
const pathOf = (name: string) =>
  `/storage/v1/object/public/case-studies/images/f0000000-0000-4000-8000-00000000000${name}.png`;
const unmeasured = { title: null, width: null, height: null, placeholder: null };
const picture = (name: string, made: Made | null, alt: string | null = null) => ({
  ...unmeasured,
  type: 'image' as const,
  url: `https://old.example${pathOf(name)}`,
  alt,
  made,
});

it('describes the credits in a sentence, naming each person once, and each labelled picture at the current origin of the site', () => {
  const credits = creditsIn([
    { part: 'Idea', made: 'hand', people: ['Asha Rao'] },
    { part: 'Film', made: 'machine', people: ['Asha Rao', 'Ben Okafor'], tools: ['A model'] },
  ]);
  const heron = picture('a', 'machine', 'A heron');
  const media = [heron, picture('b', null), picture('c', 'together'), picture('d', 'hand')];
  const data = creditData({ credits, shares: { hand: 50, together: 0 }, project_media: media }, host);
  expect(data).toEqual({
    creditText: 'Hand 50 Machine 50. Idea: by hand: Asha Rao. Film: by machine: Asha Rao, Ben Okafor, with A model.',
    contributor: ['Asha Rao', 'Ben Okafor'].map((name) => ({ '@type': 'Person', name })),
    associatedMedia: [
      ['a', 'TrainedAlgorithmicMedia', { caption: 'A heron' }] as const,
      ['c', 'CompositeWithTrainedAlgorithmicMedia', {}] as const,
      ['d', 'DigitalArt', {}] as const,
    ].map(([name, source, more]) => ({
      '@type': 'ImageObject',
      contentUrl: `https://a.example${pathOf(name)}`,
      ...more,
      digitalSourceType: `https://schema.org/${source}DigitalSource`,
    })),
  });
});

it('returns nothing without credits', () => {
  const unlabelled = { credits: [], shares: null, project_media: [picture('a', null)] };
  expect(creditData(unlabelled, host)).toEqual({});
});

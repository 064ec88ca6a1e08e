import { creditWords, type Made } from './credits.ts';

export const mediaWords = {
  caption: 'Caption',
  alt: 'What does it show?',
  altHint: 'For people who do not see it.',
  decorative: 'Decorative: nothing to say',
  says: (alt: string | null) =>
    alt === null
      ? 'What it shows: not said yet'
      : alt === ''
        ? 'Decorative: passed over by who listens'
        : `What it shows: ${alt}`,
  madeBy: 'Who made it?',
  nobodySaid: 'Not said',
  madeLine: (made: Made) => `Made ${creditWords.madeHow[made]}`,
  useAsCover: 'Use as cover',
  isCover: 'Cover',
  poster: 'Poster picture',
  posterAddress: 'Or its address',
  usePoster: 'Use it',
  removePoster: (film: string) => `Remove the poster of ${film}`,
  remove: 'Remove',
  oddAddress: 'An address starts with https:// or http://.',
  posterHint: 'What the film shows before it plays. Without one it gets a drawn plate.',
} as const;

import { creditWords, type Made } from './credits.ts';

const LOOP_FORMATS: Record<string, string> = { mp4: 'MP4', webm: 'WebM' };

export const mediaWords = {
  caption: 'Caption',
  alt: 'What does it show?',
  altHint: 'Read aloud to people who can’t see the picture.',
  decorative: 'Decorative (no description needed)',
  says: (alt: string | null) =>
    alt === null
      ? 'What it shows: not said yet'
      : alt === ''
        ? 'Decorative: skipped by screen readers'
        : `What it shows: ${alt}`,
  madeBy: 'Who made it?',
  nobodySaid: 'Not said',
  madeLine: (made: Made) => `Made ${creditWords.madeHow[made]}`,
  creditLine: (credit: string) => `Credit: ${credit}`,
  useAsCover: 'Use as cover',
  isCover: 'Cover',
  poster: 'Poster picture',
  posterAddress: 'Or its address',
  usePoster: 'Use it',
  removePoster: (film: string) => `Remove the poster of ${film}`,
  remove: 'Remove',
  oddAddress: 'An address starts with https:// or http://.',
  loop: 'Loop',
  loopHint: (formats: string[] | null) =>
    formats
      ? `Plays in place of the picture, as ${formats.map((format) => LOOP_FORMATS[format] ?? format).join(' and ')}. Both formats together reach every browser.`
      : 'A silent video of a few seconds that plays in place of the picture: MP4 or WebM, at most 4 MB.',
  noLoop: (file: string) => `${file} is neither an MP4 nor a WebM video. Export it as one of the two.`,
  loopTooLarge: (file: string) => `${file} is larger than 4 MB. A few seconds at 960 pixels are enough.`,
  loopIsThere: 'There is a loop of this format already. Remove it first.',
  loopAdded: 'The loop is added.',
  loopRemoved: 'The loop is removed.',
  savingLoop: 'Saving the loop',
  removeLoopShort: 'Remove loop',
  removeLoop: (picture: string) => `Remove loop of ${picture}`,
  compare: 'Before and after, by percent of the picture before',
  posterHint: 'Shown before the video plays. Without a poster the site shows an icon.',
} as const;

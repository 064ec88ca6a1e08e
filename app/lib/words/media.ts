import { creditWords, type Made } from './credits.ts';

const LOOP_FORMATS: Record<string, string> = { mp4: 'MP4', webm: 'WebM' };

export const mediaWords = {
  caption: 'Caption',
  alt: 'What does it show?',
  altHint: 'Read aloud to people who can’t see the picture.',
  says: (alt: string | null) =>
    alt === null
      ? 'What it shows: not said yet'
      : alt === ''
        ? 'Decorative: skipped by screen readers'
        : `What it shows: ${alt}`,
  madeLine: (made: Made) => `Made ${creditWords.madeHow[made]}`,
  useAsCover: 'Use as cover',
  isCover: 'Cover',
  poster: 'Poster picture',
  posterAddress: 'Or its address',
  loopHint: (formats: string[] | null) =>
    formats
      ? `Plays in place of the picture, as ${formats.map((format) => LOOP_FORMATS[format] ?? format).join(' and ')}. Both formats together reach every browser.`
      : 'A silent video of a few seconds that plays in place of the picture: MP4 or WebM, at most 4 MB.',
  noVideo: (file: string) => `${file} is neither an MP4 nor a WebM video. Export it as one of the two.`,
} as const;

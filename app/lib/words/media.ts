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
  noVideo: (file: string) => `${file} is neither an MP4 nor a WebM video. Export it as one of the two.`,
  loopTooLarge: (file: string) => `${file} is larger than 4 MB. A few seconds at 960 pixels are enough.`,
  loopIsThere: 'There is a loop of this format already. Remove it first.',
  loopAdded: 'The loop is added.',
  loopRemoved: 'The loop is removed.',
  savingLoop: 'Saving the loop',
  removeLoop: 'Remove loop',
  removeOf: (label: string, of: string) => `${label} of ${of}`,
  filmFile: 'Or a video file',
  filmHint: 'MP4 (H.264) or WebM, up to 200 MB. An upload that is interrupted continues where it stopped.',
  filmTooLarge: (file: string, size: string) =>
    `${file} is ${size}; a video can be 200 MB at most. Export it smaller, or add its YouTube or Vimeo address.`,
  filmIsHevc: (file: string) =>
    `${file} is encoded as HEVC (H.265), which not every browser plays. Export it as H.264 (MP4) and choose it again.`,
  filmUnfinished: (file: string) => `${file} is not completely uploaded. Choose it again to continue.`,
  discard: 'Discard',
  discardFilm: (file: string) => `Discard ${file}`,
  useMoment: 'Use this moment as poster',
  momentHint: 'Play to a moment or move to it, then take it as the poster.',
  noMoment: 'There is no picture of this moment yet. Play the video first, or choose a picture file.',
  captions: 'Captions',
  captionsHint: (has: boolean) =>
    has
      ? 'The video has captions. Another file replaces them.'
      : 'Speech and sounds as text: a WebVTT file (.vtt) of at most 1 MB.',
  captionsTooLarge: (file: string) =>
    `${file} is larger than 1 MB. Choose the WebVTT file alone, without pictures or fonts.`,
  captionsSaved: 'The captions are saved.',
  captionsRemoved: 'The captions are removed.',
  savingCaptions: 'Saving the captions',
  removeCaptions: 'Remove captions',
  hasCaptions: (has: boolean) => (has ? 'With captions' : 'No captions yet'),
  compare: 'Before and after, by percent of the picture before',
  posterHint: 'Shown before the video plays. Without a poster the site shows an icon.',
} as const;

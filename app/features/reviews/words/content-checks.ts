import { submissionWords } from '#features/submissions/words/submission.ts';

type Text = 'brief' | 'understanding' | 'actions' | 'impact';

const shortened = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

export const contentWords = {
  title: (count: number) => (count === 1 ? '1 thing could be better' : `${count} things could be better`),
  none: 'Nothing left to improve: every picture says what it shows, and the texts are in order.',
  forSubmitter:
    'They help people who do not see the pictures, or who listen to the texts. You can submit without them.',
  forReviewer: 'Readers who do not see the pictures, or who listen to the texts, would miss them.',
  goThere: 'Go there',
  fix: 'Fix it',
  loading: 'Loading…',
  noAlt: (name: string) => `${name} does not say what it shows.`,
  fileNameAlt: (name: string) => `${name} says only the name of its file, not what it shows.`,
  pictureInText: (text: Text) => `A picture in “${submissionWords[text]}” does not say what it shows.`,
  fileNameInText: (text: Text, alt: string) =>
    `A picture in “${submissionWords[text]}” says only the name of its file: ${shortened(alt)}.`,
  skippedHeading: (text: Text, from: number, to: number) =>
    `In “${submissionWords[text]}” a heading ${to} follows a heading ${from}. Use a heading ${from + 1} between them.`,
  emptyLink: (text: Text) => `A link in “${submissionWords[text]}” has no text.`,
  addressLink: (text: Text, label: string) =>
    `A link in “${submissionWords[text]}” shows only its address: ${shortened(label)}. Say where it leads instead.`,
} as const;

import { submissionWords } from '#features/submissions/words/submission.ts';

type Text = 'brief' | 'understanding' | 'actions' | 'impact';

const shortened = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

export const contentWords = {
  title: (count: number) => (count === 1 ? '1 thing could be better' : `${count} things could be better`),
  goThere: 'Go there',
  fix: 'Fix it',
  pictureInText: (text: Text) => `A picture in “${submissionWords[text]}” does not say what it shows.`,
  fileNameInText: (text: Text, alt: string) =>
    `A picture in “${submissionWords[text]}” says only the name of its file: ${shortened(alt)}.`,
  skippedHeading: (text: Text, from: number, to: number) =>
    `In “${submissionWords[text]}” a heading ${to} follows a heading ${from}. Use a heading ${from + 1} between them.`,
  emptyLink: (text: Text) => `A link in “${submissionWords[text]}” has no text.`,
  addressLink: (text: Text, label: string) =>
    `A link in “${submissionWords[text]}” shows only its address: ${shortened(label)}. Say where it leads instead.`,
} as const;

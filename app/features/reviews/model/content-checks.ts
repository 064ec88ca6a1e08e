import type { Media } from '#features/media/model/media.ts';
import { isFileName, numberedName } from '#features/media/model/titles.ts';
import type { Project } from '#features/projects/model/read.ts';
import { type SubmissionText, TEXTS } from '#features/submissions/model/submission.ts';
import { submissionWords } from '#features/submissions/words/submission.ts';
import { plainText } from '#lib/data/html-to-text.ts';

export interface CheckedContent extends Record<SubmissionText, string | null> {
  media: readonly { type: Media['type']; id: string; alt: string | null; name: string }[];
}

export type ContentPlace =
  | { media: string }
  /** `at`: index of the heading, link or picture in the text, from 0. */
  | { text: SubmissionText; kind: 'heading' | 'link' | 'picture'; at: number };

export type TextPlace = Extract<ContentPlace, { text: SubmissionText }>;

/** A place in a text as a URL fragment, such as `brief-link-2`. */
export const hashOf = ({ text, kind, at }: TextPlace): string => `${text}-${kind}-${at + 1}`;

const HASH = /^#?(brief|understanding|actions|impact)-(heading|link|picture)-(\d{1,4})$/;

export function placeIn(hash: string): TextPlace | null {
  const [, text, kind, number] = HASH.exec(hash) ?? [];
  return text ? { text: text as SubmissionText, kind: kind as TextPlace['kind'], at: Number(number) - 1 } : null;
}

export interface ContentCheck {
  /** Stable for as long as the problem stays in the same place. */
  id: string;
  words: string;
  place: ContentPlace;
}

/** In the order of the form: missing image descriptions, skipped heading levels, and links whose text says nothing. */
export const contentChecks = (content: CheckedContent): ContentCheck[] => [
  ...content.media.flatMap(checkMedia),
  ...TEXTS.flatMap((text) => checkText(text, content[text] ?? '')),
];

export function experimentChecks(experiment: Project): ContentCheck[] {
  const media = experiment.project_media.map((item, place) => ({ ...item, name: numberedName(item, place) }));
  return contentChecks({ ...experiment, media });
}

function checkMedia({ type, id, alt, name }: CheckedContent['media'][number]): ContentCheck[] {
  if (type !== 'image') return [];
  const problem =
    alt === null
      ? `${name} does not say what it shows.`
      : isFileName(alt) && `${name} says only the name of its file, not what it shows.`;
  return problem ? [{ id: `alt ${id}`, words: problem, place: { media: id } }] : [];
}

/** A start or end tag in HTML as the editor and the sanitizer produce it. */
const TAG = /<(\/?)(h[1-6]|a|img)\b((?:"[^"]*"|[^"<>])*)>/g;
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^[\w-]+(?:\.[\w-]+)+\/\S+$/i;

const shortened = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

function checkText(text: SubmissionText, html: string): ContentCheck[] {
  const checks: ContentCheck[] = [];
  const name = `“${submissionWords[text]}”`;
  const counts = { heading: 0, link: 0, picture: 0 };
  const add = (kind: keyof typeof counts, words: string) =>
    checks.push({ id: `${kind} ${text} ${counts[kind]} ${words}`, words, place: { text, kind, at: counts[kind] } });
  let level = 0;
  let link: { from: number; pictures: boolean } | null = null;
  for (const { 0: tag, 1: end, 2: element = '', 3: attributes = '', index } of html.matchAll(TAG)) {
    if (element === 'img') {
      const alt = plainText(/\balt="([^"]*)"/.exec(attributes)?.[1] ?? '');
      if (alt === '') add('picture', `A picture in ${name} does not say what it shows.`);
      else if (isFileName(alt))
        add('picture', `A picture in ${name} says only the name of its file: ${shortened(alt)}.`);
      if (link && alt !== '') link.pictures = true;
      counts.picture++;
    } else if (element === 'a') {
      if (!end) link = { from: index + tag.length, pictures: false };
      else if (link) {
        const label = plainText(html.slice(link.from, index)).replace(/[\u200b\ufeff]/g, '');
        if (label === '' && !link.pictures) add('link', `A link in ${name} has no text.`);
        else if (ADDRESS.test(label))
          add('link', `A link in ${name} shows only its address: ${shortened(label)}. Say where it leads instead.`);
        counts.link++;
        link = null;
      }
    } else if (!end) {
      const headingLevel = Number(element.slice(1));
      const skips = `In ${name} a heading ${headingLevel} follows a heading ${level}. Use a heading ${level + 1} between them.`;
      if (level > 0 && headingLevel > level + 1) add('heading', skips);
      level = headingLevel;
      counts.heading++;
    }
  }
  return checks;
}

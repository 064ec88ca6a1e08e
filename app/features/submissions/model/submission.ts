import { type CreditRow, creditsProblem } from '#features/credits/model/rows.ts';
import { numberedName } from '#features/media/model/titles.ts';
import { tagsProblem } from '#features/projects/model/tags.ts';
import { isEmail, MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { LARGEST_TEXT, LONGEST_CAPTION, LONGEST_LINE, lengthOf } from '#lib/data/limits.ts';
import type { Category } from '#lib/words/categories.ts';
import type { Made } from '#lib/words/credits.ts';
import { submissionWords as words } from '../words/submission.ts';

/** Content of the submit page. Rich texts are HTML; '' when empty. */
export interface Submission {
  title: string;
  client: string;
  category: Category | '';
  tags: string[];
  brief: string;
  understanding: string;
  actions: string;
  impact: string;
  credits: CreditRow[];
  /** Email address for replies; '' when not given. */
  contact: string;
  media: MediaItem[];
}

export interface Located {
  id: string;
  url: string;
  isUploading: boolean;
  file: ChosenFile | null;
}

export interface MediaItem extends Located {
  type: 'image' | 'video';
  caption: string;
  /** '' when decorative, null while unset. */
  alt: string | null;
  made: Made | null;
  isCover: boolean;
  /** Only for a video: shown before it plays. */
  poster: Located | null;
}

export interface ChosenFile {
  name: string;
  /** Bytes. */
  size: number;
  contentType: string;
  path: string;
  /** ms since 1970; null until uploaded. */
  uploadedAt: number | null;
  failure: { message: string; final: boolean; lost: boolean } | null;
}

/** Defaults, also for items stored by an older release. */
export const unsaid = { caption: '', alt: null, made: null, isCover: false, poster: null } as const;

export const isThere = ({ url, isUploading }: Located): boolean => url !== '' && !isUploading;

export const locatedIn = (media: readonly MediaItem[]): Located[] =>
  media.flatMap((item) => (item.poster ? [item, item.poster] : [item]));

export const wordsOf = ({ type, caption, alt, made, isCover, poster }: MediaItem) => ({
  title: caption.trim() || null,
  alt: alt === '' ? '' : alt?.trim() || null,
  made,
  poster: type === 'video' && poster && isThere(poster) ? poster.url : null,
  is_cover: type === 'image' && isCover,
});

export const coverIn = (media: readonly MediaItem[]): MediaItem | null => {
  const pictures = media.filter(({ type }) => type === 'image');
  return pictures.find(({ isCover }) => isCover) ?? pictures[0] ?? null;
};

const STORED = '/storage/v1/object/public/';

/** The item's name on the form. A stored picture's address means nothing to people. @param place from 0 */
export const nameOfItem = ({ file, type, url, caption }: MediaItem, place: number): string =>
  file?.name ?? (url.includes(STORED) ? numberedName({ type, title: caption }, place) : url);

export const TEXTS = ['brief', 'understanding', 'actions', 'impact'] as const;
export type SubmissionText = (typeof TEXTS)[number];
export type RequiredField = 'title' | 'media' | SubmissionText;
export type CheckedField = RequiredField | 'client' | 'contact' | 'tags' | 'credits';

export interface SubmissionProblem {
  field: CheckedField;
  message: string;
  item?: string | undefined;
}

export const emptySubmission = (): Submission => ({
  title: '',
  client: '',
  category: '',
  tags: [],
  brief: '',
  understanding: '',
  actions: '',
  impact: '',
  credits: [],
  contact: '',
  media: [],
});

type Check = (submission: Submission) => Omit<SubmissionProblem, 'field'> | null;

const REQUIRED: Record<RequiredField, { message: string; passes: (submission: Submission) => boolean }> = {
  title: { message: words.titleRequired, passes: ({ title }) => title.trim() !== '' },
  media: { message: words.mediaRequired, passes: ({ media }) => media.length > 0 },
  brief: { message: words.briefRequired, passes: ({ brief }) => !isEmptyText(brief) },
  understanding: { message: words.understandingRequired, passes: (s) => !isEmptyText(s.understanding) },
  actions: { message: words.actionsRequired, passes: ({ actions }) => !isEmptyText(actions) },
  impact: { message: words.impactRequired, passes: ({ impact }) => !isEmptyText(impact) },
};

const required =
  (field: RequiredField, check: Check): Check =>
  (submission) =>
    REQUIRED[field].passes(submission) ? check(submission) : REQUIRED[field];

const longLine = (label: string, text: string, limit: number) =>
  lengthOf(text) > limit ? { message: words.tooLong(label, limit) } : null;

const longText =
  (field: SubmissionText): Check =>
  (submission) =>
    new TextEncoder().encode(submission[field]).length > LARGEST_TEXT
      ? { message: words.textTooLong(words[field], LARGEST_TEXT / 1024) }
      : null;

const CHECKS: Record<CheckedField, Check> = {
  title: required('title', ({ title }) => longLine(words.title, title, LONGEST_LINE)),
  client: ({ client }) => longLine(words.client, client, LONGEST_LINE),
  tags: ({ tags }) => asProblem(tagsProblem(tags)),
  media: required('media', ({ media }) => longCaption(media)),
  brief: required('brief', longText('brief')),
  understanding: required('understanding', longText('understanding')),
  actions: required('actions', longText('actions')),
  impact: required('impact', longText('impact')),
  credits: ({ credits }) => creditsProblem(credits),
  contact: ({ contact }) =>
    longLine(words.contactName, contact, MAX_EMAIL_LENGTH) ??
    (isReachable(contact) ? null : { message: words.contactOdd }),
};

const asProblem = (message: string | null) => (message === null ? null : { message });

function longCaption(media: readonly MediaItem[]): Omit<SubmissionProblem, 'field'> | null {
  for (const [place, item] of media.entries()) {
    const name = nameOfItem(item, place);
    const problem =
      longLine(words.captionOf(name), item.caption, LONGEST_CAPTION) ??
      longLine(words.altOf(name), item.alt ?? '', LONGEST_CAPTION);
    if (problem) return { ...problem, item: item.id };
  }
  return null;
}

export function problemWith(submission: Submission, field: CheckedField): SubmissionProblem | null {
  const problem = CHECKS[field](submission);
  return problem && { field, message: problem.message, item: problem.item };
}

export function firstProblem(submission: Submission): SubmissionProblem | null {
  for (const field of Object.keys(CHECKS) as CheckedField[]) {
    const problem = problemWith(submission, field);
    if (problem) return problem;
  }
  return null;
}

const isReachable = (contact: string): boolean => {
  const address = contact.trim();
  return address === '' || isEmail(address);
};

export const checklist = (submission: Submission): { field: RequiredField; done: boolean }[] =>
  (Object.keys(REQUIRED) as RequiredField[]).map((field) => ({ field, done: REQUIRED[field].passes(submission) }));

/** True for markup without words, pictures or videos, such as one empty paragraph. */
export function isEmptyText(html: string): boolean {
  if (/<(?:img|iframe)\b/i.test(html)) return false;
  return html.replace(/<[^<>]*>/g, '').replace(/&nbsp;|[\s\u200b\ufeff]/g, '') === '';
}

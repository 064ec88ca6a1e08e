import type { Category } from '../../copy/categories.ts';
import type { Made } from '../../copy/credits.ts';
import { submissionWords as words } from '../../copy/submission.ts';
import { type CreditRow, creditsProblem } from '../credits/rows.ts';
import { isEmail, LONGEST_EMAIL } from '../data/email.ts';
import { LARGEST_TEXT, LONGEST_CAPTION, LONGEST_LINE, lengthOf } from '../data/limits.ts';
import { numberedName } from '../media/titles.ts';
import { tagsProblem } from '../project/tags.ts';

/** What one person writes and chooses on the submit page. Rich texts are HTML; '' means nothing was written. */
export interface Submission {
  title: string;
  client: string;
  category: Category | '';
  tags: string[];
  brief: string;
  understanding: string;
  actions: string;
  impact: string;
  /** Who made what; nobody has to say. */
  credits: CreditRow[];
  /** Where the submitter can be reached; '' when they do not say. */
  contact: string;
  media: MediaItem[];
}

/** A picture that is somewhere already, or a file on its way there. */
export interface Located {
  /** UUID. */
  id: string;
  /** Remote address; '' until the file is uploaded. */
  url: string;
  isUploading: boolean;
  /** Only where it was made from a file of this device. */
  file: ChosenFile | null;
}

/** A picture or video of a submission, in the order of the page. Its id is also that of the record made from it. */
export interface MediaItem extends Located {
  type: 'image' | 'video';
  caption: string;
  /** What it shows; '' when it is decorative, null while nobody has said. */
  alt: string | null;
  made: Made | null;
  /** Chosen to stand for the whole; where none is, the first picture does. */
  isCover: boolean;
  /** Only of a video: what it shows before it plays. */
  poster: Located | null;
}

export interface ChosenFile {
  name: string;
  /** Bytes. */
  size: number;
  contentType: string;
  /** Where it goes inside the bucket. */
  path: string;
  /** ms since 1970; null until uploaded. */
  uploadedAt: number | null;
  /** Why the last try failed; null when none did. */
  failure: { message: string; final: boolean; lost: boolean } | null;
}

/** What nobody has said of an item yet. A device may have kept it by a page that knew less. */
export const unsaid = { caption: '', alt: null, made: null, isCover: false, poster: null } as const;

/** True for what can be stored: it has an address, and nothing of it is on its way. */
export const isThere = ({ url, isUploading }: Located): boolean => url !== '' && !isUploading;

/** The items, and the posters of those that have one. */
export const locatedIn = (media: readonly MediaItem[]): Located[] =>
  media.flatMap((item) => (item.poster ? [item, item.poster] : [item]));

/** What is said about an item, as it is stored. */
export const wordsOf = ({ type, caption, alt, made, isCover, poster }: MediaItem) => ({
  title: caption.trim() || null,
  alt: alt === '' ? '' : alt?.trim() || null,
  made,
  poster: type === 'video' && poster && isThere(poster) ? poster.url : null,
  is_cover: type === 'image' && isCover,
});

/** The picture that stands for the whole, as things are; null without pictures. */
export const coverIn = (media: readonly MediaItem[]): MediaItem | null => {
  const pictures = media.filter(({ type }) => type === 'image');
  return pictures.find(({ isCover }) => isCover) ?? pictures[0] ?? null;
};

const STORED = '/storage/v1/object/public/';

/** What an item is called on the form. The address of an uploaded picture tells nobody anything. @param place from 0 */
export const nameOfItem = ({ file, type, url, caption }: MediaItem, place: number): string =>
  file?.name ?? (url.includes(STORED) ? numberedName({ type, title: caption }, place) : url);

export const TEXTS = ['brief', 'understanding', 'actions', 'impact'] as const;
export type SubmissionText = (typeof TEXTS)[number];
export type RequiredField = 'title' | 'media' | SubmissionText;
export type CheckedField = RequiredField | 'client' | 'contact' | 'tags' | 'credits';

/** Why a submission is not sent. */
export interface SubmissionProblem {
  field: CheckedField;
  message: string;
  /** Id of the media item that it is about. */
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

/** What can be wrong with each field, in the order of the page. */
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
    longLine(words.contactName, contact, LONGEST_EMAIL) ??
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

/** What is wrong with one field; null when it may be sent. */
export function problemWith(submission: Submission, field: CheckedField): SubmissionProblem | null {
  const problem = CHECKS[field](submission);
  return problem && { field, message: problem.message, item: problem.item };
}

/** The first thing that is wrong, in the order of the page; null when the submission may be sent. */
export function firstProblem(submission: Submission): SubmissionProblem | null {
  for (const field of Object.keys(CHECKS) as CheckedField[]) {
    const problem = problemWith(submission, field);
    if (problem) return problem;
  }
  return null;
}

/** True for an email address, and for none. */
const isReachable = (contact: string): boolean => {
  const address = contact.trim();
  return address === '' || isEmail(address);
};

/** Which required parts are there already, in the order of the page. */
export const checklist = (submission: Submission): { field: RequiredField; done: boolean }[] =>
  (Object.keys(REQUIRED) as RequiredField[]).map((field) => ({ field, done: REQUIRED[field].passes(submission) }));

/** True for markup without words, pictures or videos, such as one empty paragraph. */
export function isEmptyText(html: string): boolean {
  if (/<(?:img|iframe)\b/i.test(html)) return false;
  return html.replace(/<[^<>]*>/g, '').replace(/&nbsp;|[\s\u200b\ufeff]/g, '') === '';
}

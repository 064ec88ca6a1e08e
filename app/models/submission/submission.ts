import type { Category } from '../../copy/categories.ts';
import type { Made } from '../../copy/credits.ts';
import { submissionWords as words } from '../../copy/submission.ts';
import { type CreditRow, creditsProblem } from '../credits/rows.ts';
import { isEmail } from '../data/email.ts';
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
export type CheckedField = RequiredField | 'contact' | 'tags' | 'credits';

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

const CHECKS: { field: RequiredField; message: string; passes: (submission: Submission) => boolean }[] = [
  { field: 'title', message: words.titleRequired, passes: ({ title }) => title.trim() !== '' },
  { field: 'media', message: words.mediaRequired, passes: ({ media }) => media.length > 0 },
  { field: 'brief', message: words.briefRequired, passes: ({ brief }) => !isEmptyText(brief) },
  { field: 'understanding', message: words.understandingRequired, passes: (s) => !isEmptyText(s.understanding) },
  { field: 'actions', message: words.actionsRequired, passes: ({ actions }) => !isEmptyText(actions) },
  { field: 'impact', message: words.impactRequired, passes: ({ impact }) => !isEmptyText(impact) },
];

/** The first thing that is missing, in the order of the page; null when the submission may be sent. */
export function firstProblem(submission: Submission): { field: CheckedField; message: string } | null {
  const missing = CHECKS.find(({ passes }) => !passes(submission));
  if (missing) return missing;
  const tags = tagsProblem(submission.tags);
  if (tags) return { field: 'tags', message: tags };
  const credits = creditsProblem(submission.credits);
  if (credits) return { field: 'credits', message: credits.message };
  return isReachable(submission.contact) ? null : { field: 'contact', message: words.contactOdd };
}

/** True for an e-mail address, and for none. */
const isReachable = (contact: string): boolean => {
  const address = contact.trim();
  return address === '' || isEmail(address);
};

/** Which required parts are there already, in the order of the page. */
export const checklist = (submission: Submission): { field: RequiredField; done: boolean }[] =>
  CHECKS.map(({ field, passes }) => ({ field, done: passes(submission) }));

/** True for markup without words, pictures or videos, such as one empty paragraph. */
export function isEmptyText(html: string): boolean {
  if (/<(?:img|iframe)\b/i.test(html)) return false;
  return html.replace(/<[^<>]*>/g, '').replace(/&nbsp;|[\s\u200b\ufeff]/g, '') === '';
}

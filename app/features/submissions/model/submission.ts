import { creditsProblem, hasNoCredits } from '#features/credits/model/rows.ts';
import { type Media, STORED, storedAlt } from '#features/media/model/media.ts';
import { numberedName } from '#features/media/model/titles.ts';
import type { ProjectFields } from '#features/projects/model/fields.ts';
import { tagsProblem } from '#features/projects/model/tags.ts';
import { isEmail, MAX_EMAIL_LENGTH } from '#lib/data/email.ts';
import { lengthOf, MAX_CAPTION_LENGTH, MAX_LINE_LENGTH, MAX_MEDIA, MAX_TEXT_BYTES } from '#lib/data/limits.ts';
import type { Made } from '#lib/words/credits.ts';
import { submissionWords as words } from '../words/submission.ts';

type SharedField = 'title' | 'client' | 'category' | 'tags' | 'understanding' | 'actions' | 'impact' | 'credits';

/** Content of the submit page. Rich texts are HTML; '' when empty. */
export interface Submission extends Pick<ProjectFields, SharedField> {
  brief: string;
  /** Email address for replies; '' when not given. */
  contact: string;
  note: string;
  media: MediaItem[];
}

export type MediaSource = { id: string; url: string; isUploading: boolean; file: ChosenFile | null };

export interface MediaItem extends MediaSource {
  type: Media['type'];
  caption: string;
  /** '' when decorative, null while unset. */
  alt: string | null;
  made: Made | null;
  isCover: boolean;
  /** Only for a video: shown before it plays. */
  poster: MediaSource | null;
}

export type MediaDescription = Partial<Pick<MediaItem, 'caption' | 'alt' | 'made' | 'poster'>>;

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

export const undescribed = { caption: '', alt: null, made: null, isCover: false, poster: null } as const;

export const isUploaded = ({ url, isUploading }: MediaSource): boolean => url !== '' && !isUploading;

export const sourcesIn = (media: readonly MediaItem[]): MediaSource[] =>
  media.flatMap((item) => (item.poster ? [item, item.poster] : [item]));

/** Uploaded with its poster. */
export const isWhole = (item: MediaItem): boolean => sourcesIn([item]).every(isUploaded);

export const descriptionOf = ({ type, caption, alt, made, isCover, poster }: MediaItem) => ({
  title: caption.trim() || null,
  alt: storedAlt(alt),
  made,
  poster: type === 'video' && poster && isUploaded(poster) ? poster.url : null,
  is_cover: type === 'image' && isCover,
});

/** Name of an item in the form; the address of a stored picture is not shown. @param place from 0 */
export const nameOfItem = ({ file, type, url, caption }: MediaItem, place: number): string =>
  file?.name ?? (url.includes(STORED) ? numberedName({ type, title: caption }, place) : url);

export const TEXTS = ['brief', 'understanding', 'actions', 'impact'] as const;
export type SubmissionText = (typeof TEXTS)[number];
export type RequiredField = 'title' | 'media' | SubmissionText;
export type CheckedField = keyof typeof SUBMISSION_FIELDS;

const text = (label: string, hint: string, required: string) => ({ label, hint, limit: MAX_TEXT_BYTES, required });

/** In the order of the form; the first failing check is reported. `limit` in characters, of the texts in bytes. */
export const SUBMISSION_FIELDS = {
  title: { label: words.title, limit: MAX_LINE_LENGTH, required: 'Project title is required' },
  client: { label: words.client, hint: 'Leave it empty if the client is confidential.', limit: MAX_LINE_LENGTH },
  tags: { label: 'Tags' },
  media: { label: 'One picture or video', required: 'At least one media item is required' },
  brief: text(words.brief, 'What was asked, by whom, and why.', 'Brief is required'),
  understanding: text(words.understanding, 'What the real problem turned out to be.', 'Understanding is required'),
  actions: text(words.actions, 'Which hands and which machines did what.', 'Actions taken are required'),
  impact: text(words.impact, 'What changed. Numbers if you have them.', 'Impact description is required'),
  credits: { label: 'Credits' },
  contact: {
    label: 'Where can we reach you?',
    hint: 'Your email address, if we may write to you about this experiment. Only our reviewers see it, and we delete it after we’ve replied.',
    limit: MAX_EMAIL_LENGTH,
  },
};

const FIELDS = Object.keys(SUBMISSION_FIELDS) as CheckedField[];
export const REQUIRED_FIELDS = FIELDS.filter((name): name is RequiredField => 'required' in SUBMISSION_FIELDS[name]);

export type SubmissionProblem = { field: CheckedField; message: string; item?: string };

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
  note: '',
  media: [],
});

export function isFilled(submission: Submission, field: RequiredField): boolean {
  if (field === 'title') return submission.title.trim() !== '';
  return field === 'media' ? submission.media.length > 0 : !isEmptyText(submission[field]);
}

export function problemWith(submission: Submission, field: CheckedField): SubmissionProblem | null {
  const problem = checkField(submission, field);
  return typeof problem === 'string' ? { field, message: problem } : problem;
}

function checkField(submission: Submission, field: CheckedField): SubmissionProblem | string | null {
  if (field === 'tags') return tagsProblem(submission.tags);
  if (field === 'credits') return creditsProblem(submission.credits)?.message ?? null;
  if (field === 'contact') return checkContact(submission.contact);
  if (field !== 'client' && !isFilled(submission, field)) return SUBMISSION_FIELDS[field].required;
  if (field === 'media') return checkMedia(submission.media);
  const { label, limit } = SUBMISSION_FIELDS[field];
  if (field === 'title' || field === 'client') return checkLine(label, submission[field], limit);
  return new TextEncoder().encode(submission[field]).length > limit
    ? `${label} is longer than ${limit / 1024} KB. Nothing was cut off; please shorten it, or take pictures out of the text.`
    : null;
}

const checkLine = (label: string, text: string, limit: number): string | null =>
  lengthOf(text) > limit
    ? `${label} is too long: at most ${limit} characters. Nothing was cut off; please shorten it.`
    : null;

function checkContact(contact: string): string | null {
  const address = contact.trim();
  const problem = checkLine('Your email address', contact, SUBMISSION_FIELDS.contact.limit);
  if (problem || address === '' || isEmail(address)) return problem;
  return 'This does not look like an email address. Leave the field empty if you would rather not be written to.';
}

function checkMedia(media: readonly MediaItem[]): SubmissionProblem | string | null {
  if (media.length > MAX_MEDIA) return `An experiment holds at most ${MAX_MEDIA} media items. Please remove some.`;
  for (const [place, item] of media.entries())
    for (const part of ['caption', 'alt'] as const) {
      const label = `The ${part === 'caption' ? 'caption' : 'description'} of ${nameOfItem(item, place)}`;
      const message = checkLine(label, item[part] ?? '', MAX_CAPTION_LENGTH);
      if (message) return { field: 'media', message, item: item.id };
    }
  return null;
}

export const firstProblem = (submission: Submission): SubmissionProblem | null =>
  FIELDS.map((field) => problemWith(submission, field)).find((problem) => problem !== null) ?? null;

/** True for markup without words, pictures or videos, such as one empty paragraph. */
export function isEmptyText(html: string): boolean {
  if (/<(?:img|iframe)\b/i.test(html)) return false;
  return html.replace(/<[^<>]*>/g, '').replace(/&nbsp;|[\s\u200b\ufeff]/g, '') === '';
}

/** Compares what was written, without the state of uploads. */
export const isSameContent = (one: Submission, two: Submission): boolean =>
  JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(two));

const contentOf = ({ media, credits, ...fields }: Submission) => ({
  ...Object.fromEntries(Object.entries(fields).sort().map(withoutEmptyText)),
  credits: hasNoCredits(credits) ? [] : credits,
  media: media.map(({ id, type, url, file, caption, alt, made, isCover, poster }) => [
    [id, type, caption, alt, made, isCover],
    file ? null : url,
    poster && (poster.file ? poster.id : poster.url),
  ]),
});

const withoutEmptyText = ([name, value]: [string, unknown]) =>
  [name, typeof value === 'string' && isEmptyText(value) ? '' : value] as const;

import type { Media } from './media.ts';

const ENDING = /\.(?:jpe?g|jfif|png|gif|webp|avif|heic|heif|bmp|svg|tiff?|mp4|m4v|mov|webm|ogv)$/i;
/** Letters, digits, hyphens and underscores in a chain, as files are named: `harbour-at-dawn`, `logo_final_2`. */
const CHAIN = /^[a-z\d]+(?:_[\w-]*|(?:-[a-z\d]+){2,})$/i;
/** What cameras, phones and drawing programs call what they make. */
const BY_MACHINE =
  /^(?:(?:img|dscn?|dscf|pxl|mvi|vid|gopr|screen ?shot|whatsapp image|unnamed|image|photo|picture|untitled|scan)[\s_-]*\(?\d[\w\s().-]*|untitled|unnamed|[\da-f-]{24,})$/i;

/** True for the name of a file where words about a picture belong. */
export const isFileName = (words: string): boolean =>
  [ENDING, CHAIN, BY_MACHINE].some((shape) => shape.test(words.trim()));

/** A file's name without its ending: what a picture is called until somebody gives it a title. */
export const titleFromFile = (name: string): string | null => name.replace(ENDING, '').trim().slice(0, 500) || null;

type Worded = Pick<Media, 'title' | 'description' | 'alt'>;

/** The title, unless it is only the name of a file, which tells a reader nothing. */
export const titleOf = ({ title }: Pick<Media, 'title'>): string => (title && !isFileName(title) ? title.trim() : '');

const KIND = { image: 'Picture', video: 'Film', demo: 'Demo' } as const;

/** What an item is called where there are several, such as `Picture 2 “Harbour”`. @param place from 0 */
export const numberedName = (media: Pick<Media, 'type' | 'title'>, place: number): string =>
  [`${KIND[media.type]} ${place + 1}`, titleOf(media) && `“${titleOf(media)}”`].filter(Boolean).join(' ');

/** What is read under it: title and caption; '' when there are none. */
export const captionOf = (media: Pick<Worded, 'title' | 'description'>): string =>
  [titleOf(media), media.description?.trim()].filter(Boolean).join('. ');

/**
 * What who does not see a picture is told of it; '' for a decorative one.
 * @param name what it is called when nobody has said anything about it
 */
export const altOf = (media: Pick<Worded, 'title' | 'alt'>, name: string): string =>
  media.alt ?? (titleOf(media) || name);

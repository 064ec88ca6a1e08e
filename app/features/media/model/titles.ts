import type { Media } from './media.ts';

const ENDING = /\.(?:jpe?g|jfif|png|gif|webp|avif|heic|heif|bmp|svg|tiff?|mp4|m4v|mov|webm|ogv)$/i;
const CHAIN = /^[a-z\d]+(?:_[\w-]*|(?:-[a-z\d]+){2,})$/i;
const CAMERA_FILE_NAME =
  /^(?:(?:img|dscn?|dscf|pxl|mvi|vid|gopr|screen ?shot|whatsapp image|unnamed|image|photo|picture|untitled|scan)[\s_-]*\(?\d[\w\s().-]*|untitled|unnamed|[\da-f-]{24,})$/i;

export const isFileName = (words: string): boolean =>
  [ENDING, CHAIN, CAMERA_FILE_NAME].some((shape) => shape.test(words.trim()));

export const titleFromFile = (name: string): string | null => name.replace(ENDING, '').trim().slice(0, 500) || null;

/** The title, or an empty text when it is only a file name. */
export const titleOf = ({ title }: Pick<Media, 'title'>): string => (title && !isFileName(title) ? title.trim() : '');

const KIND = { image: 'Picture', video: 'Video', demo: 'Demo' } as const;

/** A name among several, such as `Picture 2 “Harbour”`. @param place from 0 */
export const numberedName = (media: Pick<Media, 'type' | 'title'>, place: number): string =>
  [`${KIND[media.type]} ${place + 1}`, titleOf(media) && `“${titleOf(media)}”`].filter(Boolean).join(' ');

export const captionOf = (media: Pick<Media, 'title' | 'description'>): string =>
  [titleOf(media), media.description?.trim()].filter(Boolean).join('. ');

export const altOf = (media: Pick<Media, 'title' | 'alt'>, name: string) => media.alt ?? (titleOf(media) || name);

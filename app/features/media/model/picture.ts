import { type Media, STORED } from './media.ts';

export interface PictureHost {
  origin: string;
  /** Whether it is our own backend, which renders image widths. */
  own: boolean;
  pictureHosts: readonly string[];
  defaultCover: string;
}

export interface PictureSources {
  /** Address of the uploaded image; root-relative when it is ours. */
  src: string;
  /** `bucket/path` with its query when our backend can render widths of it. */
  object: string | null;
  /** Has several frames, of which variants show the first. */
  moves: boolean;
  /** Addresses of one silent film in several formats, which is shown in the picture's place. */
  loops: string[];
  width: number | null;
  height: number | null;
  placeholder: string | null;
}

const PICTURE_FILE = /case-studies\/images\/([\da-f-]{36})\.\w+$/;
const FILM_FILE = /\/storage\/v1\/object\/public\/films\/([\da-f-]{36})\.(mp4|webm)$/;
const RENDERED = /\.(jpe?g|png|gif|webp|avif)$/i;
const ANIMATED_EXTENSION = /\.(gif|webp)$/i;

/** Our own files are recognized by path, as in the database, and lose their origin, because the site may move. */
export function pictureOf(
  media: Pick<Media, 'url' | 'width' | 'height' | 'placeholder' | 'made' | 'animated' | 'loops'>,
  host: PictureHost,
): PictureSources {
  const { width, height, placeholder, made } = media;
  const path = storedPath(media.url, host);
  const rendered = path && host.own && RENDERED.test(path) ? path : null;
  const isStill = rendered && (media.animated ?? ANIMATED_EXTENSION.test(rendered));
  // Part of the variant's address, because the AI label in the file depends on `made`.
  const query = [made ? `made=${made}` : '', isStill ? 'still=1' : ''].filter(Boolean).join('&');
  return {
    src: path ?? media.url,
    object: rendered && rendered.slice(STORED.length) + (query && `?${query}`),
    moves: rendered !== null && media.animated === true,
    loops: (media.loops ?? []).map((format) => (path ?? media.url).replace(PICTURE_FILE, `loops/$1.${format}`)),
    width,
    height,
    placeholder: placeholder?.startsWith('data:image/') ? placeholder : null,
  };
}

/** The id of a file of our bucket; null for any other address. */
export const pictureFileId = (url: string): string | null => PICTURE_FILE.exec(url)?.[1] ?? null;

/** The id of a film of our bucket; null for any other address. */
export const filmFileId = (url: string): string | null => FILM_FILE.exec(url)?.[1] ?? null;

export const captionsAddress = (src: string): string => src.replace(/films\/([\da-f-]{36})\.\w+$/, 'captions/$1.vtt');

/** The image shown before a video plays. Its size is not needed: video frames have a fixed ratio. */
export const posterOf = ({ poster }: Pick<Media, 'poster'>, host: PictureHost): PictureSources | null =>
  poster ? pictureOf({ url: poster, width: null, height: null, placeholder: null }, host) : null;

function storedPath(address: string, host: PictureHost): string | null {
  const url = URL.parse(address, host.origin);
  if (!url?.pathname.startsWith(STORED)) return null;
  const isOurs = url.origin === host.origin || (host.own && (pictureFileId(url.pathname) ?? filmFileId(url.pathname)));
  return isOurs ? url.pathname : null;
}

/** Address of a rendered width. The format follows the Accept header: AVIF, WebP or the original's. */
export const renderedAddress = (object: string, width: number): string =>
  `/storage/v1/render/image/public/${object}${object.includes('?') ? '&' : '?'}width=${width}`;

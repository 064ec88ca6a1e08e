import type { Media } from './media.ts';

/** Where pictures come from, as far as this site needs to know. */
export interface PictureHost {
  /** Base address of the backend, without trailing slash. */
  url: string;
  /** Canonical origin of the site. */
  origin: string;
  /** True when our own backend answers and renders widths. */
  own: boolean;
  /** Hosts whose pictures count as covers even without a file ending. */
  pictureHosts: readonly string[];
  /** Stands in where an experiment has no picture. */
  defaultCover: string;
}

/** A picture as a page shows it. */
export interface PictureSources {
  /** Address of the picture as it was uploaded; root-relative when it is ours. */
  src: string;
  /** `bucket/path` when our backend can render widths of it, with what belongs to their addresses. */
  object: string | null;
  /** It has several frames; what is rendered of it is the first. */
  moves: boolean;
  width: number | null;
  height: number | null;
  placeholder: string | null;
}

const STORED = '/storage/v1/object/public/';
/** What the renderer makes; anything else is served as it is. */
const RENDERED = /\.(jpe?g|png|gif|webp|avif)$/i;
const MAY_MOVE = /\.(gif|webp)$/i;

/** What a page needs to show an image. Addresses that point at ourselves lose their origin, so that they survive a move. */
export function pictureOf(
  media: Pick<Media, 'url' | 'width' | 'height' | 'placeholder' | 'made' | 'animated'>,
  host: PictureHost,
): PictureSources {
  const { width, height, placeholder, made } = media;
  const path = storedPath(media.url, host);
  const rendered = path && host.own && RENDERED.test(path) ? path : null;
  const still = rendered && (media.animated ?? MAY_MOVE.test(rendered));
  // The label in a variant follows the mark, so cached copies must change with it.
  const query = [made ? `made=${made}` : '', still ? 'still=1' : ''].filter(Boolean).join('&');
  return {
    src: path ?? media.url,
    object: rendered && rendered.slice(STORED.length) + (query && `?${query}`),
    moves: rendered !== null && media.animated === true,
    width,
    height,
    placeholder: placeholder?.startsWith('data:image/') ? placeholder : null,
  };
}

/** The picture that a film shows before it plays; null when it has none. Its size is nobody's concern: films have a shape of their own. */
export const posterOf = ({ poster }: Pick<Media, 'poster'>, host: PictureHost): PictureSources | null =>
  poster ? pictureOf({ url: poster, width: null, height: null, placeholder: null }, host) : null;

function storedPath(address: string, host: PictureHost): string | null {
  const url = URL.parse(address, host.origin);
  if (!url?.pathname.startsWith(STORED)) return null;
  const ours = url.origin === host.origin || (host.own && (url.origin === new URL(host.url).origin || isLoopback(url)));
  return ours ? url.pathname : null;
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Address of a rendered width. The format is left to what the browser says it accepts: AVIF, WebP or the original's. */
export const renderedAddress = (object: string, width: number): string =>
  `/storage/v1/render/image/public/${object}${object.includes('?') ? '&' : '?'}width=${width}`;

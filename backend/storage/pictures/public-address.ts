/** Widths that are made; every other width is rounded up to one of them. */
export const LADDER = [160, 320, 640, 960, 1280, 1920] as const;

/** A public picture at an address that pages write. */
export interface PublicPicture {
  /** `bucket/name` of the stored file. */
  file: string;
  /** Its format depends on the reader's `Accept`. */
  negotiated: boolean;
}

// Without escapes and dot segments, so that this is the file that the service decodes from the address.
const ADDRESS = /^\/storage\/v1\/(object|render\/image)\/public\/([\w-]+\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*)(?:\?(.+))?$/;
const MADE = 'made=(?:hand|machine|together)';
const OBJECT_QUERY = new RegExp(`^${MADE}$`);
const RENDER_QUERY = new RegExp(
  `^(?:${MADE}&)?(?:still=1&)?width=(?:${LADDER.join('|')})(&format=(?:avif|webp|origin))?$`,
);

/**
 * The public picture at an address; null for every other address, and for spellings that no page writes: a file has few
 * addresses, whoever makes up more.
 * @param url `/path?query` as it was sent
 */
export function publicPictureAt(url: string): PublicPicture | null {
  const [, mode, file, query] = ADDRESS.exec(url) ?? [];
  if (!file) return null;
  if (mode === 'object') return query === undefined || OBJECT_QUERY.test(query) ? { file, negotiated: false } : null;
  const rendered = RENDER_QUERY.exec(query ?? '');
  return rendered && { file, negotiated: rendered[1] === undefined };
}

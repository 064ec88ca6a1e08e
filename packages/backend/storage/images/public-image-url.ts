export const VARIANT_WIDTHS = [160, 320, 640, 960, 1280, 1920] as const;

export interface PublicImage {
  file: string;
  isNegotiated: boolean;
}

// No escapes or dot segments, so that the service decodes the URL to this same file.
const IMAGE_URL =
  /^\/storage\/v1\/(object|render\/image)\/public\/([\w-]+\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*)(?:\?(.+))?$/;
const METHOD_PARAMETER = 'made=(?:hand|machine|together)';
const OBJECT_QUERY = new RegExp(`^${METHOD_PARAMETER}$`);
const RENDER_QUERY = new RegExp(
  `^(?:${METHOD_PARAMETER}&)?(?:still=1&)?width=(?:${VARIANT_WIDTHS.join('|')})(&format=(?:avif|webp|origin))?$`,
);

/** Null also for spellings that no page writes, so that a file has few cache keys. @param url raw `/path?query` */
export function parsePublicImageUrl(url: string): PublicImage | null {
  const [, endpoint, file, query] = IMAGE_URL.exec(url) ?? [];
  if (!file) return null;
  if (endpoint === 'object')
    return query === undefined || OBJECT_QUERY.test(query) ? { file, isNegotiated: false } : null;
  const variant = RENDER_QUERY.exec(query ?? '');
  return variant && { file, isNegotiated: variant[1] === undefined };
}

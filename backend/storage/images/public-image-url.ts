export const LADDER = [160, 320, 640, 960, 1280, 1920] as const;

export interface PublicPicture {
  file: string;
  negotiated: boolean;
}

// No escapes or dot segments, so that the service decodes the URL to this same file.
const ADDRESS = /^\/storage\/v1\/(object|render\/image)\/public\/([\w-]+\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*)(?:\?(.+))?$/;
const MADE = 'made=(?:hand|machine|together)';
const OBJECT_QUERY = new RegExp(`^${MADE}$`);
const RENDER_QUERY = new RegExp(
  `^(?:${MADE}&)?(?:still=1&)?width=(?:${LADDER.join('|')})(&format=(?:avif|webp|origin))?$`,
);

/** Null also for spellings that no page writes, so that a file has few cache keys. @param url raw `/path?query` */
export function publicPictureAt(url: string): PublicPicture | null {
  const [, mode, file, query] = ADDRESS.exec(url) ?? [];
  if (!file) return null;
  if (mode === 'object') return query === undefined || OBJECT_QUERY.test(query) ? { file, negotiated: false } : null;
  const rendered = RENDER_QUERY.exec(query ?? '');
  return rendered && { file, negotiated: rendered[1] === undefined };
}

import sanitize from 'sanitize-html';
import { pictureAddress, playerAddress } from './media-address.ts';

/** Allow list for user HTML; browsers apply it in app/ui/rich-text-elements.ts. Threat model TM-30. */

export const TAGS = [
  'p',
  'br',
  'h1',
  'h2',
  'h3',
  'strong',
  'em',
  'u',
  's',
  'ol',
  'ul',
  'li',
  'blockquote',
  'pre',
  'code',
  'a',
  'img',
  'iframe',
  'span',
] as const;
export const RENAMED = { b: 'strong', i: 'em', strike: 's', del: 's' } as const;
export const INDENT = /^(ql-)?indent-[1-8]$/;
export const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel'];
export const LINK_REL = 'noopener nofollow ugc';
export const MAX_DEPTH = 64;
/** Open elements; the time of the parser grows with their square. */
const MAX_OPEN = 256;
/** Characters; twice what is stored, because placeholders of legal pages are filled in. */
const MAX_LENGTH = 200_000;

/** Characters in the cache, inputs and outputs; beyond it the cache is emptied. */
const MAX_CACHED_CHARACTERS = 2_000_000;
const cleaned = new Map<string, string>();
let cachedCharacters = 0;

/** Linear in its input, cached, and idempotent. @throws RangeError when the text is too long or nested too deeply */
export function cleanRichText(html: string): string {
  const cached = cleaned.get(html);
  if (cached !== undefined) return cached;
  if (html.length > MAX_LENGTH) throw new RangeError('A text can have at most 100 KB.');
  let open = 0;
  const onOpenTag = () => {
    if (++open > MAX_OPEN) throw new RangeError('The formatting of a text is nested too deeply.');
  };
  const clean = sanitize(html, { ...ALLOWED, onOpenTag, onCloseTag: () => open-- });
  cachedCharacters += html.length + clean.length;
  if (cachedCharacters > MAX_CACHED_CHARACTERS) {
    cleaned.clear();
    cachedCharacters = html.length + clean.length;
  }
  cleaned.set(html, clean);
  return clean;
}

const ALLOWED: sanitize.IOptions = {
  allowedTags: [...TAGS],
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'alt', 'title'],
    iframe: ['src', 'title', 'loading', 'allowfullscreen'],
    '*': ['class'],
  },
  allowedClasses: { '*': [INDENT] },
  allowedSchemes: LINK_SCHEMES,
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  allowedIframeHostnames: ['www.youtube-nocookie.com', 'player.vimeo.com'],
  nestingLimit: MAX_DEPTH,
  disallowedTagsMode: 'discard',
  transformTags: {
    ...RENAMED,
    a: (_, { href, title }) => ({
      tagName: 'a',
      attribs: { ...(href ? { href: href.trim() } : {}), ...(title ? { title } : {}), rel: LINK_REL },
    }),
    img: (_, { src, alt, title }) => ({
      tagName: 'img',
      attribs: { src: pictureAddress(src), alt: alt ?? '', ...(title ? { title } : {}) },
    }),
    iframe: (_, { src, title }) => ({
      tagName: 'iframe',
      attribs: { src: playerAddress(src ?? '') ?? '', title: title ?? 'Video', loading: 'lazy', allowfullscreen: '' },
    }),
  },
  exclusiveFilter: (frame) => frame.tag === 'iframe' && !frame.attribs['src'],
};

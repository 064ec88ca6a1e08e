import sanitize from 'sanitize-html';

/** What HTML people may write: one allow list for the data service (when stored) and the pages (when shown). Threat model TM-30. */

const MAX_DEPTH = 64;
const MAX_INLINE_PICTURE = 64 * 1024;
const DATA_PICTURE = /^data:image\/(png|gif|jpeg|bmp|x-icon|webp);base64,[A-Za-z0-9+/=]+$/;
const INDENT = /^(ql-)?indent-[1-8]$/;
const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel'];

/** The player's address on the privacy host, rebuilt from the video's id; null for anything but YouTube and Vimeo. */
export function playerAddress(address: string): string | null {
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username) return null;
  const host = url.hostname.replace(/^(www|m|music)\./, '');
  const path = url.pathname.split('/').filter(Boolean);
  if (host === 'youtu.be') return youtube(path[0]);
  if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    return youtube(['embed', 'shorts', 'live', 'v'].includes(path[0] ?? '') ? path[1] : url.searchParams.get('v'));
  }
  if (host === 'vimeo.com' || host === 'player.vimeo.com') {
    const id = path.find((part) => /^\d{5,12}$/.test(part));
    return id ? `https://player.vimeo.com/video/${id}` : null;
  }
  return null;
}

const youtube = (id: string | null | undefined) =>
  id && /^[\w-]{11}$/.test(id) ? `https://www.youtube-nocookie.com/embed/${id}` : null;

/** A picture's address as the editor keeps it: http, https or an inline raster picture of at most 64 KB; otherwise blank. */
export function pictureAddress(address: string | undefined): string {
  const text = (address ?? '').trim();
  if (DATA_PICTURE.test(text.slice(0, 64).replace(/,.*$/, ',A')) && text.length <= MAX_INLINE_PICTURE * 1.4)
    return DATA_PICTURE.test(text) ? text : '';
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : '';
}

/** Cleans HTML with the one allow list. Linear in its input; cleaning twice changes nothing more. */
export function cleanRichText(html: string): string {
  return sanitize(html, {
    allowedTags: [
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
    ],
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
      b: 'strong',
      i: 'em',
      strike: 's',
      del: 's',
      a: (_, { href, title }) => ({
        tagName: 'a',
        attribs: { ...(href ? { href: href.trim() } : {}), ...(title ? { title } : {}), rel: 'noopener nofollow ugc' },
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
  });
}

/** The text without markup, entities decoded, spaces folded: for excerpts, search and social previews. */
export function plainText(html: string): string {
  const spaced = html.replace(/<\/?(?:p|br|h[1-6]|li|ul|ol|blockquote|pre|div|tr|td)\b/gi, ' $&');
  const text = sanitize(spaced, { allowedTags: [], allowedAttributes: {} });
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ')
    .split(/\s+/)
    .join(' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
}

/** True when only empty markup is left, such as one empty paragraph; a picture or player counts as content. */
export const isEmptyRichText = (html: string): boolean => plainText(html) === '' && !/<(img|iframe)\b/i.test(html);

/** Separate from rich-text.ts, so that browsers need not load its parser. */

export const MAX_INLINE_PICTURE = 64 * 1024;
const DATA_PICTURE = /^data:image\/(png|gif|jpeg|bmp|x-icon|webp);base64,[A-Za-z0-9+/=]+$/;

/** The player's URL on the privacy host, rebuilt from the video's id; null except for YouTube and Vimeo. */
export function playerAddress(address: string): string | null {
  const trimmed = address.trim();
  const url = /\s/.test(trimmed) ? null : URL.parse(trimmed);
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

export function pictureAddress(address: string | undefined): string {
  const text = (address ?? '').trim();
  if (DATA_PICTURE.test(text.slice(0, 64).replace(/,.*$/, ',A')) && text.length <= MAX_INLINE_PICTURE * 1.4)
    return DATA_PICTURE.test(text) ? text : '';
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : '';
}

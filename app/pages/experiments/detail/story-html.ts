import { filmOf } from '../../../models/media/film.ts';

/** Headings of a section's text begin below the section's own. */
const FIRST_LEVEL = 3;

/**
 * Fits somebody's cleaned HTML into a section of the page: its headings continue those of the page without a gap, its
 * films ask nothing of their host before they are pressed, its pictures wait until they come near, and those whose
 * address was not to be trusted are left out.
 */
export const storyHtml = (clean: string): string =>
  nestedHeadings(clean)
    .replace(/<img src=""[^>]*>/g, '')
    .replaceAll('<img ', '<img loading="lazy" ')
    .replace(/<iframe\b([^>]*)><\/iframe>/g, (_, attributes: string) => linkToFilm(attributes));

/** Headings of a text as those of a page go on: from the third level, without a gap. */
export function nestedHeadings(html: string): string {
  const used = [...new Set(Array.from(html.matchAll(/<h([1-3])\b/g), ([, level]) => level!))].sort();
  let last = FIRST_LEVEL - 1;
  return html.replace(/<(\/?)h([1-3])\b/g, (_, closing: string, level: string) => {
    if (!closing) last = Math.min(FIRST_LEVEL + used.indexOf(level), last + 1);
    return `<${closing}h${last}`;
  });
}

/** As the gallery's doors; what stands in a cleaned attribute may stand in text. */
function linkToFilm(attributes: string): string {
  const [, src = ''] = /\bsrc="([^"]*)"/.exec(attributes) ?? [];
  const [, title = ''] = /\btitle="([^"]*)"/.exec(attributes) ?? [];
  const film = filmOf(src);
  if (!film) return '';
  return `<a class="media-door media-film" href="${src}" rel="noopener nofollow ugc" data-player="${film.player.replaceAll('&', '&amp;')}" data-title="${title}"><span>Play “${title}”</span><span class="slip">Loads from ${film.host}</span></a>`;
}

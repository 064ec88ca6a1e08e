import { createElement } from 'react';
import { filmOf } from '../../../models/media/film.ts';
import type { Fit } from '../../../ui/rich-text.tsx';
import { drawElement } from '../../../ui/rich-text-elements.ts';

/** Headings of a section's text begin below the section's own. */
const FIRST_LEVEL = 3;

/** Gives the headings of a text their levels, one after the other: those of the page go on, from the third and without a gap. */
function nesting(html: string): (level: string) => number {
  const used = [...new Set(Array.from(html.matchAll(/<h([1-3])\b/gi), ([, level]) => level!))].sort();
  let last = FIRST_LEVEL - 1;
  return (level) => {
    last = Math.min(FIRST_LEVEL + used.indexOf(level), last + 1);
    return last;
  };
}

/** Headings of a text as those of its page go on. */
export const nestedHeadings: Fit = {
  html(clean) {
    const levelOf = nesting(clean);
    let level = 0;
    return clean.replace(/<(\/?)h([1-3])\b/g, (_, closing: string, was: string) => {
      if (!closing) level = levelOf(was);
      return `<${closing}h${level}`;
    });
  },
  draw(html) {
    const levelOf = nesting(html);
    return (tag, attributes, children) =>
      drawElement(/^h[1-3]$/.test(tag) ? `h${levelOf(tag.slice(1))}` : tag, attributes, children);
  },
};

/**
 * Fits a text into a section of the page: its headings continue those of the page without a gap, its films ask nothing of
 * their host before they are pressed, its pictures wait until they come near, and those whose address was not to be
 * trusted are left out.
 */
export const storyFit: Fit = {
  html: (clean) =>
    nestedHeadings
      .html(clean)
      .replace(/<img src=""[^>]*>/g, '')
      .replaceAll('<img ', '<img loading="lazy" ')
      .replace(/<iframe\b([^>]*)><\/iframe>/g, (_, attributes: string) => linkToFilm(attributes)),
  draw(html) {
    const draw = nestedHeadings.draw(html);
    return (tag, attributes, children) => {
      if (tag === 'img') return attributes['src'] ? draw(tag, { loading: 'lazy', ...attributes }, children) : null;
      return tag === 'iframe' ? filmDoor(attributes) : draw(tag, attributes, children);
    };
  },
};

/** As the gallery's doors; what stands in a cleaned attribute may stand in text. */
function linkToFilm(attributes: string): string {
  const [, src = ''] = /\bsrc="([^"]*)"/.exec(attributes) ?? [];
  const [, title = ''] = /\btitle="([^"]*)"/.exec(attributes) ?? [];
  const film = filmOf(src);
  if (!film) return '';
  return `<a class="media-door media-film" href="${src}" rel="noopener nofollow ugc" data-player="${film.player.replaceAll('&', '&amp;')}" data-title="${title}"><span>Play “${title}”</span><span class="slip">Loads from ${film.host}</span></a>`;
}

function filmDoor({ src, title }: Record<string, unknown>) {
  const film = filmOf(String(src));
  return (
    film &&
    createElement(
      'a',
      {
        className: 'media-door media-film',
        href: src,
        rel: 'noopener nofollow ugc',
        'data-player': film.player,
        'data-title': title,
      },
      createElement('span', null, `Play “${title}”`),
      createElement('span', { className: 'slip' }, `Loads from ${film.host}`),
    )
  );
}

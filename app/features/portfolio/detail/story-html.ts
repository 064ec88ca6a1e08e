import { createElement } from 'react';
import { filmOf } from '#features/media/model/film.ts';
import type { HtmlAdapter } from '#ui/rich-text.tsx';
import { drawElement } from '#ui/rich-text-elements.ts';

/** Link to a video on another site, drawn as a plate. */
export const VIDEO_LINK_CLASS = 'media-door stack gap-2 start layer clip full pad-5 heading size-1 plain';

const FIRST_LEVEL = 3;

/** Maps the heading levels of a text to consecutive levels from the third. */
function nesting(html: string): (level: string) => number {
  const levels = [...new Set(Array.from(html.matchAll(/<h([1-3])\b/gi), ([, level]) => level!))].sort();
  let last = FIRST_LEVEL - 1;
  return (level) => {
    last = Math.min(FIRST_LEVEL + levels.indexOf(level), last + 1);
    return last;
  };
}

export const nestedHeadings: HtmlAdapter = {
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

/** Continues the page's heading levels, defers videos and images, and removes images with untrusted addresses. */
export const storyFit: HtmlAdapter = {
  html: (clean) =>
    nestedHeadings
      .html(clean)
      .replace(/<img (?!src=)[^>]*>/g, '')
      .replaceAll('<img ', '<img loading="lazy" ')
      .replace(/<iframe\b([^>]*)><\/iframe>/g, (_, attributes: string) => linkToFilm(attributes)),
  draw(html) {
    const drawHeading = nestedHeadings.draw(html);
    return (tag, attributes, children) => {
      if (tag === 'img')
        return attributes['src'] ? drawHeading(tag, { loading: 'lazy', ...attributes }, children) : null;
      return tag === 'iframe' ? filmDoor(attributes) : drawHeading(tag, attributes, children);
    };
  },
};

function linkToFilm(attributes: string): string {
  const [, src = ''] = /\bsrc="([^"]*)"/.exec(attributes) ?? [];
  const [, title = ''] = /\btitle="([^"]*)"/.exec(attributes) ?? [];
  const film = filmOf(src);
  if (!film) return '';
  return `<a class="${VIDEO_LINK_CLASS} on-hand media-film" href="${src}" rel="noopener nofollow ugc" data-player="${film.player.replaceAll('&', '&amp;')}" data-title="${title}"><span>Play “${title}”</span><span class="slip">Loads from ${film.host}</span></a>`;
}

function filmDoor({ src, title }: Record<string, unknown>) {
  const film = filmOf(String(src));
  if (!film) return null;
  const link = {
    className: `${VIDEO_LINK_CLASS} on-hand media-film`,
    href: src,
    rel: 'noopener nofollow ugc',
    'data-player': film.player,
    'data-title': title,
  };
  const host = createElement('span', { className: 'slip' }, `Loads from ${film.host}`);
  return createElement('a', link, createElement('span', null, `Play “${title}”`), host);
}

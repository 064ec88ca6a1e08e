import { createElement, type ReactNode } from 'react';
import { pictureAddress, playerAddress } from '../../media-address.ts';
import { INDENT, LINK_REL, LINK_SCHEMES, MAX_DEPTH, RENAMED, TAGS } from '../../rich-text.ts';

/** Parses HTML in a document in which nothing is loaded or executed. Browser only. */
export const inertBody = (html: string): HTMLElement =>
  // A style element would be reported as a CSP violation, even without rendering.
  new DOMParser().parseFromString(html.replace(/<style\b[\s\S]*?<\/style\s*>/gi, ''), 'text/html').body;

export type Draw = (tag: string, attributes: Record<string, unknown>, children: ReactNode[]) => ReactNode;

export const drawElement: Draw = (tag, attributes, children) => createElement(tag, attributes, ...children);

/** Renders elements without serialising them, so that the markup is not parsed a second time. Browser only. */
export const richTextElements = (html: string, draw: Draw): ReactNode[] => childrenOf(inertBody(html), draw, 0);

const HIDDEN_ELEMENTS = new Set(['script', 'style', 'textarea', 'option', 'title']);
const EMPTY = new Set(['br', 'img', 'iframe']);

const childrenOf = (parent: Element, draw: Draw, depth: number): ReactNode[] =>
  depth > MAX_DEPTH ? [] : [...parent.childNodes].flatMap((node) => renderNode(node, draw, depth));

function renderNode(node: Node, draw: Draw, depth: number): ReactNode[] {
  if (node.nodeType === Node.TEXT_NODE) return [node.nodeValue];
  if (!(node instanceof Element)) return [];
  const name = node.localName;
  const tag = Object.hasOwn(RENAMED, name) ? RENAMED[name as keyof typeof RENAMED] : name;
  if (!(TAGS as readonly string[]).includes(tag))
    return HIDDEN_ELEMENTS.has(name) ? [] : childrenOf(node, draw, depth + 1);
  const attributes = attributesOf(tag, node);
  return attributes ? [draw(tag, attributes, EMPTY.has(tag) ? [] : childrenOf(node, draw, depth + 1))] : [];
}

function attributesOf(tag: string, element: Element): Record<string, unknown> | null {
  const text = (name: string) => element.getAttribute(name) ?? undefined;
  const classes = [...element.classList].filter((one) => INDENT.test(one)).join(' ');
  const indent = classes ? { className: classes } : {};
  if (tag === 'a') return { ...indent, href: linkIn(text('href')), title: text('title'), rel: LINK_REL };
  if (tag === 'img')
    return { ...indent, src: pictureAddress(text('src')) || undefined, alt: text('alt') ?? '', title: text('title') };
  if (tag !== 'iframe') return indent;
  const src = playerAddress(text('src') ?? '');
  // Players require a referrer; private pages send none by default.
  const player = { loading: 'lazy', allowFullScreen: true, referrerPolicy: 'strict-origin' };
  return src ? { ...indent, src, title: text('title') ?? 'Video', ...player } : null;
}

function linkIn(address: string | undefined): string | undefined {
  const href = address?.trim();
  const url = href && URL.parse(href, location.origin);
  return url && LINK_SCHEMES.includes(url.protocol.slice(0, -1)) && !/^[\\/]{2}/.test(href) ? href : undefined;
}

import { hashSource } from './hash-source.ts';

// The framework ends the address of a style sheet that two chunks share with an empty fragment.
const LINK = /<link rel="stylesheet" href="(\/assets\/[^"#]+)#?"\/>/g;

/**
 * Puts the style sheets of a page into it, so that a first visit paints after one trip to the server.
 * @param textOf the text of a style sheet by its address; null where it is not known
 * @returns the page, and the sources that its policy names; the page as it came when a style sheet is not known
 */
export function inlineStyles(
  html: string,
  textOf: (address: string) => string | null,
): { html: string; styles: string[] } {
  const head = html.slice(0, html.indexOf('</head>'));
  const links = [...head.matchAll(LINK)];
  const texts = links.map(([, address]) => textOf(address!));
  if (links.length === 0 || texts.includes(null)) return { html, styles: [] };
  const text = texts.join('');
  const styled = `${head.replace(LINK, '')}<style>${text}</style>${html.slice(head.length)}`;
  return { html: styled, styles: [hashSource(text)] };
}

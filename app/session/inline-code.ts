import { createHash } from 'node:crypto';

export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// The framework ends the address of a style sheet shared by two chunks with an empty fragment.
const LINK = /<link rel="stylesheet" href="(\/assets\/[^"#]+)#?"\/>/g;

/** Saves a first visit a round trip. @returns the page and its CSP sources; unchanged when a style sheet is unknown */
export function inlineStyles(html: string, textOf: (address: string) => string | null) {
  const head = html.slice(0, html.indexOf('</head>'));
  const links = [...head.matchAll(LINK)];
  const texts = links.map(([, address]) => textOf(address!));
  if (links.length === 0 || texts.includes(null)) return { html, styles: [] };
  const text = texts.join('');
  const styled = `${head.replace(LINK, '')}<style>${text}</style>${html.slice(head.length)}`;
  return { html: styled, styles: [hashSource(text)] };
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;

/** Finds the inline scripts marked by the framework. @param mark nonce of this render, unknown to page content */
export function markedScripts(marked: string, mark: string): { html: string; scripts: string[] } {
  const attribute = ` nonce="${mark}"`;
  const scripts = [...marked.matchAll(SCRIPT)]
    .filter(([, attributes]) => attributes!.includes(attribute) && !/\ssrc=/.test(attributes!))
    .map(([, , body]) => hashSource(body!));
  return { html: marked.replaceAll(attribute, ''), scripts: [...new Set(scripts)] };
}

// Own parser, because the sanitizer (150 kB) would be loaded by every page with an excerpt.

const BLOCKS = new Set([
  'p',
  'br',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'ul',
  'ol',
  'blockquote',
  'pre',
  'div',
  'tr',
  'td',
]);
const SILENT = new Set(['script', 'style', 'textarea', 'title']);
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};
const LAST_CODE_POINT = 0x10ffff;

/** The text of HTML without markup, entities decoded, white space collapsed. Linear in its input. */
export function plainText(html: string): string {
  return decoded(withoutTags(html))
    .split(/\s+/)
    .join(' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
}

function withoutTags(html: string): string {
  let text = '';
  const lower = html.toLowerCase();
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open < 0) return text + html.slice(at);
    text += html.slice(at, open);
    const tag = /^<(?:!--|[!?]|(\/?)([a-z][a-z0-9]*))/i.exec(html.slice(open, open + 24));
    if (!tag) {
      text += '<';
      at = open + 1;
      continue;
    }
    const name = tag[2]?.toLowerCase() ?? '';
    const end = tag[0] === '<!--' ? html.indexOf('-->', open) + 2 : endOfTag(html, open + 1);
    if (end <= open) return text;
    if (BLOCKS.has(name)) text += ' ';
    at = end + 1;
    if (SILENT.has(name) && !tag[1]) {
      const closing = lower.indexOf(`</${name}`, at);
      if (closing < 0) return text;
      at = closing;
    }
  }
  return text;
}

function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const letter = html[at]!;
    if (quote) {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '>') return at;
  }
  return -1;
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name) return NAMED[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal!, 16);
      return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
    },
  );

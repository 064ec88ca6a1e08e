// Own parser, because the sanitizer (150 kB) would be loaded by every page with an excerpt.

const BLOCKS = new Set('p br h1 h2 h3 h4 h5 h6 li ul ol blockquote pre div tr td'.split(' '));
const HIDDEN_ELEMENTS = new Set(['script', 'style', 'textarea', 'title']);
const NAMED_ENTITIES: Record<string, string> = {
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

/** Text as HTML, also within a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The text of HTML without markup, entities decoded, white space collapsed. Linear in its input. */
export const plainText = (html: string): string =>
  decodeEntities(withoutTags(html))
    .split(/\s+/)
    .join(' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();

function withoutTags(html: string): string {
  let text = '';
  const lower = html.toLowerCase();
  for (let position = 0; position < html.length; ) {
    const open = html.indexOf('<', position);
    if (open < 0) return text + html.slice(position);
    text += html.slice(position, open);
    const tag = /^<(?:!--|[!?]|(\/?)([a-z][a-z0-9]*))/i.exec(html.slice(open, open + 24));
    if (!tag) {
      text += '<';
      position = open + 1;
      continue;
    }
    const name = tag[2]?.toLowerCase() ?? '';
    const end = tag[0] === '<!--' ? html.indexOf('-->', open) + 2 : endOfTag(html, open + 1);
    if (end <= open) return text;
    if (BLOCKS.has(name)) text += ' ';
    position = end + 1;
    if (HIDDEN_ELEMENTS.has(name) && !tag[1]) {
      const closing = lower.indexOf(`</${name}`, position);
      if (closing < 0) return text;
      position = closing;
    }
  }
  return text;
}

function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let position = from; position < html.length; position++) {
    const character = html[position]!;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return position;
  }
  return -1;
}

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

const decodeEntities = (text: string): string =>
  text.replace(ENTITY, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name) return NAMED_ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal!, 16);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });

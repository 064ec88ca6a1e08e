import sanitize from 'sanitize-html';

const EXPORT_AGAIN = 'Export it again';
const PROBLEMS = {
  none: 'This file is not an SVG or a PNG. Choose a logo in one of these formats.',
  script: `This SVG contains a script. ${EXPORT_AGAIN} without scripts, or as a PNG.`,
  foreign: `This SVG contains parts of a web page. ${EXPORT_AGAIN} with outlines and shapes only, or as a PNG.`,
  external: `This SVG refers to another file. ${EXPORT_AGAIN} with everything embedded, or as a PNG.`,
  entities: `This SVG declares entities. ${EXPORT_AGAIN} as plain SVG, or as a PNG.`,
} as const;

export const NOT_A_PICTURE = PROBLEMS.none;

const SHAPES = 'path rect circle ellipse line polyline polygon text tspan image'.split(' ');
const PAINT = 'linearGradient radialGradient stop pattern clipPath mask filter'.split(' ');
const FILTERS =
  'feBlend feColorMatrix feComposite feFlood feGaussianBlur feMerge feMergeNode feOffset feDropShadow feMorphology';

const ATTRIBUTES =
  'xmlns xmlns:xlink version viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform id class style href xlink:href fill fill-* stroke stroke-* opacity clip-* mask mask-* filter color color-* stop-* flood-* font-* text-* letter-spacing word-spacing dominant-baseline dx dy offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits filterUnits primitiveUnits preserveAspectRatio paint-order mix-blend-mode isolation display visibility overflow vector-effect shape-rendering in in2 result mode type values operator k1 k2 k3 k4 stdDeviation radius role aria-* xml:space';

const ALLOWED: sanitize.IOptions = {
  allowedTags: [...'svg g defs symbol use style'.split(' '), ...SHAPES, ...PAINT, ...FILTERS.split(' ')],
  allowedAttributes: { '*': ATTRIBUTES.split(' ') },
  allowedSchemes: [],
  allowedSchemesByTag: { image: ['data'] },
  allowedSchemesAppliedToAttributes: ['href', 'xlink:href'],
  allowProtocolRelative: false,
  allowVulnerableTags: true,
  parseStyleAttributes: false,
  nonTextTags: ['script', 'foreignObject', 'metadata', 'title', 'desc', 'textarea', 'option', 'xmp', 'noscript'],
  disallowedTagsMode: 'discard',
  nestingLimit: 64,
  parser: { xmlMode: true },
};

const WEB_PAGE = /^(foreignobject|iframe|embed|object|html|body|audio|video|canvas|form|input)$/i;
/** CSS that loads something; a backslash could hide it. */
const LOADING_CSS = /@import|url\((?!\s*['"]?#)|image-set|\\|</i;
const EMBEDDED = /^\s*(#|data:image\/(png|jpeg);base64,)/i;

function problemOf(name: string, attributes: Record<string, string>): string | null {
  const tag = name.replace(/^.*:/, '');
  if (/^script$/i.test(tag)) return PROBLEMS.script;
  if (WEB_PAGE.test(tag)) return PROBLEMS.foreign;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (/^on/i.test(attribute) || /^\s*(javascript|vbscript):/i.test(value)) return PROBLEMS.script;
    const isLink = /^(.*:)?(href|src)$/i.test(attribute);
    if (tag !== 'a' && isLink && !EMBEDDED.test(value)) return PROBLEMS.external;
    if (!isLink && !attribute.startsWith('xmlns') && LOADING_CSS.test(value)) return PROBLEMS.external;
  }
  return null;
}

/** Sanitizes a logo, or says in a sentence why it cannot be one. */
export function readSvg(file: string): { svg: string; problem: null } | { svg: null; problem: string } {
  const source = file
    .replace(/^\uFEFF/, '')
    .replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->/g, '')
    .trim();
  const refuse = (problem: string) => ({ svg: null, problem });
  if (/<!ENTITY/i.test(source)) return refuse(PROBLEMS.entities);
  const markup = source.replace(/^<!DOCTYPE[^>[]*>/i, '').trim();
  if (!/^<svg[\s>]/.test(markup) || !/<\/svg>$|^<svg[^>]*\/>$/.test(markup)) return refuse(PROBLEMS.none);
  const first = sanitized(markup);
  // Text that was escaped in a style element becomes markup: only output that stays the same is accepted.
  const second = first.problem ? first : sanitized(first.svg);
  if (second.problem) return refuse(second.problem);
  return second.svg === first.svg ? { svg: first.svg, problem: null } : refuse(PROBLEMS.foreign);
}

function sanitized(markup: string): { svg: string; problem: string | null } {
  let problem: string | null = null;
  const svg = sanitize(markup, {
    ...ALLOWED,
    onOpenTag: (name, attributes) => (problem ??= problemOf(name, attributes)),
  });
  for (const [, css] of svg.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g))
    if (LOADING_CSS.test(css!)) problem ??= PROBLEMS.external;
  return { svg: svg.trim(), problem };
}

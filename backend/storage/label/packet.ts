import { createHash } from 'node:crypto';

/** Who made a picture, as its record says it. */
export type Made = 'hand' | 'machine' | 'together';

/**
 * Terms of the IPTC vocabulary of digital sources that a file may bring along. A name that is not among them is not
 * passed on.
 */
const TERMS = [
  'digitalCapture',
  'computationalCapture',
  'negativeFilm',
  'positiveFilm',
  'print',
  'minorHumanEdits',
  'humanEdits',
  'compositeWithTrainedAlgorithmicMedia',
  'algorithmicallyEnhanced',
  'softwareImage',
  'digitalArt',
  'digitalCreation',
  'dataDrivenMedia',
  'trainedAlgorithmicMedia',
  'algorithmicMedia',
  'screenCapture',
  'virtualRecording',
  'composite',
  'compositeCapture',
  'compositeSynthetic',
] as const;

/** A term of that vocabulary. */
export type Source = (typeof TERMS)[number];

const SOURCES: Record<Made, Source> = {
  hand: 'digitalCreation',
  machine: 'trainedAlgorithmicMedia',
  together: 'compositeWithTrainedAlgorithmicMedia',
};

const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** What a served picture says of itself. */
export interface Label {
  source: Source | null;
  /** Whom to name beside it. */
  credit: string | null;
}

/** The origin that an uploaded file named in its XMP, before its metadata were removed. */
export interface Carried {
  source?: Source;
  credit?: string;
}

/** The label of a picture: its record speaks first, then the file itself. Null when neither says anything. */
export function labelOf(made: Made | null, carried: Carried): Label | null {
  const source = made ? SOURCES[made] : (carried.source ?? null);
  const credit = carried.credit ?? null;
  return source || credit ? { source, credit } : null;
}

/** A term by its name or address; undefined for everything that is none. */
export function sourceNamed(text: unknown): Source | undefined {
  const name = typeof text === 'string' ? /([A-Za-z]{1,60})\/?$/.exec(text)?.[1] : undefined;
  return TERMS.find((term) => term === name);
}

/** The label as an XMP packet. */
export function packetOf({ source, credit }: Label): string {
  const told = [
    source && `<Iptc4xmpExt:DigitalSourceType>${VOCABULARY}${source}</Iptc4xmpExt:DigitalSourceType>`,
    credit && `<photoshop:Credit>${escaped(credit)}</photoshop:Credit>`,
  ];
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">',
    ...told.filter(Boolean),
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
  ].join('');
}

/** An ETag for the same bytes with this packet in them. */
export const labelledTag = (etag: string, packet: string): string =>
  etag.replace(/"$/, `-${createHash('sha256').update(packet).digest('hex').slice(0, 8)}"`);

/** Longer packets are no words about a picture. */
const MOST_XMP = 256 * 1024;
const LONGEST_CREDIT = 200;

/** Finds the source and the credit in the XMP of an uploaded file; everything else in it is nobody's business. */
export function carriedBy(xmp: Buffer | undefined): Carried {
  if (!xmp || xmp.length > MOST_XMP) return {};
  const text = xmp.toString('utf8');
  const [, name] = /:DigitalSourceType\b[^<]{0,80}?digitalsourcetype\/([A-Za-z]{1,60})/.exec(text) ?? [];
  const source = sourceNamed(name);
  const [, attribute, element] =
    /\bphotoshop:Credit(?:\s*=\s*["']([^"'<]{1,800})["']|\s*>([^<]{1,800})<)/.exec(text) ?? [];
  const credit = [
    ...unescaped(attribute ?? element ?? '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, LONGEST_CREDIT)
    .join('');
  return { ...(source ? { source } : {}), ...(credit ? { credit } : {}) };
}

const MARKS: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const escaped = (text: string) => text.replace(/[&<>"']/g, (mark) => `&${MARKS[mark]};`);

const unescaped = (text: string) =>
  text.replace(/&(?:#(x[\da-f]{1,6}|\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_whole, code?: string, name?: string) => {
    if (name) return Object.keys(MARKS).find((mark) => MARKS[mark] === name.toLowerCase())!;
    const point = code![0]!.toLowerCase() === 'x' ? Number.parseInt(code!.slice(1), 16) : Number(code);
    return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : '';
  });

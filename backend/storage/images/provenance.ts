import type { Sharp } from 'sharp';
import type { StorageContext } from '../context.ts';

export type Made = 'hand' | 'machine' | 'together';

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

type Source = (typeof TERMS)[number];

const SOURCES: Record<Made, Source> = {
  hand: 'digitalCreation',
  machine: 'trainedAlgorithmicMedia',
  together: 'compositeWithTrainedAlgorithmicMedia',
};

const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export interface Provenance {
  source?: Source;
  credit?: string;
}

/** Adds XMP provenance: the image's record takes precedence over the uploaded file. Unchanged when neither has any. */
export function labelled(picture: Sharp, made: Made | null, { source, credit }: Provenance): Sharp {
  const term = made ? SOURCES[made] : source;
  if (!term && !credit) return picture;
  return picture.withXmp(
    [
      '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
      '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">',
      term && `<Iptc4xmpExt:DigitalSourceType>${VOCABULARY}${term}</Iptc4xmpExt:DigitalSourceType>`,
      credit && `<photoshop:Credit>${escaped(credit)}</photoshop:Credit>`,
      '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
    ]
      .filter(Boolean)
      .join(''),
  );
}

/** SQL column from a function of the project; without that function nothing is marked. */
export async function madeColumn(db: StorageContext['db']): Promise<string> {
  const { rows } = await db.query<{ here: boolean }>(
    `select to_regprocedure('private.made_of_file(text, text)') is not null as here`,
  );
  return rows[0]!.here ? 'private.made_of_file(objects.bucket_id, objects.name) as made' : 'null as made';
}

const MAX_XMP_BYTES = 256 * 1024;
const MAX_CREDIT_LENGTH = 200;

export function provenanceIn(xmp: Buffer | undefined): Provenance {
  if (!xmp || xmp.length > MAX_XMP_BYTES) return {};
  const text = xmp.toString('utf8');
  const [, name] = /:DigitalSourceType\b[^<]{0,80}?digitalsourcetype\/([A-Za-z]{1,60})/.exec(text) ?? [];
  const source = TERMS.find((term) => term === name);
  const [, attribute, element] =
    /\bphotoshop:Credit(?:\s*=\s*["']([^"'<]{1,800})["']|\s*>([^<]{1,800})<)/.exec(text) ?? [];
  const credit = [
    ...unescaped(attribute ?? element ?? '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, MAX_CREDIT_LENGTH)
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

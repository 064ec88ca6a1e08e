import type { Sharp } from 'sharp';
import { type Connection, hasFunction } from '../../database/database.ts';

export type CreationMethod = 'hand' | 'machine' | 'together';

const SOURCE_TYPES = `digitalCapture computationalCapture negativeFilm positiveFilm print minorHumanEdits humanEdits
  compositeWithTrainedAlgorithmicMedia algorithmicallyEnhanced softwareImage digitalArt digitalCreation dataDrivenMedia
  trainedAlgorithmicMedia algorithmicMedia screenCapture virtualRecording composite compositeCapture
  compositeSynthetic`.split(/\s+/);

const SOURCE_OF_METHOD: Record<CreationMethod, string> = {
  hand: 'digitalCreation',
  machine: 'trainedAlgorithmicMedia',
  together: 'compositeWithTrainedAlgorithmicMedia',
};

const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export interface Provenance {
  /** One of `SOURCE_TYPES`. */
  source?: string;
  credit?: string;
}

/** Adds XMP provenance: the image's record takes precedence over the uploaded file. Unchanged when neither has any. */
export function withProvenance(image: Sharp, method: CreationMethod | null, { source, credit }: Provenance): Sharp {
  const term = method ? SOURCE_OF_METHOD[method] : source;
  if (!term && !credit) return image;
  const parts = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">',
    term && `<Iptc4xmpExt:DigitalSourceType>${VOCABULARY}${term}</Iptc4xmpExt:DigitalSourceType>`,
    credit && `<photoshop:Credit>${escapeXml(credit)}</photoshop:Credit>`,
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
  ];
  return image.withXmp(parts.filter(Boolean).join(''));
}

/** SQL expression for how an image was made; null in a project without the function. */
export async function creationMethodColumn(db: Connection): Promise<string> {
  return (await hasFunction(db, 'private.file_label(text, text)'))
    ? 'private.file_label(objects.bucket_id, objects.name) as creation_method'
    : 'null as creation_method';
}

const MAX_XMP_BYTES = 256 * 1024;
const MAX_CREDIT_LENGTH = 200;

export function readProvenance(xmp: Buffer | undefined): Provenance {
  if (!xmp || xmp.length > MAX_XMP_BYTES) return {};
  const text = xmp.toString('utf8');
  const [, name] = /:DigitalSourceType\b[^<]{0,80}?digitalsourcetype\/([A-Za-z]{1,60})/.exec(text) ?? [];
  const source = SOURCE_TYPES.find((term) => term === name);
  const [, attribute, element] =
    /\bphotoshop:Credit(?:\s*=\s*["']([^"'<]{1,800})["']|\s*>([^<]{1,800})<)/.exec(text) ?? [];
  const words = unescapeXml(attribute ?? element ?? '');
  const credit = [...words.replace(/[\p{Cc}\s]+/gu, ' ').trim()].slice(0, MAX_CREDIT_LENGTH).join('');
  return { ...(source ? { source } : {}), ...(credit ? { credit } : {}) };
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (mark) => `&${ENTITIES[mark]};`);

const unescapeXml = (text: string) =>
  text.replace(/&(?:#(x[\da-f]{1,6}|\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_whole, code?: string, name?: string) => {
    if (name) return Object.keys(ENTITIES).find((mark) => ENTITIES[mark] === name.toLowerCase())!;
    const point = code![0]!.toLowerCase() === 'x' ? Number.parseInt(code!.slice(1), 16) : Number(code);
    return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : '';
  });

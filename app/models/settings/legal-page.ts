import type { PostgrestClient } from '@supabase/postgrest-js';
import { cleanRichText } from '../../../rich-text.ts';
import { builtInAgency } from '../../copy/agency.ts';
import { type LegalSlug, legal } from '../../copy/public/legal.ts';
import { plainText } from '../data/html-to-text.ts';
import { rows, written } from '../data/rows.ts';
import { slugOf } from '../project/labels.ts';
import type { Facts } from './facts.ts';

/** A legal text as it is shown. */
export interface LegalPage {
  slug: LegalSlug;
  /** ISO day or moment of the last change. */
  changed: string;
  parts: LegalPart[];
  /** The built-in text stands in for one that could not be read and may be another. */
  standsIn?: boolean;
}

export interface LegalPart {
  /** For links; unique on the page. '' for what stands before the first heading. */
  id: string;
  title: string;
  html: string;
}

/**
 * The admin's version of a legal text, or the built-in one where no admin has written any.
 * @param texts null when nobody knows what admins have written: then the built-in one stands in, and says so
 */
export function legalPage(slug: LegalSlug, texts: WrittenTexts | null, facts: Facts): LegalPage {
  const written = texts?.[slug];
  const parts = partsOf(cleanRichText(filled(written?.body ?? '', facts)));
  return written && parts.length > 0
    ? { slug, changed: written.changed, parts }
    : {
        slug,
        changed: legal[slug].changed,
        parts: partsOf(cleanRichText(filled(builtInText(slug), facts))),
        ...(texts === null && { standsIn: true }),
      };
}

/** A legal text that an admin has written. */
export interface WrittenText {
  /** HTML, with places for facts. */
  body: string;
  /** Moment of the change, exactly as the service writes it. */
  changed: string;
}

/** Those that admins have written. */
export type WrittenTexts = Partial<Record<LegalSlug, WrittenText>>;

interface Row {
  slug: LegalSlug;
  body: string;
  updated_at: string;
}

/** What admins have written. @throws ApiError */
export async function listLegalTexts(client: PostgrestClient): Promise<WrittenTexts> {
  const data = await rows<Row>(client.from('site_pages').select('slug,body,updated_at'));
  return Object.fromEntries(data.map(({ slug, body, updated_at }) => [slug, { body, changed: updated_at }]));
}

/**
 * Stores a legal text, which the data service cleans.
 * @param known what the caller believes to be stored
 * @returns the text as it is stored
 * @throws EditConflict when something else is; ApiError
 */
export async function saveLegalText(
  client: PostgrestClient,
  slug: LegalSlug,
  body: string,
  known: WrittenText | undefined,
): Promise<WrittenText> {
  const table = client.from('site_pages');
  const write = known
    ? table.update({ body }).eq('slug', slug).eq('updated_at', known.changed)
    : table.insert({ slug, body });
  const row = await written<Row>(write.select('body,updated_at'));
  return { body: row.body, changed: row.updated_at };
}

/** Lets the built-in text hold again. @throws EditConflict, ApiError */
export async function resetLegalText(client: PostgrestClient, slug: LegalSlug, known: WrittenText): Promise<void> {
  await written(client.from('site_pages').delete().eq('slug', slug).eq('updated_at', known.changed).select('slug'));
}

/** Facts that a legal text may leave a place for, such as `{email}`: they change with the settings. */
export const legalPlaces = [
  'site name',
  'organisation',
  'email',
  'phone',
  'address',
  'city',
  'time messages are kept',
  'time addresses are kept',
] as const;

type LegalPlace = (typeof legalPlaces)[number];

const PLACE = new RegExp(`\\{(${legalPlaces.join('|')})\\}`, 'g');

/** The text with today's facts in their places. */
export function filled(html: string, { agency, contactMessageDays, submitterAddressDays }: Facts): string {
  const facts: Record<LegalPlace, string> = {
    'site name': agency.name,
    organisation: agency.organisation,
    email: agency.email,
    phone: agency.phone,
    address: agency.address.join(', '),
    city: agency.city,
    'time messages are kept': timeOf(contactMessageDays),
    'time addresses are kept': timeOf(submitterAddressDays),
  };
  return html.replace(PLACE, (_, place: LegalPlace) => asHtml(facts[place]));
}

/** The built-in text with places for facts, as an admin begins to change it. */
export const builtInText = (slug: LegalSlug): string =>
  legal[slug].body(
    {
      ...builtInAgency,
      name: '{site name}',
      organisation: '{organisation}',
      email: '{email}',
      phone: '{phone}',
      address: ['{address}'],
      city: '{city}',
    },
    { messages: '{time messages are kept}', addresses: '{time addresses are kept}' },
  );

/** `2 years`, or `45 days`. */
function timeOf(days: number): string {
  const [count, unit] = days % 365 === 0 ? [days / 365, 'year'] : [days, 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const asHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

const HEADING = /^<h[12][^>]*>([\s\S]*?)<\/h[12]>/;

/** Cuts a clean text at its headings of the first two levels. Parts without any words are left out. */
export function partsOf(html: string): LegalPart[] {
  const taken = new Set<string>();
  return html
    .split(/(?=<h[12][ >])/)
    .filter((part) => plainText(part) !== '')
    .map((part) => {
      const title = plainText(HEADING.exec(part)?.[1] ?? '');
      return { id: title && unique(slugOf({ title }) || 'part', taken), title, html: part.replace(HEADING, '').trim() };
    });
}

function unique(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}

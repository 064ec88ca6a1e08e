import type { PostgrestClient } from '@supabase/postgrest-js';
import { type LegalSlug, legal } from '#features/pages/words/legal.ts';
import { slugOf } from '#features/projects/model/labels.ts';
import { escapeHtml, plainText } from '#lib/data/html-to-text.ts';
import { rows, writeRow } from '#lib/data/rows.ts';
import { builtInAgency } from '#lib/words/agency.ts';
import { cleanRichText } from '../../../../rich-text.ts';
import { builtInFacts, type Facts } from './facts.ts';

/** `standsIn`: the built-in text replaces one that could not be read. */
export type LegalPage = { slug: LegalSlug; changed: string; parts: LegalPart[]; standsIn?: boolean };

/** `id`: fragment, unique on the page; '' for the part before the first heading. */
export type LegalPart = { id: string; title: string; html: string };

/** @param texts null when they could not be read: the built-in text is then marked as a fallback */
export function legalPage(slug: LegalSlug, texts: WrittenTexts | null, facts: Facts): LegalPage {
  const stored = texts?.[slug];
  const partsIn = (body: string) => partsOf(cleanRichText(fillPlaceholders(body, facts)));
  const parts = partsIn(stored?.body ?? '');
  if (stored && parts.length > 0) return { slug, changed: stored.changed, parts };
  const builtIn = { slug, changed: legal[slug].changed, parts: partsIn(builtInText(slug)) };
  return texts === null ? { ...builtIn, standsIn: true } : builtIn;
}

/** `changed`: timestamp exactly as the service writes it. */
export type WrittenText = { body: string; changed: string };

export type WrittenTexts = Partial<Record<LegalSlug, WrittenText>>;

export async function listLegalTexts(client: PostgrestClient): Promise<WrittenTexts> {
  const all = client.from('site_pages').select('slug,body,changed:updated_at');
  const data = await rows<WrittenText & { slug: LegalSlug }>(all);
  return Object.fromEntries(data.map(({ slug, ...text }) => [slug, text]));
}

/** The data service sanitizes the text. @param known the stored text as read. @throws EditConflict, ApiError */
export function saveLegalText(client: PostgrestClient, slug: LegalSlug, body: string, known: WrittenText | undefined) {
  const table = client.from('site_pages');
  const write = known
    ? table.update({ body }).eq('slug', slug).eq('updated_at', known.changed)
    : table.insert({ slug, body });
  return writeRow<WrittenText>(write.select('body,changed:updated_at'));
}

/** Restores the built-in text. @throws EditConflict, ApiError */
export async function resetLegalText(client: PostgrestClient, slug: LegalSlug, known: WrittenText): Promise<void> {
  await writeRow(client.from('site_pages').delete().eq('slug', slug).eq('updated_at', known.changed).select('slug'));
}

const placesOf = ({ agency, contactMessageDays, submitterAddressDays }: Facts) => ({
  'site name': agency.name,
  organisation: agency.organisation,
  email: agency.email,
  phone: agency.phone,
  address: agency.address.join(', '),
  city: agency.city,
  'time messages are kept': timeOf(contactMessageDays),
  'time addresses are kept': timeOf(submitterAddressDays),
});

export const legalPlaces = Object.keys(placesOf(builtInFacts));

const PLACE = new RegExp(`\\{(${legalPlaces.join('|')})\\}`, 'g');

export function fillPlaceholders(html: string, facts: Facts): string {
  const places: Record<string, string> = placesOf(facts);
  return html.replace(PLACE, (_, place: string) => escapeHtml(places[place]!));
}

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

const HEADING = /^<h[12][^>]*>([\s\S]*?)<\/h[12]>/;

/** Splits a sanitized text at its headings of the first two levels. Parts without words are left out. */
export function partsOf(html: string): LegalPart[] {
  // The frame of the page has these ids.
  const used = new Set(['account', 'contents', 'footer-quick', 'main', 'menu']);
  return html
    .split(/(?=<h[12][ >])/)
    .filter((part) => plainText(part) !== '')
    .map((part) => {
      const title = plainText(HEADING.exec(part)?.[1] ?? '');
      return { id: title && unique(slugOf({ title }) || 'part', used), title, html: part.replace(HEADING, '').trim() };
    });
}

function unique(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}

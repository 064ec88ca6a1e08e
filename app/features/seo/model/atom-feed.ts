import type { PostgrestClient } from '@supabase/postgrest-js';
import type { Media } from '#features/media/model/media.ts';
import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import { addressOf, coverOf, socialDescription } from '#features/projects/model/labels.ts';
import { onlyCovers } from '#features/projects/model/media.ts';
import type { Project } from '#features/projects/model/read.ts';
import { LISTED } from '#features/projects/model/status.ts';
import { type Embedded, embedded, rows } from '#lib/data/rows.ts';
import type { Agency } from '#lib/words/agency.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { cleanRichText } from '../../../../rich-text.ts';
import { xmlText } from './xml.ts';

/** Characters; longer texts are cut, so that the whole feed stays below 2 MB. */
const MAX_CONTENT_LENGTH = 60_000;

type Parts = 'description' | 'understanding' | 'actions' | 'impact';

export type FeedExperiment = Pick<Project, 'id' | 'title' | 'created_at' | 'updated_at' | Parts> & {
  project_media: Media[];
  case_study_metadata: Embedded<{ category: string | null }>;
};

const COLUMNS = `id,title,description,created_at,updated_at,understanding,actions,impact,
  project_media(type,url,title,made,poster,is_cover,width,height,placeholder,animated),
  case_study_metadata(category)`;

export function newestExperiments(client: PostgrestClient): Promise<FeedExperiment[]> {
  const listed = onlyCovers(client.from('projects').select(COLUMNS).in('status', LISTED));
  return rows(listed.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(24));
}

/** A feed needs an `updated` date even before anything is published. */
const NOTHING_YET = '2026-11-01T00:00:00Z';

export function atomFeed(experiments: FeedExperiment[], agency: Agency, subtitle: string, host: PictureHost): string {
  const { origin } = host;
  const changes = experiments.map(({ updated_at }) => momentOf(updated_at));
  const changed = changes.sort().at(-1) ?? NOTHING_YET;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="${xmlText(origin)}/">
<id>${xmlText(origin)}/feed.xml</id>
<title>${xmlText(`${agency.portfolioName} | ${agency.name}`)}</title>
<subtitle>${xmlText(subtitle)}</subtitle>
<updated>${changed}</updated>
<author><name>${xmlText(agency.organisation)}</name><uri>${xmlText(origin)}/</uri></author>
<link rel="self" type="application/atom+xml" href="${xmlText(origin)}/feed.xml"/>
<link rel="alternate" type="text/html" href="${xmlText(origin)}/case-studies"/>
<icon>${xmlText(origin)}/icon-192.png</icon>
${experiments.map((experiment) => entryOf(experiment, host)).join('\n')}
</feed>
`;
}

function entryOf(experiment: FeedExperiment, host: PictureHost): string {
  const metadata = embedded(experiment.case_study_metadata);
  const { description, understanding, actions, impact } = experiment;
  const content = [description, understanding, actions, impact]
    .flatMap((text) => (text ? forReaders(text) : []))
    .join('\n');
  const category = categoryLabel(metadata?.category);
  const cover = coverOf(experiment, host);
  return [
    '<entry>',
    `<id>urn:uuid:${experiment.id}</id>`,
    `<title>${xmlText(experiment.title)}</title>`,
    `<link rel="alternate" type="text/html" href="${xmlText(host.origin + addressOf(experiment))}"/>`,
    `<published>${momentOf(experiment.created_at)}</published>`,
    `<updated>${momentOf(experiment.updated_at)}</updated>`,
    category && `<category term="${xmlText(metadata!.category!)}" label="${xmlText(category)}"/>`,
    cover && enclosureOf(pictureOf(cover, host).src, host.origin),
    `<summary>${xmlText(socialDescription(description) || experiment.title)}</summary>`,
    content.length <= MAX_CONTENT_LENGTH && `<content type="html">${xmlText(content)}</content>`,
    '</entry>',
  ]
    .filter(Boolean)
    .join('\n');
}

const momentOf = (text: string) => new Date(text).toISOString();

const TYPES: Record<string, string> = { jpg: 'jpeg', svg: 'svg+xml' };

function enclosureOf(src: string, origin: string): string {
  const address = new URL(src, origin);
  const ending = /\.(jpe?g|png|gif|webp|avif|svg)$/i.exec(address.pathname)?.[1]?.toLowerCase();
  return `<link rel="enclosure"${ending ? ` type="image/${TYPES[ending] ?? ending}"` : ''} href="${xmlText(address.href)}"/>`;
}

const FRAME = /<iframe\b[^>]*?\ssrc="([^"]*)"[^>]*>/g;

/** Feed readers do not show iframes. The text is sanitized, so each element has only one form. */
const forReaders = (html: string) =>
  cleanRichText(html)
    .replace(FRAME, (_, src: string) => `<p><a href="${src}">${URL.parse(src)?.hostname ?? src}</a></p>`)
    .replace(/<\/?iframe\b[^>]*>/g, '')
    // Inline images would be sent to every feed reader every hour.
    .replace(/<img (?!src="http)[^>]*>/g, '');

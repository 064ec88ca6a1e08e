import { hash } from 'node:crypto';
import { href } from 'react-router';
import { courseValues } from '#features/masterclass/model/course-words.ts';
import { masterclassPage } from '#features/masterclass/words/content.ts';
import type { Media } from '#features/media/model/media.ts';
import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import { contactPage } from '#features/messages/words/contact.ts';
import { aboutPage } from '#features/pages/words/about.ts';
import { homePage } from '#features/pages/words/home.ts';
import { joinPage } from '#features/pages/words/join.ts';
import { legal } from '#features/pages/words/legal.ts';
import { portfolioPage } from '#features/pages/words/portfolio.ts';
import { coverOf, slipOf } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import type { Facts } from '#features/settings/model/facts.ts';
import { onHand } from '#lib/brand/colours.ts';
import { type Contents, contentOf, fillWords, type PageFields, type PageSchema } from '#lib/fields/page-field.ts';
import type { Agency } from '#lib/words/agency.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import { canonicalPath } from './page-meta.ts';

/** Content of a social image for link previews. Server only. */
export type SocialCard = ReturnType<typeof experimentCard | typeof cardOf>;

export type SocialImage = { src: string; alt: string };

/** Increment when the drawing changes, so that every address changes. */
const DRAWING = 3;

/** Hash of a card's content, for its address and its cache key. */
export const versionOf = (card: SocialCard): string =>
  hash('sha256', JSON.stringify([DRAWING, card]), 'hex').slice(0, 20);

/** Path of a card's image. @param name the id of its experiment, or the name of its page */
export const socialAddress = (name: string, card: SocialCard): string =>
  href('/social/:file', { file: `${name}-${versionOf(card)}.jpg` });

const ADDRESS = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[a-z]+)(?:-[\da-f]{20})?\.jpg$/;

export const nameIn = (file: string): string | null => ADDRESS.exec(file)?.[1] ?? null;

type BrandOf = Pick<Agency, 'name' | 'colours'>;

const brandParts = ({ name, colours }: BrandOf) => ({ site: name, colours, onHand: onHand(colours) });

type CardFields = 'id' | 'number' | 'title' | 'client' | 'created_at' | 'category' | 'shares';
type CardProject = Pick<Project, CardFields> & { project_media: Media[] };

export function experimentCard(experiment: CardProject, host: PictureHost, agency: BrandOf) {
  const cover = coverOf(experiment, host);
  return {
    kind: 'experiment' as const,
    ...brandParts(agency),
    title: experiment.title,
    client: experiment.client?.trim() || null,
    slip: slipOf(experiment, categoryLabel(experiment.category), experiment.shares),
    shares: experiment.shares,
    cover: cover && pictureOf(cover, host).object,
  };
}

export const experimentImage = (experiment: CardProject, host: PictureHost, agency: BrandOf): SocialImage => {
  const card = experimentCard(experiment, host, agency);
  const alt = card.client ? `${card.title}, for ${card.client}` : card.title;
  return { src: socialAddress(experiment.id, card), alt };
};

/** @param lines the first has the widest font setting, the second the narrowest */
const printed = (lines: readonly string[], slip: string, handFirst: boolean) => ({ lines, slip, handFirst });

type Print<Words> = (words: Words, facts: Facts) => ReturnType<typeof printed>;
type PrintedPage = [name: string, print: Print<Contents>];

const withWords = <Fields extends PageFields>(
  name: string,
  page: PageSchema<string, Fields>,
  print: Print<PageSchema<string, Fields>['words']>,
): PrintedPage => [name, (contents, facts) => print(contentOf(page, contents, facts.agency), facts)];

const pages: Record<string, PrintedPage> = {
  '/': withWords('home', homePage, ({ hero }) => printed([hero.wide, hero.narrow], hero.slip, true)),
  '/about': withWords('about', aboutPage, ({ hero, slip }) =>
    printed([`${hero.rulesWide} ${hero.rulesNarrow}`, `${hero.brandsNarrow} ${hero.brandsWide}`], slip, false),
  ),
  '/join': withWords('join', joinPage, ({ hero, slip }) => printed([hero.wide, hero.narrow], slip, true)),
  '/case-studies': withWords('experiments', portfolioPage, ({ slip }, { agency }) =>
    printed(twoLines(agency.portfolioName), slip, false),
  ),
  '/ai-jewelry-masterclass': withWords('masterclass', masterclassPage, (words, all) => {
    const { name, hero, facts } = fillWords(words, courseValues(all));
    return printed([hero.wide, hero.narrow], `${name} · ${all.masterclass.city} · ${facts.count}`, false);
  }),
  '/contact': withWords('contact', contactPage, ({ start, end, slip }) => printed([start, end], slip, true)),
  '/privacy': ['privacy', () => printed(twoLines(legal.privacy.title), 'Privacy: what we store', true)],
  '/terms': ['terms', () => printed(twoLines(legal.terms.title), 'What we agree on', false)],
} satisfies Partial<Record<PagePath, PrintedPage>>;

const twoLines = (title: string) => title.split(/ (.*)/).filter(Boolean);

const cardOf = ([, print]: PrintedPage, facts: Facts, contents: Contents) => ({
  kind: 'page' as const,
  ...brandParts(facts.agency),
  ...print(contents, facts),
});

export function pageImage(path: string, facts: Facts, contents: Contents = {}): SocialImage {
  const page = pages[canonicalPath(path)] ?? pages['/']!;
  const card = cardOf(page, facts, contents);
  return { src: socialAddress(page[0], card), alt: `${card.lines.join(' ')} | ${facts.agency.name}` };
}

export function pageCard(name: string, facts: Facts, contents: Contents = {}): SocialCard | null {
  const page = Object.values(pages).find(([one]) => one === name);
  return page ? cardOf(page, facts, contents) : null;
}

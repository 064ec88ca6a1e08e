import { createHash } from 'node:crypto';
import { href } from 'react-router';
import type { Agency } from '../../copy/agency.ts';
import { categoryLabel } from '../../copy/categories.ts';
import type { PagePath } from '../../copy/page-path.ts';
import { about } from '../../copy/public/about.ts';
import { collective } from '../../copy/public/collective.ts';
import { contact } from '../../copy/public/contact.ts';
import { home } from '../../copy/public/home.ts';
import { legal } from '../../copy/public/legal.ts';
import { masterclassWords } from '../../copy/public/masterclass.ts';
import { feedWords, socialSlips } from '../../copy/public/social.ts';
import type { Shares } from '../credits/credits.ts';
import type { Media } from '../media/media.ts';
import { type PictureHost, pictureOf } from '../media/picture.ts';
import { coverOf, slipOf } from '../project/labels.ts';
import type { Project } from '../project/read.ts';
import type { Facts } from '../settings/facts.ts';

/** What is printed on a social image: the picture that link previews show. Server only. */
export type SocialCard = ExperimentCard | PageCard;

interface ExperimentCard {
  kind: 'experiment';
  /** Name of the site. */
  site: string;
  title: string;
  client: string | null;
  slip: string;
  /** Who made what, as the strip shows it; null while nobody said. */
  shares: Shares | null;
  /** `bucket/path` in our own store; null where the house's stand-in is printed. */
  cover: string | null;
}

interface PageCard {
  kind: 'page';
  site: string;
  /** The first as wide as hands go, the second as narrow as a machine. */
  lines: readonly string[];
  slip: string;
  /** Which plate lies on top. */
  handFirst: boolean;
}

/** A social image as a page names it; always 1200 × 630. */
export interface SocialImage {
  /** Path on our origin; it changes with everything that is drawn. */
  src: string;
  alt: string;
}

/** Raise it when the drawing itself changes: every address changes with it. */
const DRAWING = 2;

/** Short name of everything that is printed on a card, for its address and for keeping it. */
export const versionOf = (card: SocialCard): string =>
  createHash('sha256')
    .update(JSON.stringify([DRAWING, card]))
    .digest('hex')
    .slice(0, 20);

/** Path of a card's image. @param name the id of its experiment, or the name of its page */
export const socialAddress = (name: string, card: SocialCard): string =>
  href('/social/:file', { file: `${name}-${versionOf(card)}.jpg` });

const ADDRESS = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[a-z]+)(?:-[\da-f]{20})?\.jpg$/;

/** The id of an experiment, or the name of a page, whose image an address asks for in any version; null for no such address. */
export const nameIn = (file: string): string | null => ADDRESS.exec(file)?.[1] ?? null;

export function experimentCard(
  experiment: Pick<Project, 'id' | 'number' | 'title' | 'client' | 'created_at' | 'category' | 'shares'> & {
    project_media: Media[];
  },
  host: PictureHost,
  { name }: Pick<Agency, 'name'>,
): SocialCard {
  const cover = coverOf(experiment, host);
  return {
    kind: 'experiment',
    site: name,
    title: experiment.title,
    client: experiment.client?.trim() || null,
    slip: slipOf(experiment, categoryLabel(experiment.category), experiment.shares),
    shares: experiment.shares,
    cover: cover && pictureOf(cover, host).object,
  };
}

export const experimentImage = (
  experiment: Parameters<typeof experimentCard>[0],
  host: PictureHost,
  agency: Pick<Agency, 'name'>,
): SocialImage => {
  const card = experimentCard(experiment, host, agency);
  const client = experiment.client?.trim();
  return {
    src: socialAddress(experiment.id, card),
    alt: client ? `${experiment.title}, for ${client}` : experiment.title,
  };
};

type Printed = Pick<PageCard, 'lines' | 'slip' | 'handFirst'>;

interface PrintedPage {
  name: string;
  printed: (facts: Facts) => Printed;
}

/** A page without an entry shows that of the front page. */
const pages: Record<string, PrintedPage> = {
  '/': {
    name: 'home',
    printed: ({ agency }) => ({ lines: home.tagline, slip: home.slip(agency.city), handFirst: true }),
  },
  '/about': {
    name: 'about',
    printed: () => ({
      lines: [about.headline.rules.join(' '), about.headline.brands.join(' ')],
      slip: socialSlips.about,
      handFirst: false,
    }),
  },
  '/join': {
    name: 'join',
    printed: () => ({ lines: collective.headline, slip: socialSlips.join, handFirst: true }),
  },
  '/case-studies': {
    name: 'experiments',
    printed: () => ({ lines: twoLines(feedWords.title), slip: socialSlips.experiments, handFirst: false }),
  },
  '/ai-jewelry-masterclass': {
    name: 'masterclass',
    printed: ({ masterclass }) => ({
      lines: masterclassWords.headline,
      slip: `${masterclassWords.title} · ${masterclass.city} · ${masterclass.seats} seats`,
      handFirst: false,
    }),
  },
  '/contact': {
    name: 'contact',
    printed: () => ({ lines: contact.title, slip: socialSlips.contact, handFirst: true }),
  },
  '/privacy': {
    name: 'privacy',
    printed: () => ({ lines: twoLines(legal.privacy.title), slip: socialSlips.privacy, handFirst: true }),
  },
  '/terms': {
    name: 'terms',
    printed: () => ({ lines: twoLines(legal.terms.title), slip: socialSlips.terms, handFirst: false }),
  },
} satisfies Partial<Record<PagePath, PrintedPage>>;

/** The first word on a line of its own. */
const twoLines = (title: string) => title.split(/ (.*)/).filter(Boolean);

const printedOn = (printed: (facts: Facts) => Printed, facts: Facts): PageCard => ({
  kind: 'page',
  site: facts.agency.name,
  ...printed(facts),
});

/** The image of a page of ours. @param path of the page */
export function pageImage(path: string, facts: Facts): SocialImage {
  const { name, printed } = pages[path.replace(/(?<=.)\/$/, '')] ?? pages['/']!;
  const card = printedOn(printed, facts);
  return { src: socialAddress(name, card), alt: `${card.lines.join(' ')} | ${facts.agency.name}` };
}

/** What is printed on the image of that name; null when no page has it. */
export function pageCard(name: string, facts: Facts): SocialCard | null {
  const page = Object.values(pages).find((one) => one.name === name);
  return page ? printedOn(page.printed, facts) : null;
}

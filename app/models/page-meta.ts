import type { MetaDescriptor } from 'react-router';
import { socialImage } from '../copy/agency.ts';
import { builtInFacts, type Facts } from './facts.ts';
import { socialDescription } from './project.ts';

/** What a page says about itself; everything has a default. */
export interface PageMeta {
  /** Without the site's name. */
  title?: string;
  /** Text or HTML; shown as plain text of at most 160 characters. */
  description?: string | null;
  /** Absolute address, or a path on our origin. */
  image?: string;
  type?: 'website' | 'article';
  noindex?: boolean;
  /** Canonical path when it is not the one asked for. */
  path?: string;
}

interface Asked {
  location: { pathname: string };
  matches: readonly ({ loaderData?: unknown } | undefined)[];
}

/** The facts that the root's loader found; the built-in ones on a page whose root could not be loaded. */
export const factsIn = ({ matches }: Asked): Facts =>
  (matches[0]?.loaderData as { facts?: Facts } | undefined)?.facts ?? builtInFacts;

/** Title, description, canonical address and social preview of a page; the origin comes from the root's loader. */
export function pageTags(asked: Asked, page: PageMeta = {}): MetaDescriptor[] {
  const origin = (asked.matches[0]?.loaderData as { origin?: string } | undefined)?.origin ?? '';
  const { agency } = factsIn(asked);
  const title = `${page.title ?? agency.defaultTitle} | ${agency.name}`;
  const description = socialDescription(page.description) || socialDescription(agency.defaultDescription);
  const address = origin + (page.path ?? asked.location.pathname);
  const image = URL.parse(page.image ?? socialImage, origin || undefined)?.href;
  return [
    { title },
    { name: 'description', content: description },
    ...(page.noindex ? [{ name: 'robots', content: 'noindex' }] : []),
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:site_name', content: agency.name },
    { property: 'og:type', content: page.type ?? 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: address },
    ...(image ? [{ property: 'og:image', content: image }] : []),
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}

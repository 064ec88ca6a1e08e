import { href, type MetaDescriptor } from 'react-router';
import { socialDescription } from '#features/projects/model/labels.ts';
import { builtInFacts, type Facts } from '#features/settings/model/facts.ts';
import { type Contents, contentOf, type PageFields, type PageSchema } from '#lib/fields/page-field.ts';
import type { SocialImage } from './social-card.ts';
import { type Breadcrumb, breadcrumbData, structured } from './structured-data.ts';

export interface PageMeta {
  title?: string;
  /** Text or HTML; reduced to plain text of at most 160 characters. */
  description?: string | null;
  /** For link previews; defaults to the image of the requested path. */
  image?: SocialImage;
  type?: 'website' | 'article';
  noindex?: boolean;
  path?: string;
  parent?: Breadcrumb;
}

interface PageArgs {
  location: { pathname: string };
  matches: readonly ({ loaderData?: unknown } | undefined)[];
}

type RootData = { origin?: string; facts?: Facts; content?: Contents; socialImage?: SocialImage };

const rootData = ({ matches }: PageArgs) => (matches[0]?.loaderData ?? {}) as RootData;

export const factsIn = (args: PageArgs): Facts => rootData(args).facts ?? builtInFacts;

export const contentsIn = (args: PageArgs): Contents => rootData(args).content ?? {};

export const contentIn = <Fields extends PageFields>(args: PageArgs, page: PageSchema<string, Fields>) =>
  contentOf(page, contentsIn(args), factsIn(args).agency);

export const originIn = (args: PageArgs): string => rootData(args).origin ?? '';

/** Capitals and a trailing slash lead to the same page, which has one canonical address. */
export const canonicalPath = (pathname: string): string =>
  pathname.replace(/%..|[A-Z]/g, (part) => (part[0] === '%' ? part : part.toLowerCase())).replace(/\/+$/, '') || '/';

export function pageTags(args: PageArgs, page: PageMeta = {}): MetaDescriptor[] {
  const origin = originIn(args);
  const { agency } = factsIn(args);
  const title = `${page.title ?? agency.defaultTitle} | ${agency.name}`;
  const description = socialDescription(page.description) || socialDescription(agency.defaultDescription);
  const path = page.path ?? canonicalPath(args.location.pathname);
  return [
    { title },
    { name: 'description', content: description },
    ...(page.noindex ? [{ name: 'robots', content: 'noindex' }] : []),
    { tagName: 'link', rel: 'canonical', href: origin + path },
    { property: 'og:site_name', content: agency.name },
    { property: 'og:type', content: page.type ?? 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: origin + path },
    ...imageTags(page.image ?? rootData(args).socialImage, origin),
    ...(page.title && path !== '/' && !page.noindex ? [breadcrumbs(page.title, path, page.parent, origin)] : []),
  ];
}

/** Tags of a page that is excluded from search. */
export const privateTags = (title: string, description?: string) => (args: PageArgs) =>
  pageTags(args, { title, noindex: true, ...(description && { description }) });

const imageTags = (image: SocialImage | undefined, origin: string): MetaDescriptor[] =>
  image
    ? [
        { property: 'og:image', content: origin + image.src },
        { property: 'og:image:type', content: 'image/jpeg' },
        { property: 'og:image:width', content: '1200' },
        { property: 'og:image:height', content: '630' },
        { property: 'og:image:alt', content: image.alt },
        { name: 'twitter:card', content: 'summary_large_image' },
        { name: 'twitter:image:alt', content: image.alt },
      ]
    : [{ name: 'twitter:card', content: 'summary' }];

const breadcrumbs = (name: string, path: string, parent: Breadcrumb | undefined, origin: string) =>
  structured(breadcrumbData([{ name: 'Home', path: href('/') }, ...(parent ? [parent] : []), { name, path }], origin));

import { href, type MetaDescriptor } from 'react-router';
import type * as Schema from 'schema-dts';
import { addressOf, socialDescription } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { builtInFacts, type Facts } from '#features/settings/model/facts.ts';
import { type FactValues, ON_PAGE, shownFacts } from '#features/settings/model/project-facts.ts';
import { type Contents, contentOf, type PageFields, type PageSchema } from '#lib/fields/page-field.ts';
import type { creditData } from './credit-data.ts';
import type { SocialImage } from './social-card.ts';

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

type PageArgs = { location: { pathname: string }; matches: readonly ({ loaderData?: unknown } | undefined)[] };

type RootData = { origin?: string; facts?: Facts; content?: Contents; socialImage?: SocialImage };

const rootData = ({ matches }: PageArgs) => (matches[0]?.loaderData ?? {}) as RootData;

export const factsIn = (args: PageArgs): Facts => rootData(args).facts ?? builtInFacts;

export const contentsIn = (args: PageArgs): Contents => rootData(args).content ?? {};

export const contentIn = <Fields extends PageFields>(args: PageArgs, page: PageSchema<string, Fields>) =>
  contentOf(page, contentsIn(args), factsIn(args).agency);

export const originIn = (args: PageArgs): string => rootData(args).origin ?? '';

/** Capitals and a trailing slash lead to the same page, which has one canonical address. */
export const canonicalPath = (pathname: string): string =>
  pathname.replace(/%..|[A-Z]/g, (one) => (one[0] === '%' ? one : one.toLowerCase())).replace(/(?<!\/)\/+$/, '') || '/';

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

/** Structured data for a page's `meta`. The router escapes anything that could end the script. */
export const structured = (data: object): MetaDescriptor => ({
  'script:ld+json': data as Extract<MetaDescriptor, { 'script:ld+json': unknown }>['script:ld+json'],
});

export const CONTEXT = 'https://schema.org';

const author = ({ agency }: Facts, origin: string) =>
  ({
    '@type': 'Organization',
    '@id': `${origin}/#organisation`,
    name: agency.organisation,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
  }) satisfies Schema.Organization;

export function siteData(facts: Facts, origin: string): Schema.Graph {
  const { agency } = facts;
  const { email, phone: telephone } = agency;
  const search: Schema.SearchAction & { 'query-input': string } = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}${href('/case-studies')}?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  };
  return {
    '@context': CONTEXT,
    '@graph': [
      {
        ...author(facts, origin),
        alternateName: agency.name,
        description: agency.defaultDescription,
        email,
        telephone,
        address: {
          '@type': 'PostalAddress',
          streetAddress: agency.address.filter((line) => !line.includes(agency.city)).join(', '),
          addressLocality: agency.city,
          addressCountry: agency.country,
        },
        contactPoint: { '@type': 'ContactPoint', contactType: 'customer service', email, telephone },
        sameAs: agency.social.map(({ href: to }) => to),
      } satisfies Schema.Organization,
      {
        '@type': 'WebSite',
        '@id': `${origin}/#website`,
        name: agency.name,
        alternateName: agency.organisation,
        url: `${origin}/`,
        inLanguage: 'en',
        publisher: { '@id': `${origin}/#organisation` },
        potentialAction: search,
      } satisfies Schema.WebSite,
    ],
  };
}

export function articleData(
  experiment: Pick<Project, 'id' | 'title' | 'created_at'> & { updated_at: string | null; facts?: FactValues },
  description: string,
  images: string[],
  facts: Facts,
  origin: string,
  credits: ReturnType<typeof creditData>,
  films: { name: string; src: string; poster: string }[] = [],
): Schema.WithContext<Schema.Article> & { additionalProperty?: Schema.PropertyValue[] } {
  const address = origin + addressOf(experiment);
  const properties = shownFacts(facts.projectFacts, experiment.facts ?? {}, ON_PAGE).map(
    ({ fact: { name }, value }): Schema.PropertyValue => ({ '@type': 'PropertyValue', name, value }),
  );
  const videos = films.flatMap(({ name, src, poster }): Schema.VideoObject | [] => {
    const [thumbnail, content] = [URL.parse(poster, origin)?.href, URL.parse(src, origin)?.href];
    if (!thumbnail || !content) return [];
    return {
      '@type': 'VideoObject',
      name,
      description: description || name,
      thumbnailUrl: thumbnail,
      contentUrl: content,
      uploadDate: experiment.created_at,
    };
  });
  return {
    '@context': CONTEXT,
    '@type': 'Article',
    headline: experiment.title,
    ...(description ? { description } : {}),
    image: images.flatMap((image) => URL.parse(image, origin)?.href ?? []),
    ...(videos.length > 0 && { video: videos }),
    datePublished: experiment.created_at,
    dateModified: experiment.updated_at ?? experiment.created_at,
    author: author(facts, origin),
    publisher: author(facts, origin),
    ...credits,
    ...(properties.length > 0 && { additionalProperty: properties }),
    mainEntityOfPage: { '@type': 'WebPage', '@id': address },
    url: address,
    inLanguage: 'en',
  };
}

const numbered = <Item extends object>(items: Item[]) =>
  items.map((item, at) => ({ '@type': 'ListItem' as const, position: at + 1, ...item }));

export type Breadcrumb = { name: string; path: string };

const breadcrumbData = (steps: Breadcrumb[], origin: string): Schema.WithContext<Schema.BreadcrumbList> => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: numbered(steps.map(({ name, path }) => ({ name, item: origin + path }))),
});

export const collectionData = (page: Breadcrumb, items: Pick<Project, 'id' | 'title'>[], origin: string) =>
  ({
    '@context': CONTEXT,
    '@type': 'CollectionPage',
    name: page.name,
    url: origin + page.path,
    inLanguage: 'en',
    isPartOf: { '@id': `${origin}/#website` },
    publisher: { '@id': `${origin}/#organisation` },
    mainEntity: {
      '@type': 'ItemList',
      itemListElement: numbered(items.map((item) => ({ url: origin + addressOf(item) }))),
    },
  }) satisfies Schema.WithContext<Schema.CollectionPage>;

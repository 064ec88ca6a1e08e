import { href, type MetaDescriptor } from 'react-router';
import type {
  Article,
  BreadcrumbList,
  CollectionPage,
  Graph,
  Organization,
  PropertyValue,
  SearchAction,
  VideoObject,
  WebSite,
  WithContext,
} from 'schema-dts';
import { addressOf } from '#features/projects/model/labels.ts';
import type { Facts } from '#features/settings/model/facts.ts';
import { type FactValues, ON_PAGE, shownFacts } from '#features/settings/model/project-facts.ts';
import type { creditData } from './credit-data.ts';

/** Structured data for a page's `meta`. The router escapes anything that could end the script. */
export const structured = (data: object): MetaDescriptor => ({
  'script:ld+json': data as Extract<MetaDescriptor, { 'script:ld+json': unknown }>['script:ld+json'],
});

export const CONTEXT = 'https://schema.org';

/** The organisation is author and publisher of every experiment. */
const author = ({ agency }: Facts, origin: string) =>
  ({
    '@type': 'Organization',
    '@id': `${origin}/#organisation`,
    name: agency.organisation,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
  }) satisfies Organization;

export function siteData(facts: Facts, origin: string): Graph {
  const { agency } = facts;
  const { email, phone: telephone } = agency;
  const street = agency.address.filter((line) => !line.includes(agency.city));
  const search: SearchAction & { 'query-input': string } = {
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
          streetAddress: street.join(', '),
          addressLocality: agency.city,
          addressCountry: agency.country,
        },
        contactPoint: { '@type': 'ContactPoint', contactType: 'customer service', email, telephone },
        sameAs: agency.social.map(({ href: to }) => to),
      } satisfies Organization,
      {
        '@type': 'WebSite',
        '@id': `${origin}/#website`,
        name: agency.name,
        alternateName: agency.organisation,
        url: `${origin}/`,
        inLanguage: 'en',
        publisher: { '@id': `${origin}/#organisation` },
        potentialAction: search,
      } satisfies WebSite,
    ],
  };
}

interface DescribedExperiment {
  id: string;
  title: string;
  created_at: string;
  updated_at: string | null;
  facts?: FactValues;
}

export function articleData(
  experiment: DescribedExperiment,
  description: string,
  images: string[],
  facts: Facts,
  origin: string,
  credits: ReturnType<typeof creditData>,
  films: { name: string; src: string; poster: string }[] = [],
): WithContext<Article> & { additionalProperty?: PropertyValue[] } {
  const address = origin + addressOf(experiment);
  const properties = shownFacts(facts.projectFacts, experiment.facts ?? {}, ON_PAGE).map(
    ({ fact: { name }, value }): PropertyValue => ({ '@type': 'PropertyValue', name, value }),
  );
  const videos = films.flatMap(({ name, src, poster }): VideoObject | [] => {
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

export type Breadcrumb = { name: string; path: string };

export const breadcrumbData = (steps: Breadcrumb[], origin: string): WithContext<BreadcrumbList> => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: origin + path,
  })),
});

type Listed = Pick<DescribedExperiment, 'id' | 'title'>;

export const collectionData = (page: Breadcrumb, items: Listed[], origin: string): WithContext<CollectionPage> => ({
  '@context': CONTEXT,
  '@type': 'CollectionPage',
  name: page.name,
  url: origin + page.path,
  inLanguage: 'en',
  isPartOf: { '@id': `${origin}/#website` },
  publisher: { '@id': `${origin}/#organisation` },
  mainEntity: {
    '@type': 'ItemList',
    itemListElement: items.map((item, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      url: origin + addressOf(item),
    })),
  },
});

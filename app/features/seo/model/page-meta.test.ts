import { describe, expect, it } from 'vitest';
import { builtInAgency as agency } from '#lib/words/agency.ts';
import { type PageMeta, pageTags } from './page-meta.ts';

const socialImage = { src: '/social/experiments-1.jpg', alt: 'Mad Experiments' };
const loaderData = { origin: 'https://madhouse.example', socialImage };
const args = { location: { pathname: '/case-studies' }, matches: [{ loaderData }] };
const tags = (page?: PageMeta, of: Parameters<typeof pageTags>[0] = args) =>
  pageTags(of, page) as Record<string, string>[];
const content = (page: PageMeta | undefined, name: string) =>
  tags(page).find((tag) => tag['property'] === name || tag['name'] === name)?.['content'];

describe('page metadata', () => {
  it('has the page title, a bar and the site name (META-01)', () => {
    expect(tags({ title: 'Terms' })[0]).toEqual({ title: `Terms | ${agency.name}` });
  });

  it('uses the default title and description when a page has none (META-02, META-03)', () => {
    expect(tags()[0]).toEqual({ title: `${agency.defaultTitle} | ${agency.name}` });
    expect(content(undefined, 'description')).toBe(agency.defaultDescription);
  });

  it('has a canonical address on the configured origin, without query, capitals or trailing slash (META-04)', () => {
    for (const pathname of ['/case-studies', '/case-studies/', '/Case-Studies', '/']) {
      const link = tags({}, { ...args, location: { pathname } }).find((tag) => tag['rel'] === 'canonical');
      expect(link?.['href']).toBe(`https://madhouse.example/${pathname === '/' ? '' : 'case-studies'}`);
    }
  });

  it('cuts a description of more than 160 characters to 157 and an ellipsis (META-06, CONST-14)', () => {
    const long = 'm'.repeat(161);
    for (const name of ['description', 'og:description']) {
      expect(content({ description: long }, name)).toBe(`${'m'.repeat(157)}...`);
      expect(content({ description: `<p>${long.slice(1)}</p>` }, name)).toBe(long.slice(1));
    }
  });

  it('has an absolute image address with size and alt text', () => {
    expect(content({}, 'og:image')).toBe('https://madhouse.example/social/experiments-1.jpg');
    const names = ['og:image:width', 'og:image:height', 'og:image:alt', 'twitter:image:alt', 'twitter:card'];
    const contents = names.map((name) => content({}, name)).join();
    expect(contents).toBe('1200,630,Mad Experiments,Mad Experiments,summary_large_image');
  });

  it('uses the page’s own image, and none when the page failed to load', () => {
    const image = { src: '/social/own-2.jpg', alt: 'Chai Atlas' };
    expect(content({ image }, 'og:image')).toBe('https://madhouse.example/social/own-2.jpg');
    expect(content({ image }, 'og:image:alt')).toBe('Chai Atlas');
    const broken = tags({}, { location: { pathname: '/' }, matches: [undefined] });
    expect(broken.some((tag) => tag['property'] === 'og:image')).toBe(false);
  });

  it('excludes search engines only when configured', () => {
    expect(content({ noindex: true }, 'robots')).toBe('noindex');
    expect(content({}, 'robots')).toBeUndefined();
  });

  it('has breadcrumbs unless the page is excluded from search', () => {
    const way = (page: PageMeta) => tags(page).find((tag) => 'script:ld+json' in tag)?.['script:ld+json'];
    const parent = { name: 'Mad Experiments', path: '/case-studies' };
    expect(way({ title: 'Chai Atlas', path: '/case-studies/1', parent })).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home', item: 'https://madhouse.example/' },
        { '@type': 'ListItem', position: 2, name: 'Mad Experiments', item: 'https://madhouse.example/case-studies' },
        { '@type': 'ListItem', position: 3, name: 'Chai Atlas', item: 'https://madhouse.example/case-studies/1' },
      ],
    });
    expect(way({ title: 'Chai Atlas', noindex: true })).toBeUndefined();
    expect(way({ title: 'Home', path: '/' })).toBeUndefined();
  });
});

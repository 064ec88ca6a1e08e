import { describe, expect, it } from 'vitest';
import { builtInAgency as agency } from '../copy/agency.ts';
import { type PageMeta, pageTags } from './page-meta.ts';

const asked = {
  location: { pathname: '/case-studies' },
  matches: [{ loaderData: { origin: 'https://madhouse.example' } }],
};
const tags = (page?: PageMeta) => pageTags(asked, page) as Record<string, string>[];
const content = (page: PageMeta | undefined, name: string) =>
  tags(page).find((tag) => tag['property'] === name || tag['name'] === name)?.['content'];

describe('what a page says about itself', () => {
  it('META-01: its own title, a bar, the name of the site', () => {
    expect(tags({ title: 'Terms' })[0]).toEqual({ title: `Terms | ${agency.name}` });
  });

  it('META-02, META-03: the default title and description when it has none', () => {
    expect(tags()[0]).toEqual({ title: `${agency.defaultTitle} | ${agency.name}` });
    expect(content(undefined, 'description')).toBe(agency.defaultDescription);
  });

  it('META-04: a canonical address on the configured origin, without a query', () => {
    expect(tags().find((tag) => tag['rel'] === 'canonical')?.['href']).toBe('https://madhouse.example/case-studies');
  });

  it('names its picture in full', () => {
    expect(content({ image: '/a.png' }, 'og:image')).toBe('https://madhouse.example/a.png');
    expect(content({ image: 'https://x.example/b.png' }, 'og:image')).toBe('https://x.example/b.png');
  });

  it('asks search engines to stay away only when told to', () => {
    expect(content({ noindex: true }, 'robots')).toBe('noindex');
    expect(content({}, 'robots')).toBeUndefined();
  });
});

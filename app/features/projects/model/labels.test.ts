import { describe, expect, it } from 'vitest';
import type { Media } from '#features/media/model/media.ts';
import { builtInAgency } from '#lib/words/agency.ts';
import {
  addressOf,
  budgetOf,
  clientOf,
  coverOf,
  coverPicture,
  excerptOf,
  slipOf,
  slugOf,
  socialDescription,
} from './labels.ts';
import { isListed } from './status.ts';

const unknownSize = { width: null, height: null };
const image = (url: string): Media => ({ type: 'image', url, title: null, ...unknownSize, placeholder: null });

const withCover = (...media: (Media | string)[]) => ({
  project_media: media.map((one) => (typeof one === 'string' ? image(one) : one)),
});
const cover = (...media: (Media | string)[]) => coverOf(withCover(...media), builtInAgency)?.url ?? null;

describe('slug', () => {
  it.each([
    ['  Rock & Roll --  It’s (Only) a "Brand"!  2026 ', 'rock-roll-its-only-a-brand-2026'],
    ['Über_chai चाय', 'über_chai-चाय'],
  ])('is the title in lower case without punctuation, with hyphens for spaces: %s (DETAIL-03)', (title, slug) =>
    expect(slugOf({ title })).toBe(slug),
  );

  it.each([
    ['Chai, twice', '/case-studies/abc/chai-twice'],
    ['चाय', `/case-studies/abc/${encodeURIComponent('चाय')}`],
    ['!!!', '/case-studies/abc'],
  ])('ends the detail page’s address, URL-encoded: %s (LIST-19)', (title, address) =>
    expect(addressOf({ id: 'abc', title })).toBe(address),
  );
});

describe('card excerpt', () => {
  const long = 'word '.repeat(10_000);
  const markup = `<p><a href="https://x.example/${'y'.repeat(3000)}">Salt &amp; pepper</a></p>`;
  it.each([
    ['without markup', '<p>Hands &amp; <strong>machines</strong></p><p>at work</p>', 'Hands & machines at work'],
    ['of 150 characters', 'x'.repeat(150), 'x'.repeat(150)],
    ['cut to 147 and three dots', 'x'.repeat(151), `${'x'.repeat(147)}...`],
    ['without a split character', '🪔'.repeat(151), `${'🪔'.repeat(147)}...`],
    ['of a long text behind long markup', `${markup}<p>${long}</p>`, `${`Salt & pepper ${long}`.slice(0, 147)}...`],
    ['with an end behind markup', `${markup}<p>${'<em></em>'.repeat(500)}end</p>`, 'Salt & pepper end'],
    ['with a placeholder for no text', null, 'No description available'],
    ['with a placeholder for empty markup', '<p><br></p>', 'No description available'],
  ])('is %s (LIST-14, LIST-15, CONST-12)', (_, description, excerpt) =>
    expect(excerptOf({ description })).toBe(excerpt),
  );
});

it.each([
  ['<h2>Salt &amp; pepper</h2><p>1 &lt; 2</p>', 'Salt & pepper 1 < 2'],
  ['y'.repeat(160), 'y'.repeat(160)],
  ['y'.repeat(161), `${'y'.repeat(157)}...`],
  ['<p></p>', ''],
])('describes a link preview in plain text of at most 160 characters: %s (META-05, META-06, CONST-14)', (html, text) =>
  expect(socialDescription(html)).toBe(text),
);

describe('cover', () => {
  it('is the first media item whose address names an image file, in any letter case (LIST-18, CONST-26)', () => {
    const film: Media = { ...image('https://example.com/film.png'), type: 'video' };
    const first = 'https://example.com/first.JPEG?size=2';
    expect(cover(film, 'https://example.com/page.html', first, '/second.png')).toBe(first);
    for (const ending of ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg', 'JPG'])
      expect(cover('https://example.com/a.pdf', 'https://example.com/b.bmp', `/c.${ending}`)).toBe(`/c.${ending}`);
  });

  it.each([
    'https://images.unsplash.com/photo-1',
    'https://images.pexels.com/photos/2',
    'https://x.example/storage/v1/object/public/case-studies/images/3.avif',
  ])('may be without an extension on known hosts and in our storage: %s (CONST-26)', (url) =>
    expect(cover(url)).toBe(url),
  );

  it('is the first poster of a video when there is no image', () => {
    const films = [null, 'https://evil.example/poster', '/poster.jpg', '/other.jpg'].map(
      (poster): Media => ({ ...image('https://example.com/film.mp4'), type: 'video', poster }),
    );
    expect(cover(...films)).toBe('/poster.jpg');
    expect(coverPicture(withCover(...films), builtInAgency)).toBeNull();
    expect(cover(...films, '/picture.png')).toBe('/picture.png');
  });

  it.each([
    'https://images.unsplash.com.evil.example/photo',
    'https://example.com/png',
    'javascript:alert(1)//.png',
    'data:,x.png',
    '',
  ])('is none for %j', (url) => expect(cover(url)).toBeNull());
});

it.each([
  [12500, true, '$12,500'],
  [0, true, '$0'],
  [99.5, true, '$99.50'],
  [null, true, null],
  [12500, false, null],
])('shows a budget in dollars, unless the project hides it: %s, %s (LIST-17)', (budget, show_budget, shown) =>
  expect(budgetOf({ budget, show_budget })).toBe(shown),
);

it('shows “Confidential” for a missing or blank client (LIST-13)', () => {
  const clients = ['Ghats Trust', ' ', null].map((client) => clientOf({ client }));
  expect(clients).toEqual(['Ghats Trust', 'Client confidential', 'Client confidential']);
});

it('lists active and completed projects only (LIST-33)', () =>
  expect(['active', 'completed', 'draft', 'archived', ''].filter(isListed)).toEqual(['active', 'completed']));

it.each([
  [14, 'Branding', 'EXP 0014 ·\u00a0Branding ·\u00a02026'],
  [14, null, 'EXP 0014 ·\u00a02026'],
  [null, 'Branding', 'Branding ·\u00a02026'],
  [12345, null, 'EXP 12345 ·\u00a02026'],
])('gives an experiment a line with number, category and year: %s, %s', (number, category, line) =>
  expect(slipOf({ number, created_at: '2026-05-01T00:00:00+00:00' }, category)).toBe(line),
);

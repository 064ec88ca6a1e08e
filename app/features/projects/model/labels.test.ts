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

const image = (url: string): Media => ({
  type: 'image',
  url,
  title: null,
  width: null,
  height: null,
  placeholder: null,
});

describe('slug', () => {
  it('is the title in lower case without punctuation, with hyphens for spaces (DETAIL-03)', () => {
    expect(slugOf({ title: '  Rock & Roll --  It’s (Only) a "Brand"!  2026 ' })).toBe(
      'rock-roll-its-only-a-brand-2026',
    );
  });

  it('keeps underscores and letters of all scripts', () => {
    expect(slugOf({ title: 'Über_chai चाय' })).toBe('über_chai-चाय');
  });

  it('ends the detail page’s address, URL-encoded (LIST-19)', () => {
    expect(addressOf({ id: 'abc', title: 'Chai, twice' })).toBe('/case-studies/abc/chai-twice');
    expect(addressOf({ id: 'abc', title: 'चाय' })).toBe(`/case-studies/abc/${encodeURIComponent('चाय')}`);
  });

  it('is omitted when the title contains no letters or digits', () => {
    expect(addressOf({ id: 'abc', title: '!!!' })).toBe('/case-studies/abc');
  });
});

describe('card excerpt', () => {
  const described = (description: string | null) => excerptOf({ description });

  it('contains no markup (LIST-14)', () => {
    expect(described('<p>Hands &amp; <strong>machines</strong></p><p>at work</p>')).toBe('Hands & machines at work');
  });

  it('keeps 150 characters, and cuts longer text to 147 and three dots (LIST-14, CONST-12)', () => {
    expect(described('x'.repeat(150))).toBe('x'.repeat(150));
    expect(described('x'.repeat(151))).toBe(`${'x'.repeat(147)}...`);
  });

  it('does not depend on the length or markup of the remaining text', () => {
    const markup = `<p><a href="https://x.example/${'y'.repeat(3000)}">Salt &amp; pepper</a></p>`;
    expect(described(`${markup}<p>${'word '.repeat(10_000)}</p>`)).toBe(
      `${`Salt & pepper ${'word '.repeat(40)}`.slice(0, 147)}...`,
    );
    expect(described(`${markup}<p>${'<em></em>'.repeat(500)}end</p>`)).toBe('Salt & pepper end');
  });

  it('never splits a character', () => {
    expect(described('🪔'.repeat(151))).toBe(`${'🪔'.repeat(147)}...`);
  });

  it('has a placeholder when the text is missing or contains only empty markup (LIST-15)', () => {
    expect(described(null)).toBe('No description available');
    expect(described('<p><br></p>')).toBe('No description available');
  });
});

describe('description for link previews', () => {
  it('is plain text with decoded entities (META-05)', () => {
    expect(socialDescription('<h2>Salt &amp; pepper</h2><p>1 &lt; 2</p>')).toBe('Salt & pepper 1 < 2');
  });

  it('keeps 160 characters, and cuts longer text to 157 and an ellipsis (META-06, CONST-14)', () => {
    expect(socialDescription('y'.repeat(160))).toBe('y'.repeat(160));
    expect(socialDescription('y'.repeat(161))).toBe(`${'y'.repeat(157)}...`);
  });

  it('is empty without text', () => {
    expect(socialDescription('<p></p>')).toBe('');
  });
});

describe('cover', () => {
  it('is the first media item whose address names an image file (LIST-18)', () => {
    const media = [
      { ...image('https://example.com/film.png'), type: 'video' as const },
      image('https://example.com/page.html'),
      image('https://example.com/first.JPEG?size=2'),
      image('https://example.com/second.png'),
    ];
    expect(coverOf({ project_media: media }, builtInAgency)?.url).toBe('https://example.com/first.JPEG?size=2');
  });

  it('detects image files by their extension, in any letter case (CONST-26)', () => {
    for (const ending of ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg', 'JPG']) {
      const media = [image('https://example.com/a.pdf'), image('https://example.com/b.bmp'), image(`/c.${ending}`)];
      expect(coverOf({ project_media: media }, builtInAgency)?.url).toBe(`/c.${ending}`);
    }
    expect(coverOf({ project_media: [image('https://example.com/png')] }, builtInAgency)).toBeNull();
  });

  it('accepts images of the two known hosts and of our storage without an extension (CONST-26)', () => {
    for (const url of [
      'https://images.unsplash.com/photo-1',
      'https://images.pexels.com/photos/2',
      'https://x.example/storage/v1/object/public/case-studies/images/3.avif',
    ]) {
      expect(coverOf({ project_media: [image(url)] }, builtInAgency)?.url).toBe(url);
    }
  });

  it('is the first poster of a video when there is no image', () => {
    const film = (poster: string | null): Media => ({
      ...image('https://example.com/film.mp4'),
      type: 'video',
      poster,
    });
    const films = [film(null), film('https://evil.example/poster'), film('/poster.jpg'), film('/other.jpg')];
    expect(coverOf({ project_media: films }, builtInAgency)?.url).toBe('/poster.jpg');
    expect(coverPicture({ project_media: films }, builtInAgency)).toBeNull();
    expect(coverOf({ project_media: [...films, image('/picture.png')] }, builtInAgency)?.url).toBe('/picture.png');
  });

  it('is null without an image, for a look-alike host and without an address', () => {
    const addresses = [
      'https://images.unsplash.com.evil.example/photo',
      'javascript:alert(1)//.png',
      'data:,x.png',
      '',
    ];
    expect(coverOf({ project_media: addresses.map(image) }, builtInAgency)).toBeNull();
  });
});

describe('displayed budget', () => {
  it('is shown in dollars when set, including zero (LIST-17)', () => {
    expect(budgetOf({ budget: 12500, show_budget: true })).toBe('$12,500');
    expect(budgetOf({ budget: 0, show_budget: true })).toBe('$0');
    expect(budgetOf({ budget: 99.5, show_budget: true })).toBe('$99.50');
    expect(budgetOf({ budget: null, show_budget: true })).toBeNull();
  });

  it('is hidden when the project hides it', () => {
    expect(budgetOf({ budget: 12500, show_budget: false })).toBeNull();
  });
});

it('shows “Confidential” for a missing or blank client (LIST-13)', () => {
  expect(clientOf({ client: 'Ghats Trust' })).toBe('Ghats Trust');
  expect(clientOf({ client: ' ' })).toBe('Client confidential');
  expect(clientOf({ client: null })).toBe('Client confidential');
});

it('lists active and completed projects only (LIST-33)', () => {
  expect(['active', 'completed', 'draft', 'archived', ''].filter((status) => isListed(status))).toEqual([
    'active',
    'completed',
  ]);
});

it('gives every experiment a line with number, category, year and credits', () => {
  const project = { number: 14, created_at: '2026-05-01T00:00:00+00:00' };
  expect(slipOf(project, 'Branding')).toBe('EXP 0014 ·\u00a0Branding ·\u00a02026');
  expect(slipOf(project, null)).toBe('EXP 0014 ·\u00a02026');
  expect(slipOf({ ...project, number: null }, 'Branding')).toBe('Branding ·\u00a02026');
  expect(slipOf({ ...project, number: 12345 }, null)).toBe('EXP 12345 ·\u00a02026');
});

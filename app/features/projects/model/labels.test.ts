import { describe, expect, it } from 'vitest';
import type { Media } from '#features/media/model/media.ts';
import { builtInAgency } from '#lib/words/agency.ts';
import { addressOf, budgetOf, clientOf, coverOf, excerptOf, slipOf, slugOf, socialDescription } from './labels.ts';
import { isListed } from './status.ts';

const image = (url: string): Media => ({
  type: 'image',
  url,
  title: null,
  width: null,
  height: null,
  placeholder: null,
});

describe('the slug', () => {
  it('DETAIL-03: is the title in lower case, without punctuation, with single hyphens for spaces', () => {
    expect(slugOf({ title: '  Rock & Roll --  It’s (Only) a "Brand"!  2026 ' })).toBe(
      'rock-roll-its-only-a-brand-2026',
    );
  });

  it('keeps underscores and the letters of other scripts', () => {
    expect(slugOf({ title: 'Über_chai चाय' })).toBe('über_chai-चाय');
  });

  it('LIST-19: ends the address of the detail page, encoded', () => {
    expect(addressOf({ id: 'abc', title: 'Chai, twice' })).toBe('/case-studies/abc/chai-twice');
    expect(addressOf({ id: 'abc', title: 'चाय' })).toBe(`/case-studies/abc/${encodeURIComponent('चाय')}`);
  });

  it('is left out of the address when the title has no word in it', () => {
    expect(addressOf({ id: 'abc', title: '!!!' })).toBe('/case-studies/abc');
  });
});

describe('the text on a card', () => {
  const described = (description: string | null) => excerptOf({ description });

  it('LIST-14: loses its markup', () => {
    expect(described('<p>Hands &amp; <strong>machines</strong></p><p>at work</p>')).toBe('Hands & machines at work');
  });

  it('LIST-14, CONST-12: stays whole at 150 characters and is cut to 147 and three dots above', () => {
    expect(described('x'.repeat(150))).toBe('x'.repeat(150));
    expect(described('x'.repeat(151))).toBe(`${'x'.repeat(147)}...`);
  });

  it('is the same however long and however marked up the rest is', () => {
    const markup = `<p><a href="https://x.example/${'y'.repeat(3000)}">Salt &amp; pepper</a></p>`;
    expect(described(`${markup}<p>${'word '.repeat(10_000)}</p>`)).toBe(
      `${`Salt & pepper ${'word '.repeat(40)}`.slice(0, 147)}...`,
    );
    expect(described(`${markup}<p>${'<em></em>'.repeat(500)}end</p>`)).toBe('Salt & pepper end');
  });

  it('is never cut through the middle of a character', () => {
    expect(described('🪔'.repeat(151))).toBe(`${'🪔'.repeat(147)}...`);
  });

  it('LIST-15: says so when there is none, or only empty markup', () => {
    expect(described(null)).toBe('No description available');
    expect(described('<p><br></p>')).toBe('No description available');
  });
});

describe('the social description', () => {
  it('META-05: is plain text with entities decoded', () => {
    expect(socialDescription('<h2>Salt &amp; pepper</h2><p>1 &lt; 2</p>')).toBe('Salt & pepper 1 < 2');
  });

  it('META-06, CONST-14: stays whole at 160 characters and is cut to 157 and an ellipsis above', () => {
    expect(socialDescription('y'.repeat(160))).toBe('y'.repeat(160));
    expect(socialDescription('y'.repeat(161))).toBe(`${'y'.repeat(157)}...`);
  });

  it('is empty when there is no text', () => {
    expect(socialDescription('<p></p>')).toBe('');
  });
});

describe('the cover', () => {
  it('LIST-18: is the first image whose address names a picture file', () => {
    const media = [
      { ...image('https://example.com/film.png'), type: 'video' as const },
      image('https://example.com/page.html'),
      image('https://example.com/first.JPEG?size=2'),
      image('https://example.com/second.png'),
    ];
    expect(coverOf({ project_media: media }, builtInAgency)?.url).toBe('https://example.com/first.JPEG?size=2');
  });

  it('CONST-26: knows a picture by its ending, in any case, and no other file', () => {
    for (const ending of ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg', 'JPG']) {
      const media = [image('https://example.com/a.pdf'), image('https://example.com/b.bmp'), image(`/c.${ending}`)];
      expect(coverOf({ project_media: media }, builtInAgency)?.url).toBe(`/c.${ending}`);
    }
    expect(coverOf({ project_media: [image('https://example.com/png')] }, builtInAgency)).toBeNull();
  });

  it('CONST-26: takes pictures of the two known hosts and of our own store without a file ending', () => {
    for (const url of [
      'https://images.unsplash.com/photo-1',
      'https://images.pexels.com/photos/2',
      'https://x.example/storage/v1/object/public/case-studies/images/3.avif',
    ]) {
      expect(coverOf({ project_media: [image(url)] }, builtInAgency)?.url).toBe(url);
    }
  });

  it('is nothing when there is no picture, a look-alike host, or no address at all', () => {
    const addresses = [
      'https://images.unsplash.com.evil.example/photo',
      'javascript:alert(1)//.png',
      'data:,x.png',
      '',
    ];
    expect(coverOf({ project_media: addresses.map(image) }, builtInAgency)).toBeNull();
  });
});

describe('the budget', () => {
  it('LIST-17: is shown in dollars when it is set, and zero counts as set', () => {
    expect(budgetOf({ budget: 12500, show_budget: true })).toBe('$12,500');
    expect(budgetOf({ budget: 0, show_budget: true })).toBe('$0');
    expect(budgetOf({ budget: 99.5, show_budget: true })).toBe('$99.50');
    expect(budgetOf({ budget: null, show_budget: true })).toBeNull();
  });

  it('is kept back when the project says so', () => {
    expect(budgetOf({ budget: 12500, show_budget: false })).toBeNull();
  });
});

it('LIST-13: calls a missing or blank client confidential', () => {
  expect(clientOf({ client: 'Ghats Trust' })).toBe('Ghats Trust');
  expect(clientOf({ client: ' ' })).toBe('Client confidential');
  expect(clientOf({ client: null })).toBe('Client confidential');
});

it('LIST-33: lists what is active or completed, and nothing else', () => {
  expect(['active', 'completed', 'draft', 'archived', ''].filter((status) => isListed(status))).toEqual([
    'active',
    'completed',
  ]);
});

it('gives every experiment a specimen slip', () => {
  const project = { number: 14, created_at: '2026-05-01T00:00:00+00:00' };
  expect(slipOf(project, 'Branding')).toBe('EXP 0014 ·\u00a0Branding ·\u00a02026');
  expect(slipOf(project, null)).toBe('EXP 0014 ·\u00a02026');
  expect(slipOf({ ...project, number: null }, 'Branding')).toBe('Branding ·\u00a02026');
  expect(slipOf({ ...project, number: 12345 }, null)).toBe('EXP 12345 ·\u00a02026');
});

import { describe, expect, it } from 'vitest';
import { type CheckedContent, contentChecks, hashOf, placeIn } from './content-checks.ts';

const NOTHING = { media: [], brief: null, understanding: null, actions: null, impact: null };
const lamp = { type: 'image' as const, id: 'p', name: 'lamp.png' };
const picture = (alt: string | null, part = {}) => ({ ...lamp, alt, ...part });
const inBrief = (brief: string) => contentChecks({ ...NOTHING, brief });
const found = (content: Partial<CheckedContent>) => contentChecks({ ...NOTHING, ...content });

describe('picture checks', () => {
  it('require a description for pictures that is no file name, but not for decorative ones or videos', () => {
    const missing = { id: 'alt p', words: 'lamp.png does not say what it shows.', place: { media: 'p' } };
    expect(found({ media: [picture(null)] })).toEqual([missing]);
    const fileName = { words: expect.stringContaining('only the name of its file'), place: { media: 'p' } };
    expect(found({ media: [picture('IMG_2044.jpg')] })).toMatchObject([fileName]);
    for (const fine of [picture('A lamp with ears'), picture(''), picture(null, { type: 'video' })])
      expect(found({ media: [fine] })).toEqual([]);
  });

  it('report each picture inside a text with its position', () => {
    const html =
      '<p><img src="https://a.example/1.png" alt="A lamp &gt; no lamp"><img src="https://a.example/2.png" alt=""></p><p><img src="https://a.example/3.png" alt="lamp.png" /></p>';
    const places = [1, 2].map((at) => ({ text: 'brief', kind: 'picture', at }));
    expect(inBrief(html).map(({ place }) => place)).toEqual(places);
  });
});

describe('heading checks', () => {
  it('accept a step of one level down and any step up, in each text separately', () => {
    expect(inBrief('<h1>a</h1><h2>b</h2><h3>c</h3><h1>d</h1><h2>e</h2>')).toEqual([]);
    expect(inBrief('<h2>a</h2><p>b</p><h3>c</h3>')).toEqual([]);
    expect(found({ brief: '<h1>a</h1>', impact: '<h3>b</h3>' })).toEqual([]);
  });

  it('report the position of a skipped level', () => {
    const words = 'In “The Brief” a heading 3 follows a heading 1. Use a heading 2 between them.';
    const place = { text: 'brief', kind: 'heading', at: 1 };
    expect(inBrief('<h1>a</h1><p>b</p><h3>c</h3>')).toMatchObject([{ words, place }]);
  });
});

describe('link checks', () => {
  const link = (label: string) =>
    `<p>see <a href="https://a.example/b" rel="noopener nofollow ugc">${label}</a> now</p>`;

  it('accept a link with words', () => {
    const marked = ['<strong>here</strong>', '<img src="x" alt="A map">'];
    const labels = ['the register', 'a.example', 'hello@a.example', ...marked];
    expect(labels.flatMap((label) => inBrief(link(label)))).toEqual([]);
  });

  it.each(['', ' ', '&nbsp;', '\u200b', '<strong></strong>'])('report a link without words: %j', (label) => {
    const place = { text: 'brief', kind: 'link', at: 1 };
    expect(inBrief(link('fine') + link(label))).toMatchObject([{ words: 'A link in “The Brief” has no text.', place }]);
  });

  it.each(['https://a.example/b', 'www.a.example', 'a.example/b?c=d', '<u>http://a.example</u>'])(
    'report a link that shows its address: %s',
    (label) =>
      expect(inBrief(link(label))).toMatchObject([{ words: expect.stringContaining('shows only its address') }]),
  );
});

it('encodes a place in a text as a URL fragment and decodes it', () => {
  const place = { text: 'impact', kind: 'link', at: 2 } as const;
  expect(hashOf(place)).toBe('impact-link-3');
  expect(placeIn('#impact-link-3')).toEqual(place);
  for (const other of ['', '#media', '#impact-link-', '#impact-link-0x1', '#toString-link-1'])
    expect(placeIn(other)).toBeNull();
});

it('lists problems in the order of the form, with stable ids', () => {
  const checks = found({ media: [picture(null)], brief: '<h1>a</h1><h3>b</h3>', impact: '<a href="/x"></a>' });
  expect(checks.map(({ place }) => ('media' in place ? 'media' : place.text))).toEqual(['media', 'brief', 'impact']);
  expect(new Set(checks.map(({ id }) => id)).size).toBe(3);
});

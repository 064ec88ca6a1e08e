import { expect, it } from 'vitest';
import { pageSchemas } from '../../app/features/pages/model/page-schemas.ts';
import type { FieldSpec, Fields } from '../../app/lib/fields/field.ts';
import { DESKTOP, expectAccessible, PHONE } from '../browser.ts';
import { publishContent, saveDraft } from './page-editor.ts';
import { admin, htmlOf, openAt, openPage, seeded, startSeeded } from './seeded.ts';
import { dataAs } from './signing-in.ts';

startSeeded();

const call = async (name: string, args: object) => (await dataAs(admin)).rpc(name, args);

it('published pages show new words with the next request, and the built-in ones for fields that are missing or invalid', async () => {
  expect(await htmlOf('/')).toContain('Handmade');
  const services = { title: 'What we do', list: [{ name: 'Letterpress', text: 'By hand, in {city}.' }] };
  await publishContent('home', { hero: { wide: 'Printed', narrow: 7 }, services, recipe: { scoops: 'none' } });
  const home = await htmlOf('/');
  for (const text of ['Printed', 'with machines.', 'What we do', 'Letterpress', 'By hand, in Mumbai.', 'The recipe'])
    expect(home).toContain(text);
  expect(home).not.toMatch(/Handmade|AI Videos/);
  expect(home.match(/<script/g)).toHaveLength((await htmlOf('/terms')).match(/<script/g)!.length);
  const [social] = /\/social\/home-[^"]+/.exec(home)!;
  expect((await fetch(seeded.base + social, { redirect: 'manual' })).status).toBe(200);
});

it('published pages have their words in the feed, below each experiment, on cards and where no page is', async () => {
  const more = { title: 'Go on', own: 'Send yours', all: 'Back to {portfolio}', contact: 'Talk' };
  await publishContent('portfolio', { add: 'Add yours', question: 'What about you?', feed: 'Fresh proofs.', more });
  const list = await htmlOf('/case-studies');
  for (const text of ['Add yours', 'What about you?', 'Start Your Project']) expect(list).toContain(text);
  const [experiment] = /\/case-studies\/[\da-f-]{36}\/[^"]+/.exec(list)!;
  expect(await htmlOf(experiment)).toMatch(/Go on.*Send yours.*Back to Mad Experiments.*Talk/s);
  expect(await htmlOf('/feed.xml')).toContain('<subtitle>Fresh proofs.</subtitle>');
  await publishContent('missing', { title: 'Nothing here', text: 'Turn back.' });
  for (const path of ['/nowhere', '/no/where']) {
    const answer = await fetch(seeded.base + path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/Nothing here.*Turn back\..*Go Back/s);
  }
  await publishContent('join', {
    title: 'Become one of us',
    vibe: { list: ['You ask', 'You listen', 'You draw', 'You laugh'] },
    timing: { list: [{ project: 'All projects', paid: 'On Fridays' }] },
    how: {
      keys: [
        { metal: 'Tin', count: '3' },
        { metal: 'Zinc', count: '1' },
      ],
    },
  });
  const join = await htmlOf('/join');
  for (const text of ['<title>Become one of us |', 'On Fridays', '3 Tin = 1 Zinc', '10 hrs per week'])
    expect(join).toContain(text);
  expect(join).not.toMatch(/Monthly projects|4 Silver/);
  const verdict = (await openAt('/join')).locator('.vibe-verdict');
  expect(await verdict.evaluate((one) => getComputedStyle(one, '::before').content)).toBe('counter(ticks) "/4"');
});

it('published pages keep drafts to admins', async () => {
  await saveDraft('about', { hero: { lead: 'Secret lead' } });
  expect(await htmlOf('/about')).not.toContain('Secret lead');
  await saveDraft('about', null);
});

const SECTIONS = [
  { kind: 'text', title: 'What happens', html: '<p>Tea at <strong>ten</strong>.</p>' },
  { kind: 'picture', picture: { path: '/work/chai-atlas.svg', alt: 'A glass of tea' }, caption: 'At the stall' },
  {
    kind: 'gallery',
    title: 'Last time',
    pictures: [
      { picture: { path: '/work/monsoon-radio.svg', alt: 'A radio' }, caption: '' },
      {
        picture: { path: '/work/ten-thousand-looms.svg', alt: 'A loom' },
        caption: 'Donaudampfschifffahrtsgesellschaftskapitän',
      },
    ],
  },
  { kind: 'call', title: 'Come by', text: 'No booking.', label: 'Write to us', href: '/contact' },
];

it('free pages are in the menu, the footer and the sitemap, and lead on from a former address', async () => {
  const path = '/open-studio';
  const { data: id } = await call('create_page', { title: 'Open studio', path });
  const draft = { page: id, content: { sections: SECTIONS }, title: 'Open studio', seen: 1 };
  const { data: seen } = await call('save_page_draft', draft);
  expect((await call('publish_page', { page: id, seen })).error).toBeNull();
  await publishContent('frame', {
    menu: [
      { label: 'Home', href: '/' },
      { label: 'Open studio', href: path },
      { label: 'Gone', href: '/never-there' },
    ],
  });
  const page = await openAt('/', PHONE);
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Main' });
  expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Home', 'Open studio']);
  await menu.getByRole('link', { name: 'Open studio' }).click();
  await page.getByRole('heading', { level: 1, name: 'Open studio' }).waitFor();
  expect(await page.title()).toBe('Open studio | Madhouse');
  for (const alt of ['A glass of tea', 'A radio', 'A loom'])
    expect(await page.getByRole('img', { name: alt }).count()).toBe(1);
  expect(await page.getByRole('link', { name: 'Write to us' }).getAttribute('href')).toBe('/contact');
  for (const { viewport } of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
  expect(await htmlOf('/sitemap.xml')).toContain(`${path}</loc>`);
  expect((await fetch(`${seeded.base}/Open-Studio`)).status, 'in any letter case').toBe(200);

  await call('move_page', { page: id, path: `${path}-new` });
  const moved = await fetch(seeded.base + path, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([301, `${path}-new`]);
  expect(await htmlOf('/about')).toContain(`href="${path}-new"`);
  await call('delete_page', { page: id });
  expect((await fetch(`${seeded.base}${path}-new`)).status).toBe(404);
  expect(await htmlOf('/about')).not.toContain('Open studio');
  await call('restore_page', { page: id });
  expect((await fetch(`${seeded.base}${path}-new`)).status).toBe(200);
});

/** Content with texts of the maximum length and very long words. */
const longest = (fields: Fields): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, longestOf(field)]));

function longestOf(field: FieldSpec): unknown {
  const longText = (limit: number) => 'Typographischemusterblattsammlung '.repeat(40).slice(0, limit).trim();
  switch (field.kind) {
    case 'text':
      if (field.format === 'minutes') return '120';
      if (field.format === 'count') return '9';
      return field.format ? '/about' : longText(field.limit);
    case 'lines':
      return Array.from({ length: field.most }, (_, at) => longText(field.limit - 3) + at);
    case 'list':
      return Array.from({ length: field.most }, () => longest(field.fields));
    case 'record':
      return longest(field.fields);
    case 'choice':
      return Object.keys(field.options)[0];
    case 'picture':
      return { path: '/work/chai-atlas.svg', alt: '' };
    default:
      return [];
  }
}

it('the longest words keep every page within the screen of a phone and a desktop', async () => {
  for (const kind of ['home', 'portfolio', 'about', 'join', 'masterclass', 'contact', 'frame', 'missing'] as const)
    await publishContent(kind, longest(pageSchemas[kind].fields));
  const page = await openPage(PHONE);
  for (const path of ['/', '/case-studies', '/about', '/join', '/ai-jewelry-masterclass', '/contact', '/nowhere']) {
    await page.goto(path);
    for (const { viewport } of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, path).toBeLessThanOrEqual(0);
    }
  }
});

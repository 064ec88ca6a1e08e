import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, mayComplain, PHONE } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { mailsIn } from '../../outbox.ts';
import { publicPages } from '../../public-pages.ts';
import { CONTACTS } from '../experiments.ts';
import { openAsAdmin, retype } from '../hands.ts';
import { admin, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';

startSeeded();

const settings = async () => (await dataAs(admin)).from('site_settings');
afterEach(async () => (await settings()).delete().neq('name', '').throwOnError());

const SVG = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40">${inner}</svg>`;
const LOGO = SVG('<circle cx="20" cy="20" r="18" fill="#b5179e"/><path d="M50 4h60v32H50z" fill="#005f56"/>');
const COLOURS = { hand: '#b5179e', machine: '#005f56', paper: '#fff6e5' };
const OLD = { light: ['#ee3a12', '#2a44f5', '#edeff0', '#270f11'], dark: ['#ff6b43', '#8d9cff'] };
const DRAWINGS = [
  ...['favicon.ico', 'icon.svg', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'],
  ...['house-cover.svg', 'film-plate.svg', 'work/chai-atlas.svg', 'work/monsoon-radio.svg'],
];
const DETAILS = { ...CONTACTS, organisation: 'Studio Nila LLP', portfolio_name: 'Field Notes' };

const bytes = async (path: string) => Buffer.from(await (await fetch(`${seeded.base}/${path}`)).arrayBuffer());
const file = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content, 'latin1') });
const logoField = (page: Page) => page.getByLabel('Logo', { exact: true });

/** Share of the pixels of a picture that have one of these colours. */
async function shareOf(picture: Buffer, colours: readonly string[], tolerance = 0): Promise<number> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const wanted = colours.map((colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
  let found = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if (wanted.some((parts) => parts.every((part, channel) => Math.abs(data[at + channel]! - part) <= tolerance)))
      found++;
  return found / (info.width * info.height);
}

const saveByKeyboard = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).press('Enter');

it('the brand kit refuses what cannot be read or is no logo with a sentence, and keeps the form', async () => {
  const page = await openAsAdmin('/admin/settings', PHONE);
  await page.locator('#brand > summary').press('Enter');
  await retype(page.getByLabel('Site name'), 'Studio Nila');
  for (const [logo, sentence] of [
    [file('logo.svg', 'Our logo'), 'This file is not an SVG or a PNG.'],
    [file('logo.png', '\x89PNG\r\n\x1a\nhalf'), 'This PNG is damaged.'],
    [file('logo.svg', SVG('<script>alert(1)</script>')), 'This SVG contains a script.'],
    [file('logo.svg', SVG('<image href="https://evil.example/a.png"/>')), 'This SVG refers to another file.'],
  ] as const) {
    await logoField(page).setInputFiles(logo);
    await page.getByText(sentence).waitFor();
  }
  await logoField(page).setInputFiles(file('logo.svg', LOGO));
  await page.getByRole('img', { name: 'Logo: SVG' }).waitFor();
  await page.getByLabel('Paper').fill('#888888');
  await page.getByText(/This paper is too dark.*Links in this colour are too pale/).waitFor();
  await saveByKeyboard(page);
  await page.getByText('Nothing was saved yet.').waitFor();
  expect(await page.getByLabel('Site name').inputValue()).toBe('Studio Nila');
  expect(await page.getByLabel('Paper').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);

  await page.getByLabel('Paper').fill(COLOURS.paper);
  await page.getByLabel('Ink of the hand').fill(COLOURS.hand);
  await page.getByLabel('Ink of the machine').fill(COLOURS.machine);
  await page.getByText('Dark theme', { exact: true }).waitFor();
  for (const { viewport } of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await saveByKeyboard(page);
  await page.getByText('Saved. The site shows it from now on.').first().waitFor();
  await page.goto('/');
  await page.locator('.top-bar').getByRole('img', { name: 'Studio Nila' }).waitFor();
});

it('the brand kit is refused by the server, too, without contrast or with a script', async () => {
  for (const [name, value, sentence] of [
    ['brand_colours', { ...COLOURS, paper: '#888888' }, /paper is too dark/],
    ['logo', 'Our logo', /A logo is an SVG or a PNG/],
    ['logo_dark', SVG('<rect onclick="alert(1)"/>'), /contains a script/],
    ['logo', SVG('x'.repeat(150_000)), /too large/],
  ] as const) {
    const { error, status } = await (await settings()).insert({ name, value });
    expect([name, status, error?.message]).toEqual([name, 422, expect.stringMatching(sentence)]);
  }
  const refused = await fetch(`${seeded.base}/brand/logo`, { method: 'POST', body: LOGO });
  expect([refused.status, await refused.json()]).toEqual([403, { problem: 'Only an admin can choose a logo.' }]);
});

it('the brand kit is in every page, mail, image, feed and header, and resetting restores the built-in one', async () => {
  const drawings = () => Promise.all(DRAWINGS.map(bytes));
  const before = { join: String(await bytes('join')), drawings: await drawings() };
  const rows = { ...DETAILS, site_name: 'Studio Nila', brand_colours: COLOURS, logo: LOGO };
  await (await settings()).insert(Object.entries(rows).map(([name, value]) => ({ name, value }))).throwOnError();

  const pages = [...Object.values(await publicPages(seeded.base)), '/sign-in', '/case-study-upload', '/admin'];
  const images = new Set<string>();
  for (const path of [...pages, '/feed.xml', '/manifest.webmanifest', '/ai-jewelry-masterclass.ics', '/robots.txt']) {
    const response = await fetch(seeded.base + path);
    const headers = JSON.stringify([...response.headers].filter(([name]) => name !== 'content-security-policy'));
    // The built-in values stay in the style sheet, where those of the brand replace them.
    const text = (await response.text()).replace(/<style[\s\S]*?<\/style>/g, '');
    const builtIn = (headers + text).match(/.{30}(madhouse|#ee3a12|#2a44f5|#edeff0|brand-plates).{30}/gi) ?? [];
    expect(builtIn, path).toEqual([]);
    if (response.headers.get('content-type')!.startsWith('text/html'))
      expect(text, path).toContain('| Studio Nila</title>');
    // Link previews of experiments contain their covers.
    for (const [, image] of text.matchAll(/content="[^"]*\/(social\/[a-z]+-[^"-]+)"/g)) images.add(image!);
  }
  const manifest = JSON.parse(String(await bytes('manifest.webmanifest')));
  expect(manifest).toMatchObject({ name: 'Studio Nila LLP', short_name: 'Studio Nila', theme_color: COLOURS.paper });
  expect(String(await bytes('feed.xml'))).toContain('<title>Field Notes | Studio Nila</title>');

  const now = await drawings();
  for (const [at, name] of DRAWINGS.entries()) {
    expect(now[at]!.equals(before.drawings[at]!), name).toBe(false);
    if (name.endsWith('.svg')) expect(String(now[at]), name).not.toMatch(/#ee3a12|#2a44f5|#270f11/);
    const picture = name.endsWith('.ico') ? now[at]!.subarray(22) : now[at]!;
    expect(await shareOf(picture, OLD.light, 6), name).toBeLessThan(0.001);
  }
  expect(images.size).toBeGreaterThan(5);
  for (const image of images) {
    const picture = await bytes(image);
    expect(await shareOf(picture, OLD.light.slice(0, 2), 10), image).toBeLessThan(0.001);
    expect(await shareOf(picture, [COLOURS.hand, COLOURS.machine], 10), image).toBeGreaterThan(0.05);
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    const page = mayComplain(await openPage({ ...DESKTOP, colorScheme }));
    // Pictures of experiments have colours of their own.
    await page.route(/\/storage\//, (route) => route.abort());
    await enterAdmin(page, admin, '/admin/settings');
    const few = ['/admin/settings', '/', '/about', '/case-studies'];
    for (const path of colorScheme === 'dark' ? few : ['/admin/settings', ...pages]) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      const picture = await page.screenshot();
      expect(await shareOf(picture, [...OLD[colorScheme].slice(0, 2)]), `${path}, ${colorScheme}`).toBe(0);
      expect(await page.title()).toContain('| Studio Nila');
    }
    await expectAccessible(page);
  }

  await clientOf(seeded).send('/auth/v1/recover', { json: { email: admin.email } });
  const mails = () => mailsIn(join(seeded.dataDir, 'outbox'), 'recovery');
  await expect.poll(async () => (await mails()).length).toBeGreaterThan(0);
  const mail = (await mails()).at(-1)!.replaceAll(admin.email, '');
  expect(mail).toMatch(/^From: Studio Nila </m);
  expect(mail).toContain('A new password for your Studio Nila account');
  expect(mail).toContain(`background:${COLOURS.hand}`);
  expect(mail.match(/.*(madhouse|#ee3a12|#2a44f5).*/gi) ?? []).toEqual([]);

  await (await settings()).delete().neq('name', '').throwOnError();
  expect(String(await bytes('join'))).toBe(before.join);
  const restored = (await drawings()).map((drawing, at) => drawing.equals(before.drawings[at]!));
  expect(restored).toEqual(DRAWINGS.map(() => true));
});

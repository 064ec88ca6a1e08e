import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { animatedGif, fileOf, newPath } from '../../../packages/backend/tests/storage/files.ts';
import { DESKTOP, expectAccessible, expectFocus, PHONE } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { addMedia, publish } from '../experiments.ts';
import { requestsOf } from '../hands.ts';
import { admin, openPage, seeded, startSeeded } from '../seeded.ts';
import { keepSession } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';
import {
  choose,
  draftOf,
  editorOf,
  fillIn,
  fillInAndUpload,
  openNewForm,
  paste,
  picture,
  privateLink,
  saved,
  send,
  uploaded,
} from './form.ts';

startSeeded();

let id: string;
const [moving, made] = [newPath('gif'), newPath('jpg')];

async function upload(path: string, bytes: Uint8Array, type: string) {
  const stored = await clientOf(seeded).send(`/storage/v1/object/case-studies/${path}`, {
    method: 'POST',
    // As the form and the official client send it.
    headers: { 'cache-control': 'max-age=3600' },
    body: fileOf(bytes, type),
  });
  expect(stored.status).toBe(200);
  return `${seeded.base}/storage/v1/object/public/case-studies/${path}`;
}

beforeAll(async () => {
  const create = { width: 700, height: 500, channels: 3 as const, background: '#2b3bff' };
  const drawn = await sharp({ create }).jpeg().toBuffer();
  id = await publish({ title: 'Frames' });
  const still = { type: 'image', project_id: id, description: null };
  const greys = await upload(moving, await animatedGif(12), 'image/gif');
  await addMedia([
    { ...still, url: await upload(made, drawn, 'image/jpeg'), title: 'Portrait', made: 'together', order: 0 },
    { ...still, url: greys, title: 'Twelve greys', made: null, order: 1 },
  ]);
});

const FILM = 'https://www.youtube.com/watch?v=WhWc3b3KhnY';

const namesOn = (page: Page) => page.locator('.submit-tile-name span:first-child').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

async function addFilm(page: Page): Promise<void> {
  await page.getByLabel('Type').selectOption('video');
  await page.getByLabel('URL', { exact: true }).fill(FILM);
  await page.getByRole('button', { name: 'Add Media via URL' }).click();
  await page.getByRole('button', { name: `Remove ${FILM}` }).waitFor();
}

it('media section of the submit form sets order, cover, descriptions and credits by keyboard (D14)', async () => {
  const page = await openNewForm();
  await fillInAndUpload(page, 'A lamp by keyboard', [
    await picture('one.png'),
    await picture('two.png', '#2a44f5'),
    await picture('three.png', '#1b1220'),
  ]);
  expect(await namesOn(page)).toEqual(['one.png', 'two.png', 'three.png']);

  await page.getByRole('button', { name: 'Move three.png', exact: true }).press('Space');
  await page.getByText('three.png picked up. Place 3 of 3.').waitFor();
  for (const key of ['ArrowUp', 'ArrowUp', 'Space']) await page.keyboard.press(key);
  await page.getByText('three.png dropped at place 1 of 3.').waitFor();
  expect(await namesOn(page)).toEqual(['three.png', 'one.png', 'two.png']);
  expect(await focused(page)).toBe('Move three.png');

  await page.getByRole('button', { name: 'Move one.png down' }).press('Enter');
  await expect.poll(() => namesOn(page)).toEqual(['three.png', 'two.png', 'one.png']);
  expect(await focused(page)).toBe('Move one.png down');

  const coverOf = (name: string) => page.getByRole('button', { name: `Use as cover: ${name}` });
  expect(await coverOf('three.png').getAttribute('aria-pressed')).toBe('true');
  await coverOf('one.png').press('Enter');
  expect(await coverOf('one.png').getAttribute('aria-pressed')).toBe('true');
  expect(await coverOf('three.png').getAttribute('aria-pressed')).toBe('false');

  const shows = (name: string) => page.getByLabel(`What does it show? (${name})`);
  const list = page.getByRole('region', { name: 'things could be better' });
  await list.getByText('two.png does not say what it shows.').waitFor();
  await page.getByRole('button', { name: 'Go there: two.png does not say what it shows.' }).press('Enter');
  await expectFocus(shows('two.png'));
  await page.keyboard.type('A lamp with ears');
  for (const key of ['Enter', 'Tab', 'Tab', 'ArrowDown']) await page.keyboard.press(key);
  await page.getByLabel('Decorative (no description needed) about three.png').press('Space');
  expect(await shows('three.png').isDisabled()).toBe(true);
  await page.getByRole('region', { name: '1 thing could be better' }).waitFor();
  await page.getByLabel('Caption (two.png)').fill(' Ears, mostly ');

  await saved(page);
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await namesOn(page)).toEqual(['three.png', 'two.png', 'one.png']);
  expect(await shows('two.png').inputValue()).toBe('A lamp with ears');
  expect(await coverOf('one.png').getAttribute('aria-pressed')).toBe('true');

  await expectAccessible(page);
  await send(page);
  const sent = await privateLink(page);
  const { project_media: media } = await draftOf(sent);
  expect(media).toMatchObject([
    { title: null, alt: '', made: null, is_cover: false },
    { title: 'Ears, mostly', alt: 'A lamp with ears', made: 'hand', is_cover: false },
    { title: null, alt: null, made: null, is_cover: true },
  ]);

  // The draft page shows the same pictures and texts.
  await page.goto(sent.link);
  expect(await page.locator('.detail-cover img').getAttribute('src')).toContain(media[2]!.url.split('/').at(-1));
  const alts = await page.locator('.gallery img').evaluateAll((all) => all.map((one) => one.getAttribute('alt')));
  expect(alts).toEqual(['', 'A lamp with ears']);
  await page.locator('.gallery figcaption').getByText('Made by hand').waitFor();
});

it('media section of the submit form works on a phone by touch, and adds a poster to a video', async () => {
  const page = await openNewForm(PHONE);
  await fillIn(page, 'A lamp by finger', [await picture('one.png'), await picture('two.png', '#2a44f5')]);
  await addFilm(page);
  await page.getByLabel(`Or its address (${FILM})`).fill('pictures.example/p.png');
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.getByText('An address starts with https:// or http://.').waitFor();
  await page.getByLabel(`Poster picture (${FILM})`).setInputFiles([await picture('poster.png', '#0a6638')]);
  await page.locator('.poster img').waitFor();
  await uploaded(page);

  const handle = page.getByRole('button', { name: 'Move one.png', exact: true });
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const from = (await handle.boundingBox())!;
  const touch = await page.context().newCDPSession(page);
  const at = (y: number) => [{ x: from.x + 20, y }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from.y + 20) });
  // To the edge of the window, where the page scrolls and the next row reaches the finger.
  for (const y of [from.y + 60, 600, 700, 800])
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(y) });
  await expect.poll(() => page.locator('.submit-tile[data-mark]').count()).toBe(1);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(async () => (await namesOn(page)).indexOf('one.png')).toBeGreaterThan(0);
  const order = await namesOn(page);

  expect(await visualFaults(page)).toEqual([]);
  await expectAccessible(page);
  await send(page);
  const { project_media: media } = await draftOf(await privateLink(page));
  expect(media.map(({ type, url }) => (type === 'video' ? url : 'picture'))).toEqual(
    order.map((name) => (name === FILM ? FILM : 'picture')),
  );
  expect(media.find(({ type }) => type === 'video')!.poster).toContain('/case-studies/images/');
});

it('improvement hints of the submit form link to each field', async () => {
  const page = await openNewForm();
  await choose(page, [await picture('IMG_2044.png')]);
  await page.getByLabel('What does it show? (IMG_2044.png)').fill('IMG_2044.png');
  await page.getByText('IMG_2044.png says only the name of its file').waitFor();
  await (await editorOf(page, 'impact')).click();
  const html = '<p>a</p><h1>One</h1><h3>Three</h3><p>see <a href="https://a.example/b">https://a.example/b</a></p>';
  await paste(page, { html }, 'impact');
  const list = page.getByRole('region', { name: '3 things could be better' });
  await list.getByRole('button', { name: /a heading 3 follows a heading 1/ }).click();
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('Three');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-impact');
  await list.getByRole('button', { name: /shows only its address/ }).click();
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('https://a.example/b');
  await page.keyboard.type('the register');
  await page.getByRole('region', { name: '2 things could be better' }).waitFor();
  expect(await visualFaults(page)).toEqual([]);
});

/** URLs of complete animations that the page requested. */
const watched = (page: Page) =>
  requestsOf(page, (request) => request.url().includes(`/object/public/case-studies/${moving}`));

it.each([
  ['without a script', false, DESKTOP],
  ['with scripts', true, PHONE],
] as const)(
  'animated picture shows its first frame until played by key or touch, and again afterwards: %s (D18)',
  async (_, javaScriptEnabled, device) => {
    const page = await openPage({ ...device, javaScriptEnabled });
    const asked = watched(page);
    await page.goto(`/case-studies/${id}`);
    const figure = page.locator('.gallery figure');
    await figure.scrollIntoViewIfNeeded();
    const still = figure.locator('.enlarge img');
    await expect.poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await still.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\/render\/image\/.*still=1/);
    // Without scripts browsers load lazy images immediately; this one is not shown.
    if (javaScriptEnabled) expect(asked).toEqual([]);
    expect(await figure.locator('details img').isVisible()).toBe(false);
    const button = figure.locator('summary');
    expect(await button.innerText()).toMatch(/^Play/);
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await button.scrollIntoViewIfNeeded();
    const box = await figure.boundingBox();
    await button.press('Enter');
    await expect.poll(() => asked.length).toBe(1);
    expect(await button.innerText()).toMatch(/^Pause/);
    const whole = figure.locator('details img');
    expect(await whole.boundingBox()).toEqual(await still.boundingBox());
    expect(await figure.boundingBox()).toEqual(box);
    if (javaScriptEnabled) await expectAccessible(page);
    await button.click();
    await whole.waitFor({ state: 'hidden' });
  },
);

it('animated picture plays in the large view; another picture is requested with its AI label, which the file contains (D18)', async () => {
  const page = await openPage();
  const asked = watched(page);
  await page.goto(`/case-studies/${id}`);
  const cover = page.locator('.detail-cover .enlarge');
  const shown = await cover.locator('img').evaluate((image: HTMLImageElement) => image.currentSrc || image.src);
  expect(shown).toContain('made=together');
  const response = await fetch(shown);
  expect(response.headers.get('cache-control')).not.toContain('no-cache');
  const { xmp } = await sharp(await response.arrayBuffer()).metadata();
  expect(xmp?.toString()).toContain('/compositeWithTrainedAlgorithmicMedia<');
  const original = await fetch(`${seeded.base}${await cover.getAttribute('href')}`);
  expect([original.status, original.headers.get('cache-control')]).toEqual([200, expect.stringContaining('max-age')]);

  await page.locator('.gallery .enlarge').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 of 2', { exact: true }).waitFor();
  const slide = dialog.locator('.lightbox-slide').nth(1);
  expect(asked).toEqual([]);
  await slide.locator('summary').click();
  await expect.poll(() => asked.length).toBe(1);
  await slide.locator('details img').waitFor();
  await expectAccessible(page);
  await slide.locator('summary').click();
  await slide.locator('details img').waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

it('animated picture shows its first frame in lists of the admin area (D18)', async () => {
  const page = await openPage();
  await keepSession(page, admin);
  const asked = watched(page);
  await page.goto('/admin');
  const drawn = page.getByRole('row').filter({ hasText: 'Frames' }).locator('.thumbnail img').nth(1);
  await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

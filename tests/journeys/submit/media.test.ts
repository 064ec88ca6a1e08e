import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectFocus, expectQuiet, PHONE } from '../../browser.ts';
import { startSeeded } from '../seeded.ts';
import { visualFaults } from '../visual-faults.ts';
import { choose, draftOf, editorOf, fillIn, openNewForm, picture, privateLink, saved, send, uploaded } from './form.ts';

startSeeded();

const FILM = 'https://www.youtube.com/watch?v=WhWc3b3KhnY';

const namesOn = (page: Page) => page.locator('.submit-tile-name span:first-child').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

async function addFilm(page: Page): Promise<void> {
  await page.getByLabel('Type').selectOption('video');
  await page.getByLabel('URL', { exact: true }).fill(FILM);
  await page.getByRole('button', { name: 'Add Media via URL' }).click();
  await page.getByRole('button', { name: `Remove ${FILM}` }).waitFor();
}

describe('media section of the submit form', () => {
  it('sets order, cover, descriptions and credits by keyboard (D14)', async () => {
    const page = await openNewForm();
    await fillIn(page, 'A lamp by keyboard', [
      await picture('one.png'),
      await picture('two.png', '#2a44f5'),
      await picture('three.png', '#1b1220'),
    ]);
    await uploaded(page);
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
    const { project_media: media } = await draftOf(page, sent);
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
    expectQuiet(page);
  });

  it('works on a phone by touch, and adds a poster to a video', async () => {
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
    const { project_media: media } = await draftOf(page, await privateLink(page));
    expect(media.map(({ type, url }) => (type === 'video' ? url : 'picture'))).toEqual(
      order.map((name) => (name === FILM ? FILM : 'picture')),
    );
    expect(media.find(({ type }) => type === 'video')!.poster).toContain('/case-studies/images/');
    expectQuiet(page);
  });
});

describe('improvement hints of the submit form', () => {
  it('link to each field', async () => {
    const page = await openNewForm();
    await choose(page, [await picture('IMG_2044.png')]);
    await page.getByLabel('What does it show? (IMG_2044.png)').fill('IMG_2044.png');
    await page.getByText('IMG_2044.png says only the name of its file').waitFor();
    const editor = await editorOf(page, 'impact');
    await editor.click();
    await editor.evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(
        'text/html',
        '<p>a</p><h1>One</h1><h3>Three</h3><p>see <a href="https://a.example/b">https://a.example/b</a></p>',
      );
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    const list = page.getByRole('region', { name: '3 things could be better' });
    await list.waitFor();
    await list.getByRole('button', { name: /a heading 3 follows a heading 1/ }).click();
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('Three');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-impact');
    await list.getByRole('button', { name: /shows only its address/ }).click();
    await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('https://a.example/b');
    await page.keyboard.type('the register');
    await page.getByRole('region', { name: '2 things could be better' }).waitFor();
    expect(await visualFaults(page)).toEqual([]);
    expectQuiet(page);
  });
});

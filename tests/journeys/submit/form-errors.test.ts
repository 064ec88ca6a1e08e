import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectQuiet, hold, PHONE } from '../../browser.ts';
import { lookOnPhoneAndDesktop, requestsOf } from '../hands.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { banner, errorsOf, fillIn, openForm, openNewForm, picture, send, uploaded } from './form.ts';

startSeeded();

const title = (page: Page) => page.getByLabel('Project Title');

describe('input longer than its field allows', () => {
  it('stays in the field with limit and count, and Submit rejects it', async () => {
    const page = await openPage(PHONE);
    const written = requestsOf(page, (request) => request.url().includes('/rest/v1/'));
    await openForm(page);
    await fillIn(page, 'A lamp', [await picture('lamp.png')]);
    await uploaded(page);
    const fields = [
      ['Project Title', 802, 200],
      ['What does it show? (lamp.png)', 501, 500],
      ['Where can we reach you?', 400, 254],
    ] as const;
    for (const [label, length, limit] of fields) {
      const field = page.getByLabel(label, { exact: true });
      const before = await field.inputValue();
      await field.press('ControlOrMeta+a');
      await page.keyboard.insertText('y'.repeat(length));
      expect(await field.inputValue()).toHaveLength(length);
      await page.getByText(`${length} of ${limit} characters`).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await send(page);
      await banner(page).getByText(`at most ${limit} characters`).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('submit-failure');
      expect(await field.inputValue()).toHaveLength(length);
      if (label === 'Project Title') await lookOnPhoneAndDesktop(page);
      await page.getByRole('link', { name: 'Go there' }).click();
      expect(await field.evaluate((element) => element === document.activeElement), label).toBe(true);
      await field.fill(before);
      await expect.poll(() => errorsOf(page), { message: label }).toBe(0);
    }
    await page.getByLabel('Tags').fill('z'.repeat(61));
    await page.getByText('61 of 60 characters').waitFor();
    const url = page.getByLabel('URL', { exact: true });
    const add = page.getByRole('button', { name: 'Add Media via URL' });
    await url.fill(`https://pictures.invalid/${'a'.repeat(2100)}.png`);
    await page.getByText('of 2048 characters').waitFor();
    await add.click();
    await url.fill('https://vimeo.com/123456789');
    await page.getByLabel('Type').selectOption({ label: 'YouTube Embed' });
    await page.getByLabel('Caption (optional)').fill('c'.repeat(501));
    await page.getByText('501 of 500 characters').waitFor();
    await add.click();
    expect(await page.getByLabel('Caption (optional)').inputValue()).toHaveLength(501);
    expect(await page.locator('.submit-tile').count()).toBe(1);
    expect(written).toEqual([]);
    // Characters, not UTF-16 code units.
    await title(page).fill('😀'.repeat(200));
    await page.getByText('200 of 200 characters').waitFor();
    expect(await title(page).getAttribute('aria-invalid')).toBeNull();
    expectQuiet(page);
  });
});

describe('keyboard focus in the submit form', () => {
  /** Records each moment without a focused element, however short. */
  const watchFocus = (page: Page) =>
    page.evaluate(() => {
      const lost: string[] = [];
      Object.assign(window, { lost });
      let last = '';
      const look = () => {
        const now = document.activeElement;
        if (now === document.body || now === null) lost.push(`after ${last}`);
        else last = `${now.tagName} ${now.id} ${now.getAttribute('aria-label') ?? now.textContent?.slice(0, 30)}`;
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
      const frame = () => {
        look();
        requestAnimationFrame(frame);
      };
      frame();
    });
  const lost = (page: Page) => page.evaluate(() => (window as unknown as { lost: string[] }).lost);

  it('stays in a text field while its editor is loaded and rendered', async () => {
    const page = await openPage({ viewport: { width: 1280, height: 400 } });
    const wanted = page.waitForRequest(/loaded-editor-[^/]*\.js/);
    const release = await hold(page, /loaded-editor-[^/]*\.js/);
    await openForm(page);
    await page.locator('#submit-brief').evaluate((field) => field.scrollIntoView());
    await wanted;
    await page.getByLabel('Caption (optional)').focus();
    await watchFocus(page);
    await page.evaluate(() => {
      const post = MessagePort.prototype.postMessage;
      const isLoaded = () =>
        performance.getEntriesByType('resource').some(({ name }) => /loaded-editor-.*\.js/.test(name));
      // React renders in a separate task, scheduled by a message.
      MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
        if (isLoaded()) document.querySelector<HTMLElement>('#submit-brief.editor-stand-in')?.focus();
        return Reflect.apply(post, this, message);
      } as typeof post;
    });
    release();
    await page.locator('#submit-brief.editor-text').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.className ?? '')).toContain('editor-text');
    expect(await lost(page)).toEqual([]);
  });

  it('moves next to a clicked button that disappears', async () => {
    const page = await openNewForm();
    const lostBy = async (press: () => Promise<unknown>) => {
      await press();
      await page.waitForTimeout(200);
      return page.evaluate(() => document.activeElement === document.body);
    };
    await page.getByLabel('Type').selectOption({ label: 'YouTube Embed' });
    await page.getByLabel('URL', { exact: true }).fill('https://vimeo.com/123456789');
    expect(await lostBy(() => page.getByRole('button', { name: 'Add Media via URL' }).press('Enter'))).toBe(false);
    await page.locator('.submit-tile').waitFor();
    await page.getByLabel(/^Or its address/).fill('https://pictures.invalid/poster.png');
    await page.route('https://pictures.invalid/**', (route) => route.abort());
    expect(await lostBy(() => page.getByRole('button', { name: 'Use it' }).press('Enter'))).toBe(false);
    expect(await lostBy(() => page.getByRole('button', { name: /^Remove the poster/ }).press('Enter'))).toBe(false);
    await title(page).fill('A lamp');
    await page.locator('.submit-saved[data-saved=saved]').waitFor();
    await page.reload();
    const start = page.getByRole('button', { name: 'Continue' });
    await start.waitFor();
    expect(await lostBy(() => start.press('Enter'))).toBe(false);
    await start.waitFor({ state: 'detached' });
  });
});

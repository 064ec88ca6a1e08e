import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { draftWords } from '../../../app/features/reviews/words/review.ts';
import { expectAccessible, hold, mayComplain, PHONE } from '../../browser.ts';
import { answerDraft } from '../experiments.ts';
import { creditsOn, lookOnPhoneAndDesktop, requestsOf } from '../hands.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { banner, errorsOf, fillInAndUpload, openForm, openNewForm, picture, privateLink, saved, send } from './form.ts';

startSeeded();

const title = (page: Page) => page.getByLabel('Project Title');

it('input longer than its field allows stays in the field with limit and count, and Submit rejects it', async () => {
  const page = await openPage(PHONE);
  const written = requestsOf(page, (request) => request.url().includes('/rest/v1/'));
  await openForm(page);
  await fillInAndUpload(page, 'A lamp', [await picture('lamp.png')]);
  for (const [label, length, limit] of [
    ['Project Title', 802, 200],
    ['What does it show? (lamp.png)', 501, 500],
    ['Where can we reach you?', 400, 254],
  ] as const) {
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
});

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

it('keyboard focus in the submit form stays in a text field while its editor is loaded and rendered', async () => {
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

it('keyboard focus in the submit form moves next to a clicked button that disappears', async () => {
  const page = mayComplain(await openNewForm());
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
  await saved(page);
  await page.reload();
  const start = page.getByRole('button', { name: 'Continue' });
  await start.waitFor();
  expect(await lostBy(() => start.press('Enter'))).toBe(false);
  await start.waitFor({ state: 'detached' });
});

const editor = (page: Page) => page.locator('.credits-editor');
const soFar = async (page: Page) =>
  (await editor(page).locator('.credits-so-far .slip').innerText()).toLowerCase().replaceAll('\u00a0', ' ');
const row = (page: Page, name: string) => editor(page).getByRole('group', { name, exact: true });
const addButton = (page: Page, part: string) => editor(page).getByRole('button', { name: `Add ${part}` });
const choose = (page: Page, part: string, how: 'By hand' | 'Together' | 'By machine') =>
  row(page, part).getByRole('radio', { name: how }).check();

it('credits in the submit form are entered part by part on a phone, update the strip immediately, and appear on the page and in the changed draft', async () => {
  const page = await openNewForm(PHONE);
  await fillInAndUpload(page, 'A strip of our own');
  await addButton(page, 'Idea').click();
  await choose(page, 'Idea', 'By hand');
  expect(await soFar(page)).toContain('hand 100 machine 0');
  await addButton(page, 'Film').click();
  await choose(page, 'Film', 'Together');
  expect(await soFar(page)).toContain('hand 75 machine 25');
  await row(page, 'Film').getByText('People and tools').click();
  await row(page, 'Film').getByLabel('People').fill('Asha Rao');
  await row(page, 'Film').getByLabel('People').press('Enter');
  // Typed but not added: it counts.
  await row(page, 'Film').getByLabel('Tools').fill('A film model');
  await editor(page).getByRole('button', { name: 'Add another part' }).click();
  await page.keyboard.type('Gardening');
  await send(page);
  await banner(page).getByText('Choose how this part was made, or remove it.').waitFor();
  await page.getByRole('link', { name: 'Go there' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
  for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowRight');
  expect(await soFar(page)).toContain('hand 50 machine 50');
  // axe reports a button that the bottom bar partly covers as too small.
  await editor(page).evaluate((part) => part.scrollIntoView());
  await expectAccessible(page);
  await send(page);
  const { link, id } = await privateLink(page);

  await page.goto(link);
  await page.locator('.credits summary').click();
  const two = ['Idea By hand', 'Film By hand and machine together: Asha Rao, with A film model'];
  expect(await creditsOn(page)).toEqual([...two, 'Gardening By machine']);

  await answerDraft(id, 'ask', 'Who made the garden?');
  await page.goto(`/drafts/${id}`);
  await page.locator('button[type=submit]:enabled').first().waitFor();
  expect(await soFar(page)).toContain('hand 50 machine 50');
  await row(page, 'Gardening').getByRole('button', { name: 'Remove Gardening' }).click();
  await row(page, 'Film').getByRole('button', { name: 'Move Film up' }).click();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('Move Film up');
  const go = await hold(page, `**/drafts/${id}/desk`);
  await page.getByRole('button', { name: 'Send back' }).click();
  await page.getByRole('button', { name: 'Sending back...' }).waitFor();
  await expect.poll(() => page.locator('form[inert]').count()).toBe(1);
  go();
  await page.getByText(draftWords.sentBack(0)).waitFor();
  await page.goto(`/case-studies/${id}`);
  await page.locator('.credits summary').click();
  expect(await creditsOn(page)).toEqual(two.toReversed());
});

it('credits in the submit form are entered by keyboard, saved on the device, fit the narrowest screen at twice the text size, and are removed', async () => {
  const page = await openNewForm();
  await page.getByLabel('Project Title').fill('Keys only');
  await addButton(page, 'Idea').press('Enter');
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement)?.type === 'radio');
  await page.keyboard.press('Space');
  expect(await soFar(page)).toContain('hand 100 machine 0');
  await page.keyboard.press('ArrowRight');
  expect(await soFar(page)).toContain('hand 50 machine 50');
  for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.type('Zarina');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await saved(page);
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await soFar(page)).toContain('hand 50 machine 50');
  expect(await row(page, 'Idea').locator('summary').innerText()).toContain('Zarina');
  await page.setViewportSize({ width: 320, height: 700 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const beyond = () =>
    [...document.querySelectorAll('.credits-editor :not(datalist, option)')].filter(
      (part) => part.getBoundingClientRect().right > innerWidth,
    ).length;
  expect(await page.evaluate(beyond)).toBe(0);
  await row(page, 'Idea').getByRole('button', { name: 'Remove Idea' }).press('Enter');
  await page.waitForFunction((label) => document.activeElement?.textContent === label, 'Add another part');
  expect(await editor(page).innerText()).toContain('No credits yet. Add a part and the bar fills in.');
});

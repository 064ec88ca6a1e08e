import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { draftWords } from '../../../app/features/reviews/words/review.ts';
import { expectAccessible, expectQuiet, hold, PHONE } from '../../browser.ts';
import { askForChanges } from '../experiments.ts';
import { startSeeded } from '../seeded.ts';
import { banner, fillIn, openNewForm, privateLink, saved, send } from './form.ts';

startSeeded();

const { admin } = inject('accounts');

const editor = (page: Page) => page.locator('.credits-editor');
const soFar = async (page: Page) =>
  (await editor(page).locator('.credits-so-far .slip').innerText()).toLowerCase().replaceAll('\u00a0', ' ');
const row = (page: Page, name: string) => editor(page).getByRole('group', { name, exact: true });
const addButton = (page: Page, part: string) => editor(page).getByRole('button', { name: `Add ${part}` });
const partsOf = async (page: Page) =>
  (await page.locator('.credit-list > div').allInnerTexts()).map((part) => part.replace(/\s+/g, ' '));
const choose = (page: Page, part: string, how: 'By hand' | 'Together' | 'By machine') =>
  row(page, part).getByRole('radio', { name: how }).check();

describe('credits in the submit form', () => {
  it('are entered part by part on a phone, update the strip immediately, and appear on the page and in the changed draft', async () => {
    const page = await openNewForm(PHONE);
    await fillIn(page, 'A strip of our own');
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
    const told = ['Idea By hand', 'Film By hand and machine together: Asha Rao, with A film model'];
    expect(await partsOf(page)).toEqual([...told, 'Gardening By machine']);

    await askForChanges(admin, id, 'Who made the garden?');
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
    expect(await partsOf(page)).toEqual(told.toReversed());
    expectQuiet(page);
  });

  it('are entered by keyboard, saved on the device, fit the narrowest screen at twice the text size, and are removed', async () => {
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
    expectQuiet(page);
  });
});

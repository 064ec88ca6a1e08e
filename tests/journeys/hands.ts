import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { DESKTOP, expectAccessible, PHONE } from '../browser.ts';
import { openPage } from './seeded.ts';
import { browser } from './shared-browser.ts';
import { enterAdmin } from './signing-in.ts';
import { visualFaults } from './visual-faults.ts';

/** Waits for a status message, of which an equal earlier one may still be shown. */
export const said = (page: Page, text: string | RegExp) =>
  page.locator('.status-region').getByText(text).last().waitFor();

/** A page that is used by keyboard alone. */
export function keyboardOf(page: Page) {
  const use = async (control: Locator) => {
    await control.focus();
    await page.keyboard.press('Enter');
  };
  const type = async (field: Locator, text: string) => {
    await field.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };
  return { use, type };
}

/** Expects an accessible screen without visual faults. */
export async function look(page: Page) {
  await expectFaultless(page);
  await expectAccessible(page);
}

async function expectFaultless(page: Page) {
  // The header covers what was scrolled below it.
  await page.evaluate(() => scrollTo(0, 0));
  expect(await visualFaults(page)).toEqual([]);
}

/** `look`, and the visual faults at 1440 pixels, for a page that was opened with `PHONE`. */
export async function lookOnPhoneAndDesktop(page: Page) {
  await look(page);
  await page.setViewportSize(DESKTOP.viewport);
  await expectFaultless(page);
  await page.setViewportSize(PHONE.viewport);
}

export async function openAsAdmin(path = '/admin', device: BrowserContextOptions = DESKTOP) {
  const page = await openPage(browser, device);
  await enterAdmin(page, inject('accounts').admin, path);
  return page;
}

import type { BrowserContextOptions, Locator, Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';
import { reviewWords } from '../../app/features/reviews/words/review.ts';
import { DESKTOP, expectAccessible, noteLeaving, PHONE } from '../browser.ts';
import type { Account } from '../seeded-data.ts';
import { admin, openPage } from './seeded.ts';
import { enterAdmin, keepSession } from './signing-in.ts';
import { visualFaults } from './visual-faults.ts';

/** Waits for a status message, of which an equal earlier one may still be shown. */
export const said = (page: Page, text: string | RegExp) =>
  page.locator('.status-region').getByText(text).last().waitFor();

/** Replaces the text of a field by keyboard alone. */
export async function retype(field: Locator, text: string) {
  await field.press('Control+A');
  await field.page().keyboard.type(text);
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

/** Expects no visual faults at the size of a desktop and at that of a phone, which stays. */
export async function expectFaultlessOnDesktopAndPhone(page: Page) {
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    expect(await visualFaults(page), `${viewport.width} px`).toEqual([]);
  }
}

/** Expects that a page whose clock is stopped leads to the admin area after so many milliseconds, and not before. */
export async function expectLeavesAfter(page: Page, delay: number) {
  const address = page.url();
  const left = await noteLeaving(page);
  await page.clock.runFor(delay - 100);
  expect(page.url()).toBe(address);
  await page.clock.runFor(200);
  expect(await left('/admin')).toBe(delay);
}

/** The parts of the shown credits, with who made them. */
export const creditsOn = async (page: Page) =>
  (await page.locator('.credit-list > div').allInnerTexts()).map((part) => part.replace(/\s+/g, ' '));

/** Makes another link to the draft on the page. @returns its address */
export async function makeLink(page: Page, name: string): Promise<string> {
  await page.getByText('Make another link').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Make the link' }).click();
  return page.getByLabel(`“${name}” is ready`).inputValue();
}

/** Answers the open submission of the review queue. */
export async function answerReview(page: Page, what: 'publish' | 'ask' | 'decline', words?: string) {
  await page.getByRole('button', { name: reviewWords[what], exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (words) await dialog.getByRole('textbox').fill(words);
  if (what === 'ask') await expectAccessible(page);
  await dialog.getByRole('button', { name: reviewWords[what], exact: true }).click();
}

export async function openAsAdmin(path = '/admin', device: BrowserContextOptions = DESKTOP) {
  const page = await openPage(device);
  await enterAdmin(page, admin, path);
  return page;
}

/** Opens a path in a new profile with the session of an account. */
export async function openSignedIn(account: Account, path: string, device: BrowserContextOptions = DESKTOP) {
  const page = await openPage(device);
  await keepSession(page, account);
  await page.goto(path);
  return page;
}

/** Collects the URLs of the page's requests that match, from now on. */
export function requestsOf(page: Page, matches: (request: Request) => boolean): string[] {
  const urls: string[] = [];
  page.on('request', (request) => matches(request) && urls.push(request.url()));
  return urls;
}

/** Answers the page's requests to an address, with a method or any, in place of the server. */
export const mockResponse = (page: Page, address: string, response: Parameters<Route['fulfill']>[0], method?: string) =>
  page.route(address, (route) => {
    const isOther = method !== undefined && method !== route.request().method();
    return isOther ? route.fallback() : route.fulfill(response);
  });

/** Answers the page's requests to an address with an error of the data service. */
export const mockError = (
  page: Page,
  address: string,
  status: number,
  message: string,
  { code = 'XX000', method }: { code?: string; method?: string } = {},
) => mockResponse(page, address, { status, json: { message, code, details: null, hint: null } }, method);

import type { Page } from 'playwright-core';
import { said } from './hands.ts';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const dialog = (page: Page) => page.locator('dialog[open]');
export const row = (page: Page, title: string) => page.locator('tr[data-row]', { hasText: title });

/** From the list of pages. */
export async function openEditor(page: Page, title: string) {
  await row(page, title).getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

export async function publish(page: Page) {
  await button(page, 'Publish').click();
  await dialog(page).getByRole('heading', { name: 'Publish these changes?' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await said(page, 'Published. The site shows it from now on.');
  await dialog(page).waitFor({ state: 'detached' });
}

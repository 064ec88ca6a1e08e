import type { Page } from 'playwright-core';
import type { PageKind } from '../../app/features/pages/model/page-schemas.ts';
import { said } from './hands.ts';
import { admin } from './seeded.ts';
import { dataAs } from './signing-in.ts';

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

/** The stored page of a kind. */
export async function storedPage(kind: PageKind) {
  const { data } = await (await dataAs(admin)).from('pages').select('id,revision,draft').eq('kind', kind).single();
  return data as { id: string; revision: number; draft: object | null };
}

/** Saves the draft of a page without its editor, as another admin does. */
export async function saveDraft(kind: PageKind, content: object | null) {
  const { id, revision: seen } = await storedPage(kind);
  await (await dataAs(admin)).rpc('save_page_draft', { page: id, content, title: null, seen }).throwOnError();
}

/** Publishes the content of a page without its editor. */
export async function publishContent(kind: PageKind, content: object) {
  await saveDraft(kind, content);
  const { id, revision: seen } = await storedPage(kind);
  await (await dataAs(admin)).rpc('publish_page', { page: id, seen }).throwOnError();
}

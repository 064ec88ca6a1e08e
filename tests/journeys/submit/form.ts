import { PostgrestClient } from '@supabase/postgrest-js';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp, { type Create } from 'sharp';
import { openPage } from '../seeded.ts';

/** Actions on the submit page. */

export const TEXTS = {
  brief: 'The Brief',
  understanding: 'Our Understanding',
  actions: 'What We Did',
  impact: 'The Impact',
} as const;
export type Text = keyof typeof TEXTS;

export interface Upload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const png = async (name: string, create: Create): Promise<Upload> => {
  return { name, mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() };
};

/** A small single-colour PNG. */
export const picture = (name: string, background = '#ee3a12') =>
  png(name, { width: 320, height: 240, channels: 3, background });

/** A picture of noise, which does not compress: `side` × `side` × 3 bytes. */
export const noise = (name: string, side: number) => {
  const grain = { type: 'gaussian' as const, mean: 128, sigma: 90 };
  return png(name, { width: side, height: side, channels: 3, background: '#000', noise: grain });
};

export async function openForm(page: Page): Promise<void> {
  await page.goto('/case-study-upload');
  // The button works once the page is hydrated.
  await page.locator('button[type=submit]:enabled').waitFor();
}

/** Opens the form in a new profile. */
export async function openNewForm(device?: BrowserContextOptions, base?: string) {
  const page = await openPage(device, base);
  await openForm(page);
  return page;
}

/** Scrolls to the editor of a text, which loads it. */
export async function editorOf(page: Page, text: Text) {
  const editor = page.locator(`#submit-${text}`);
  // Without waiting for stability, because scrolling near replaces the element.
  await editor.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await page.locator(`#submit-${text}.editor-text`).waitFor();
  return editor;
}

export async function write(page: Page, text: Text, words: string): Promise<void> {
  const editor = await editorOf(page, text);
  await editor.click();
  await page.keyboard.insertText(words);
}

export async function writeAll(page: Page): Promise<void> {
  for (const text of Object.keys(TEXTS) as Text[]) await write(page, text, `Words about ${TEXTS[text]}.`);
}

export const choose = (page: Page, files: Upload[]) => page.locator('#submit-media').setInputFiles(files);

/** Waits until all uploads have finished. */
export const uploaded = (page: Page) => page.getByText('Processing...').first().waitFor({ state: 'hidden' });

/** Fills in all required fields. */
export async function fillIn(page: Page, title: string, files?: Upload[]): Promise<void> {
  await page.getByLabel('Project Title').fill(title);
  const chosen = files ?? [await picture('cover.png')];
  await choose(page, chosen);
  // A file is listed once its first bytes are read.
  for (const { name } of chosen) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  await writeAll(page);
}

export const send = (page: Page) => page.getByRole('button', { name: 'Submit Experiment' }).click();

export const banner = (page: Page) => page.getByRole('alert').first();

/** Number of the errors that the form shows. */
export const errorsOf = (page: Page) => page.locator('.submit-failure .banner, .field-error, [aria-invalid]').count();

export const submitted = (page: Page) =>
  page.getByRole('heading', { name: 'Experiment Submitted Successfully!', exact: true });

/** Waits for the success screen and prevents its redirect. */
export async function stay(page: Page): Promise<void> {
  // Runs inside the page, because the redirect after two seconds may be faster than the test.
  await page.waitForFunction(() => {
    const link = document.querySelector<HTMLElement>('.submitted-link input');
    link?.focus();
    return link !== null;
  });
  await submitted(page).waitFor();
}

export async function privateLink(page: Page): Promise<{ link: string; id: string; secret: string }> {
  await stay(page);
  const link = await page.getByLabel('Your private link to the draft').inputValue();
  const [, id, secret] = /\/case-studies\/([0-9a-f-]{36})\?draft=([\w-]{43})$/.exec(link) ?? [];
  if (!id || !secret) throw new Error(`Not a draft link: ${link}`);
  return { link, id, secret };
}

/** A draft that was sent, read with its secret. */
export async function draftOf(page: Page, { id, secret }: { id: string; secret: string }) {
  const service = await page.locator('meta[name=supabase]').evaluate((meta: HTMLMetaElement) => ({
    url: `${meta.content}/rest/v1`,
    apikey: meta.dataset['key']!,
  }));
  const { data } = await new PostgrestClient(service.url, {
    headers: { apikey: service.apikey, 'x-draft-secret': secret },
  })
    .from('projects')
    .select('*, project_media(*), case_study_metadata(*)')
    .eq('id', id)
    .order('order', { referencedTable: 'project_media' })
    .single()
    .throwOnError();
  return data as { project_media: { type: string; url: string; poster: string | null; order: number }[] };
}

/** Waits until the draft is stored on the device. */
export const saved = (page: Page) => page.locator('.submit-saved[data-saved=saved]').waitFor();

import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp, { type Create } from 'sharp';
import { openPage, seeded } from '../seeded.ts';
import { dataWith } from '../signing-in.ts';

/** Actions on the submit page. */

export const TEXTS = {
  brief: 'The Brief',
  understanding: 'Our Understanding',
  actions: 'What We Did',
  impact: 'The Impact',
} as const;
export type Text = keyof typeof TEXTS;

interface Upload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

async function png(name: string, create: Create): Promise<Upload> {
  return { name, mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() };
}

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
  await (await editorOf(page, text)).click();
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

/** Fills in all required fields, and waits until all uploads have finished. */
export async function fillInAndUpload(page: Page, title: string, files?: Upload[]): Promise<void> {
  await fillIn(page, title, files);
  await uploaded(page);
}

export const send = (page: Page) => page.getByRole('button', { name: 'Submit Experiment' }).click();

export const banner = (page: Page) => page.getByRole('alert').first();

/** Number of the errors that the form shows. */
export const errorsOf = (page: Page) => page.locator('.submit-failure .banner, .field-error, [aria-invalid]').count();

export const submitted = (page: Page) =>
  page.getByRole('heading', { name: 'Experiment Submitted Successfully!', exact: true });

/** Waits for the success screen, and prevents its redirect. */
export async function privateLink(page: Page): Promise<{ link: string; id: string; secret: string }> {
  // Runs inside the page, because the redirect after two seconds may be faster than the test.
  await page.waitForFunction(() => {
    const link = document.querySelector<HTMLElement>('.submitted-link input');
    link?.focus();
    return link !== null;
  });
  await submitted(page).waitFor();
  const link = await page.getByLabel('Your private link to the draft').inputValue();
  const [, id, secret] = /\/case-studies\/([0-9a-f-]{36})\?draft=([\w-]{43})$/.exec(link) ?? [];
  if (!id || !secret) throw new Error(`Not a draft link: ${link}`);
  return { link, id, secret };
}

/** A draft that was sent, read with its secret. */
export async function draftOf({ id, secret }: { id: string; secret: string }, site = seeded) {
  const { data } = await dataWith({ 'x-draft-secret': secret }, site)
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

/** The drafts that the device stores, one for each tab. Resolves once the page has opened its database. */
export const storedDrafts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ title: string; brief: string }[]>((resolve, reject) => {
        const opening = indexedDB.open('madhouse-submission');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.map(({ submission: { title, brief } }) => ({ title, brief })));
          };
        };
      }),
  );

interface Pasted {
  text?: string;
  html?: string;
  files?: { name: string; type: string; bytes?: number; base64?: string }[];
}

/** Pastes into the editor of a text. */
export const paste = (page: Page, pasted: Pasted, into: Text = 'brief') =>
  page.locator(`#submit-${into}`).evaluate((element, { text, html, files = [] }) => {
    const clipboardData = new DataTransfer();
    if (text !== undefined) clipboardData.setData('text/plain', text);
    if (html !== undefined) clipboardData.setData('text/html', html);
    for (const { name, type, bytes = 0, base64 } of files) {
      const content = base64 ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : new Uint8Array(bytes);
      clipboardData.items.add(new File([content], name, { type }));
    }
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);

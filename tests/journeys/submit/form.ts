import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** What people do on the submit page, for the journeys through it. */

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

/** A small picture of one colour. */
export const picture = async (name: string, background = '#ee3a12'): Promise<Upload> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toBuffer(),
});

/** A picture of noise, which no packing makes smaller: `side` × `side` × 3 bytes. */
export const noise = async (name: string, side: number): Promise<Upload> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .png()
    .toBuffer(),
});

export async function openForm(page: Page): Promise<void> {
  await page.goto('/case-study-upload');
  // The button comes alive with the page.
  await page.locator('button[type=submit]:enabled').waitFor();
}

/** The loaded editor of a text, brought into view. */
export async function editorOf(page: Page, text: Text) {
  const editor = page.locator(`#submit-${text}`);
  // At once, not when it stands still: coming near is what replaces the element.
  await editor.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await page.locator(`#submit-${text}.editor-text`).waitFor();
  return editor;
}

export async function write(page: Page, text: Text, words: string): Promise<void> {
  const editor = await editorOf(page, text);
  await editor.click();
  await page.keyboard.type(words);
}

export async function writeAll(page: Page): Promise<void> {
  for (const text of Object.keys(TEXTS) as Text[]) await write(page, text, `Words about ${TEXTS[text]}.`);
}

export const choose = (page: Page, files: Upload[]) => page.locator('#submit-media').setInputFiles(files);

/** Waits until no chosen file is on its way any more. */
export const uploaded = (page: Page) => page.getByText('Processing...').first().waitFor({ state: 'hidden' });

/** Fills in everything that is required. */
export async function fillIn(page: Page, title: string, files?: Upload[]): Promise<void> {
  await page.getByLabel('Project Title').fill(title);
  const chosen = files ?? [await picture('cover.png')];
  await choose(page, chosen);
  // A file is there as soon as its first bytes are read.
  for (const { name } of chosen) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  await writeAll(page);
}

export const send = (page: Page) => page.getByRole('button', { name: 'Submit Experiment' }).click();

export const banner = (page: Page) => page.getByRole('alert').first();

export const submitted = (page: Page) =>
  page.getByRole('heading', { name: 'Experiment Submitted Successfully!', exact: true });

/** Waits for the success screen and keeps it, as somebody does who looks at the link on it. */
export async function stay(page: Page): Promise<void> {
  // Done inside the page: the screen leaves after two seconds, and we may be told of it later than that.
  await page.waitForFunction(() => {
    const link = document.querySelector<HTMLElement>('.submitted-link input');
    link?.focus();
    return link !== null;
  });
  await submitted(page).waitFor();
}

/** The private link that the success screen shows. */
export async function privateLink(page: Page): Promise<{ link: string; id: string; secret: string }> {
  await stay(page);
  const link = await page.getByLabel('Your private link to the draft').inputValue();
  const [, id, secret] = /\/case-studies\/([0-9a-f-]{36})\?draft=([\w-]{43})$/.exec(link) ?? [];
  if (!id || !secret) throw new Error(`Not a draft link: ${link}`);
  return { link, id, secret };
}

/** Waits until the device has a copy of what is written. */
export const saved = (page: Page) => page.locator('.submit-saved[data-saved=saved]').waitFor();

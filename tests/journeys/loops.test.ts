import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, expectAccessible, mayComplain, PHONE } from '../browser.ts';
import { look, openAsAdmin, requestsOf } from './hands.ts';
import { openAt, openPage, startSeeded } from './seeded.ts';
import { visualFaults } from './visual-faults.ts';

startSeeded();

const CHAI = 'The Chai That Answers Back';
const LIFT = 'What the Lift Operator Saw';
const cardOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) });
const button = (card: Locator, does: 'Play' | 'Pause', title: string) =>
  card.getByRole('button', { name: `${does} the video of “${title}”` });
const playing = (card: Locator) =>
  card.locator('video').evaluate((film: HTMLVideoElement) => !film.paused && film.currentTime > 0);
const plays = (card: Locator) => expect.poll(() => playing(card)).toBe(true);
const pauses = (card: Locator) =>
  expect.poll(() => card.locator('video').evaluate((film: HTMLVideoElement) => film.paused)).toBe(true);

it('video loop of a cover plays silently on the home page, and a button pauses it', async () => {
  const page = await openAt('/', { ...DESKTOP, reducedMotion: 'no-preference' });
  const card = cardOf(page, CHAI);
  await card.scrollIntoViewIfNeeded();
  await plays(card);
  expect(await card.locator('video').evaluate((film: HTMLVideoElement) => film.muted)).toBe(true);
  await button(card, 'Pause', CHAI).click();
  await pauses(card);
  await button(card, 'Play', CHAI).click();
  await plays(card);
  await page.evaluate(() => scrollTo(0, 0));
  await pauses(card);
});

it('video loop of a cover plays in the list while its card has hover or focus', async () => {
  const page = mayComplain(await openAt('/case-studies', { ...DESKTOP, reducedMotion: 'no-preference' }));
  const card = cardOf(page, LIFT);
  await card.scrollIntoViewIfNeeded();
  await pauses(card);
  await card.hover();
  await plays(card);
  await page.mouse.move(0, 0);
  await pauses(card);
  await card.getByRole('link').focus();
  await plays(card);
  await page.keyboard.press('Shift+Tab');
  await button(card, 'Pause', LIFT).press('Enter');
  await pauses(card);
});

it('video loop of a cover plays on a phone when it is visible', async () => {
  const page = await openAt('/case-studies', { ...PHONE, reducedMotion: 'no-preference' });
  const card = cardOf(page, LIFT);
  await pauses(card);
  await card.locator('.loop').scrollIntoViewIfNeeded();
  await plays(card);
  expect(await visualFaults(page)).toEqual([]);
});

it('video loop of a cover neither plays nor loads under reduced motion before its button is clicked', async () => {
  const page = await openPage(PHONE);
  const films = requestsOf(page, (request) => /\.(mp4|webm)$/.test(request.url()));
  await page.goto('/case-studies');
  const card = cardOf(page, LIFT);
  await card.locator('.loop').scrollIntoViewIfNeeded();
  await expectAccessible(page);
  expect(films).toEqual([]);
  await button(card, 'Play', LIFT).click();
  await plays(card);
});

it('video loop of a cover is added to a picture and removed by an admin, who sees why a file is no video', async () => {
  const page = await openAsAdmin('/admin/projects/e0000000-0000-4000-8000-000000000008/edit');
  await page.getByRole('button', { name: 'Describe Picture “The table”' }).click();
  const form = page.getByRole('form', { name: 'Describe Picture “The table”' });
  const field = form.getByLabel(/^Loop/);
  await field.setInputFiles({ name: 'still.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film at all') });
  await form.getByText('still.mp4 is neither an MP4 nor a WebM video.').waitFor();
  await field.setInputFiles({ name: 'long.mp4', mimeType: 'video/mp4', buffer: film(4 * 1024 * 1024 + 1) });
  await form.getByText('long.mp4 is larger than 4 MB.').waitFor();
  await field.setInputFiles('supabase/seed-pictures/7/loop.webm');
  await form.getByText(/^Plays in place of the picture, as WebM\./).waitFor();
  await look(page);

  const reader = await openAt('/case-studies/e0000000-0000-4000-8000-000000000008', PHONE);
  const cover = reader.locator('.detail-cover');
  await button(cover, 'Play', 'Fewer Slides, Better Decisions').click();
  await plays(cover);

  await form.getByRole('button', { name: 'Remove loop of Picture “The table”' }).click();
  await form.getByText(/^A silent video of a few seconds/).waitFor();
  const loopsAgain = async () => {
    await reader.reload();
    return reader.locator('.loop').count();
  };
  await expect.poll(loopsAgain).toBe(0);
});

/** The first bytes of an MP4, then zeros up to the size. */
const film = (bytes: number) => Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), Buffer.alloc(bytes - 12)]);

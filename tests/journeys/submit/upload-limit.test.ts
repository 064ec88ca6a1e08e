import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { expectAccessible, PHONE } from '../../browser.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { startSeededServer } from '../../seeded-data.ts';
import { expectFaultlessOnDesktopAndPhone } from '../hands.ts';
import { admin, member, openPage } from '../seeded.ts';
import { dataAs, keepSession } from '../signing-in.ts';
import { choose, draftOf, openForm, openNewForm, picture, privateLink, saved, send, writeAll } from './form.ts';

/** A guest may upload four files in half a minute. */
const brief = forAllTests(() => startSeededServer(inject('seed'), { UPLOAD_FILES: '4', UPLOAD_SECONDS: '30' }));
/** A guest may upload one file an hour, an account ten. */
const hourly = forAllTests(() => startSeededServer(inject('seed'), { UPLOAD_FILES: '1' }));
const NONE_LEFT = /^0 of 1 uploads left until \d\d:\d\d\.$/;

const pictures = (from: number, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => picture(`photo-${from + at}.png`)));
const limit = (page: Page) => page.locator('.upload-limit');
const limitSays = (page: Page, text: string | RegExp) => limit(page).getByText(text).waitFor();
const waitingTiles = (page: Page) => page.getByText('Waiting for the upload limit');
const announced = (page: Page) => page.locator('.hidden-text[role=status]').allTextContents();

it('upload quota is shown before it is used up, counts down and continues automatically, also after a reload', async () => {
  const page = await openNewForm(PHONE, brief.base);
  await page.getByLabel('Project Title').fill('More photos than an hour takes');
  await writeAll(page);
  await choose(page, await pictures(1, 2));
  await page.getByRole('button', { name: 'Remove photo-2.png' }).waitFor();
  expect(await limit(page).count()).toBe(0);
  await choose(page, await pictures(3, 4));
  const reached =
    /^You’ve reached the upload limit of 4 pictures or 40 MB\. 2 pictures are uploaded automatically from \d\d:\d\d\.$/;
  await limitSays(page, reached);
  await limitSays(page, /^In 0:\d\d$/);
  await expect.poll(() => waitingTiles(page).count()).toBe(2);
  const first = await limit(page).getByText(/^In/).textContent();
  await expect.poll(() => limit(page).getByText(/^In/).textContent()).not.toBe(first);
  await limit(page).scrollIntoViewIfNeeded();
  // Screen readers announce it once, without the seconds.
  expect((await announced(page)).filter((text) => text.startsWith('You’ve reached'))).toHaveLength(1);
  expect((await announced(page)).join(' ')).not.toMatch(/In \d/);

  await send(page);
  const top = page.locator('.submit-waiting');
  await top.getByRole('heading', { name: 'You’ve reached the upload limit' }).waitFor();
  await top.getByText('Your experiment is sent right after them. You can close this page').waitFor();
  const place = await page.evaluate(() => [scrollY, document.activeElement?.matches('.submit-returned')]);
  expect(place).toEqual([0, true]);
  await saved(page);
  await page.reload();
  const { project_media: media } = await draftOf(await privateLink(page), brief);
  expect(media).toHaveLength(6);
  for (const { url } of media) expect((await fetch(url)).status).toBe(200);
});

it('upload quota keeps the form when sending is postponed', async () => {
  const page = await openNewForm(PHONE, hourly.base);
  await page.getByLabel('Project Title').fill('Sent later');
  await writeAll(page);
  await choose(page, await pictures(1, 1));
  await limitSays(page, NONE_LEFT);
  await choose(page, await pictures(2, 1));
  await limitSays(page, 'upload limit of one picture or 10 MB. The last picture is uploaded');
  await send(page);
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByText('Not sent yet.').waitFor();
  // Without the waiting file the form is sent immediately.
  await page.getByRole('button', { name: 'Remove photo-2.png' }).click();
  await expect.poll(() => limit(page).textContent()).toMatch(NONE_LEFT);
  await send(page);
  await privateLink(page);
});

it('upload quota is ten times as high for an account', async () => {
  const page = await openPage(PHONE, hourly.base);
  await keepSession(page, member, hourly);
  await openForm(page);
  await choose(page, await pictures(1, 7));
  await expect.poll(() => page.getByText('Processing...').count()).toBe(0);
  expect(await limit(page).count()).toBe(0);
  await choose(page, await pictures(8, 2));
  await limitSays(page, /^1 of 10 uploads left until \d\d:\d\d\.$/);
  await limit(page).scrollIntoViewIfNeeded();
  expect((await announced(page)).filter((text) => /uploads left/.test(text))).toHaveLength(1);
  await expect.poll(() => page.getByText('Processing...').count()).toBe(0);
  await choose(page, await pictures(10, 3));
  await limitSays(page, 'upload limit of 10 pictures or 100 MB. 2 pictures are uploaded');
  // Scrolled so that the bottom bar covers no button partly, which axe would report as too small.
  await limit(page).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  expect(await waitingTiles(page).count()).toBe(2);
  await expectFaultlessOnDesktopAndPhone(page);
  await expectAccessible(page);
});

it('upload quota is shown where admins add pictures to a project', async () => {
  const page = await openPage(PHONE, hourly.base);
  const projects = (await dataAs(admin, hourly)).from('projects');
  const photos = { title: 'Many photos', description: '<p>Text</p>', status: 'draft' };
  const { data: project } = await projects.insert(photos).select('id').single().throwOnError();
  await keepSession(page, admin, hourly);
  await page.goto(`/admin/projects/${project!.id}/edit`);
  await page.getByLabel('Or picture files').setInputFiles(await pictures(1, 12));
  await limitSays(page, 'You’ve reached the upload limit of 10 pictures or 100 MB.');
  await limitSays(page, /^In (\d\d:\d\d|1:00:00)$/);
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Cancel' }).count()).toBe(2);
  await limit(page).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await expectFaultlessOnDesktopAndPhone(page);
});

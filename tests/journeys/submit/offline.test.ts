import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { deviceWords as words } from '../../../app/features/submissions/words/device.ts';
import { DESKTOP, expectAccessible, fillSignIn, mayComplain, PHONE } from '../../browser.ts';
import { mockResponse } from '../hands.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { dataAs, keepSession, newAccount } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';
import {
  banner,
  choose,
  fillIn,
  fillInAndUpload,
  openForm,
  openNewForm,
  picture,
  privateLink,
  saved,
  send,
} from './form.ts';

startSeeded();

const waiting = (page: Page) => page.locator('.submit-waiting');
const offline = (page: Page, is: boolean) => page.context().setOffline(is);
const later = (page: Page) => page.getByRole('button', { name: 'Send later' });

/** Number of experiments this page created, by its requests. */
function created(page: Page): () => number {
  const ids = new Set<string>();
  page.on('response', async (response) => {
    if (response.url().endsWith('/rpc/create_case_study') && response.ok()) ids.add(await response.text());
  });
  return () => ids.size;
}

it('offline submission shows a notice without scrolling on phone and desktop, and is sent automatically when the network is back (D5)', async () => {
  const page = await openNewForm(PHONE);
  const made = created(page);
  await fillInAndUpload(page, 'Sent from a tunnel');
  await offline(page, true);
  await page.getByRole('button', { name: 'Submit Experiment' }).press('Enter');
  await waiting(page).getByText(words.waiting.offline).waitFor();
  await waiting(page).getByText(words.waitingSaved).waitFor();
  expect(await page.getByText('service account').count()).toBe(0);
  for (const { viewport } of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const box = (await later(page).boundingBox())!;
    expect(box.y + box.height).toBeLessThan(viewport.height);
    expect(await visualFaults(page)).toEqual([]);
  }
  await expectAccessible(page);
  // The browser reports a connection, but the server does not respond yet.
  await mockResponse(page, '**/auth/v1/health', { contentType: 'text/html', body: 'Pay here first' });
  await offline(page, false);
  await waiting(page).getByText(words.waiting.unreachable).waitFor();
  expect(made()).toBe(0);
  await page.unroute('**/auth/v1/health');
  await page.getByRole('button', { name: 'Try now' }).click();
  await privateLink(page);
  expect(made()).toBe(1);
});

it('offline submission can be postponed, and is sent by a button (D5)', async () => {
  const page = mayComplain(await openNewForm());
  const made = created(page);
  await fillInAndUpload(page, 'Not yet');
  await offline(page, true);
  await send(page);
  await later(page).click();
  await page.getByText(words.later(true)).waitFor();
  await offline(page, false);
  await page.waitForTimeout(2500);
  expect(made()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Continue your draft?' }).waitFor();
  await page.waitForTimeout(1500);
  expect(made()).toBe(0);
  await send(page);
  await privateLink(page);
  expect(made()).toBe(1);
});

it('offline submission is sent on the next visit when the page is closed, with later edits (D5)', async () => {
  const page = mayComplain(await openNewForm(PHONE));
  await fillInAndUpload(page, 'Closed in a tunnel', [await picture('a.png'), await picture('b.png', '#2a44f5')]);
  await offline(page, true);
  await send(page);
  await waiting(page).getByText(words.waiting.offline).waitFor();
  await page.getByLabel('Project Title').fill('Closed in a tunnel, at night');
  await saved(page);
  await page.close();
  await offline(page, false);
  const next = await page.context().newPage();
  const made = created(next);
  await next.route('**/auth/v1/health', (route) => route.abort());
  await openForm(next);
  await waiting(next).getByText(words.waiting.unreachable).waitFor();
  expect(await next.getByLabel('Project Title').inputValue()).toBe('Closed in a tunnel, at night');
  expect(await next.getByRole('heading', { name: 'Continue your draft?' }).count()).toBe(0);
  await next.unroute('**/auth/v1/health');
  const { link } = await privateLink(next);
  expect(made()).toBe(1);
  await next.goto(link);
  await next.getByRole('heading', { level: 1, name: 'Closed in a tunnel, at night' }).waitFor();
});

it('offline submission stays with its author while another account is signed in (D5)', async () => {
  const page = mayComplain(await openPage());
  const made = created(page);
  const [author, other] = await Promise.all([newAccount(), newAccount()]);
  await keepSession(page, author);
  await openForm(page);
  await fillInAndUpload(page, 'Mine alone');
  await page.getByText(`we write to ${author.email}`).waitFor();
  await page.route('**/auth/v1/health', (route) => route.abort());
  await page.route('**/rpc/create_case_study', (route) => route.abort());
  await send(page);
  await waiting(page).getByText(words.waiting.unreachable).waitFor();
  const tab = await page.context().newPage();
  await tab.goto('/sign-in');
  await fillSignIn(tab, other);
  await page.getByText(`we write to ${other.email}`).waitFor();
  await page.unrouteAll();
  await page.waitForTimeout(1500);
  expect(await page.getByText('Mine alone').count()).toBe(0);
  expect(await page.getByLabel('Project Title').inputValue()).toBe('');
  expect(made()).toBe(0);
  await keepSession(page, author);
  await openForm(page);
  const { id } = await privateLink(page);
  const { data } = await (await dataAs(author)).from('projects').select('created_by').eq('id', id);
  expect(data).toEqual([{ created_by: author.id }]);
});

it('offline submission resumes after a lost connection during the pictures or before the texts (D5)', async () => {
  for (const broken of ['**/storage/v1/object/**', '**/rpc/save_case_study_metadata']) {
    const page = mayComplain(await openPage());
    const made = created(page);
    for (const address of [broken, '**/auth/v1/health']) await page.route(address, (route) => route.abort());
    await openForm(page);
    await fillIn(page, 'Cut off', [await picture('a.png')]);
    await send(page);
    await waiting(page).getByText(words.waiting.unreachable).waitFor();
    // Written after the project was created and before it is complete.
    await page.getByLabel('Client Name').fill('Acme');
    await page.unrouteAll();
    const { link } = await privateLink(page);
    await page.getByText('Stored: the brief, 1 media item, all texts').waitFor();
    expect(made()).toBe(1);
    await page.goto(link);
    await page.getByText('Acme').first().waitFor();
    await page.context().close();
  }
});

it('offline submission uploads pictures chosen offline, reports a connection that fails each time, and keeps the draft (D5)', async () => {
  const page = mayComplain(await openNewForm(PHONE));
  await page.route('**/rpc/create_case_study', (route) => route.abort());
  await offline(page, true);
  await choose(page, [await picture('tunnel.png')]);
  await page.getByText(`Not uploaded. ${words.uploadWaits}`).waitFor();
  expect(await visualFaults(page)).toEqual([]);
  await offline(page, false);
  await page.getByText('Not uploaded.').waitFor({ state: 'detached' });
  await fillInAndUpload(page, 'No way through');
  await send(page);
  await banner(page).getByText(words.keepsBreaking).waitFor();
  expect(await page.getByLabel('Project Title').inputValue()).toBe('No way through');
  await page.unroute('**/rpc/create_case_study');
  await send(page);
  await privateLink(page);
});

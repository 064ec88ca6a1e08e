import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { draftWords } from '../../../app/features/reviews/words/review.ts';
import { fillSignIn, hold, mayComplain, PHONE } from '../../browser.ts';
import { lookOnPhoneAndDesktop, mockResponse, requestsOf } from '../hands.ts';
import { admin, openPage, startSeeded } from '../seeded.ts';
import { dataAs, endSession, keepSession, newAccount } from '../signing-in.ts';
import {
  fillIn,
  fillInAndUpload,
  openForm,
  openNewForm,
  picture,
  privateLink,
  saved,
  send,
  submitted,
} from './form.ts';

startSeeded();

const BUSY = { status: 503, json: { message: 'busy' } };

/** The text below the headline of the success screen, in reading order. */
const readNext = (page: Page) => page.locator('.submitted-next').innerText();

it('incomplete submission shows the missing parts on the success screen, and one button sends them', async () => {
  const title = 'Half of a lamp';
  const page = await openNewForm(PHONE);
  let down = true;
  let refused: string | null = null;
  await page.route('**/storage/v1/object/**', (route) => {
    // One picture is not uploaded, the other is not added.
    refused ??= route.request().url();
    return down && route.request().url() === refused ? route.fulfill(BUSY) : route.continue();
  });
  await page.route(/\/rest\/v1\/(project_media|case_study_metadata|rpc\/save_case_study_metadata)/, (route) =>
    down ? route.fulfill(BUSY) : route.continue(),
  );
  await fillInAndUpload(page, title, [await picture('a.png'), await picture('b.png', '#2a44f5')]);
  await send(page);
  await submitted(page).waitFor();
  expect(await readNext(page)).toMatch(/^Still to send: 2 of 2 media items and some of the texts\./);
  expect(await submitted(page).evaluate((heading) => heading === document.activeElement)).toBe(true);
  const described = (await submitted(page).getAttribute('aria-describedby'))!;
  const missing = await page.locator(`[id="${described}"]`).innerText();
  expect(missing).toMatch(/Still to send: 2 of 2 media items.*the rest is saved on this device\.$/s);
  const sendRest = page.getByRole('button', { name: 'Send the rest' });
  expect(await sendRest.count()).toBe(1);
  expect(await page.locator('.submitted .button-primary').allInnerTexts()).toEqual(['Send the rest']);
  expect(await page.getByText('Taking you to your draft.').count()).toBe(0);
  await lookOnPhoneAndDesktop(page);
  down = false;
  await sendRest.click();
  await page.getByText('Stored: the brief, 2 media items, all texts').waitFor();
  const projects = (await dataAs(admin)).from('projects');
  const { data } = await projects.select('id, project_media(id), case_study_metadata(impact)').eq('title', title);
  expect(data).toMatchObject([
    { project_media: [{}, {}], case_study_metadata: { impact: '<p>Words about The Impact.</p>' } },
  ]);
});

it('submission contains what was written while its pictures were sent; an incomplete one stays on the device when another is begun', async () => {
  const page = await openNewForm();
  const release = await hold(page, '**/storage/v1/object/case-studies/**');
  await fillIn(page, 'Written before');
  await send(page);
  await page.getByText('Waiting for the pictures to arrive').waitFor();
  await page.getByLabel('Project Title').fill('Written meanwhile');
  await page.getByLabel('Client Name').fill('A late client');
  release();
  const { id } = await privateLink(page);
  const stored = (await dataAs(admin)).from('projects').select('title, client').eq('id', id);
  expect((await stored).data).toEqual([{ title: 'Written meanwhile', client: 'A late client' }]);

  await page.getByRole('button', { name: 'Submit Another' }).click();
  await page.route(/\/rest\/v1\/(case_study_metadata|rpc\/save_case_study_metadata)/, (route) => route.fulfill(BUSY));
  await fillInAndUpload(page, 'Half of a kettle');
  await send(page);
  await submitted(page).waitFor();
  await page.getByRole('button', { name: 'Submit Another' }).click();
  await page.getByText('Half of a kettle').first().waitFor();
  expect(await page.getByLabel('Project Title').inputValue()).toBe('');
});

it('submission whose rest is stored nowhere is confirmed to be given up before another one begins', async () => {
  const page = mayComplain(await openPage(PHONE));
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('No', 'SecurityError');
    };
  });
  await openForm(page);
  await page.route(/\/rest\/v1\/(case_study_metadata|rpc\/save_case_study_metadata)/, (route) => route.fulfill(BUSY));
  await fillInAndUpload(page, 'Half of a mirror');
  await send(page);
  await submitted(page).waitFor();
  const another = page.getByRole('button', { name: 'Submit Another' });
  await another.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The rest is not saved on this device.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await another.click();
  await dialog.getByRole('button', { name: 'Submit Another' }).click();
  await expect.poll(() => page.getByLabel('Project Title').inputValue()).toBe('');
});

it('picture that failed to upload reopens the form with all input when the failure is final', async () => {
  const page = mayComplain(await openNewForm());
  const json = { statusCode: '415', error: 'invalid_mime_type', message: 'Not a picture' };
  await mockResponse(page, '**/storage/v1/object/**', { status: 415, json });
  await fillIn(page, 'A lamp with an odd picture');
  await send(page);
  await submitted(page).waitFor();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  expect(await page.getByLabel('Project Title').inputValue()).toBe('A lamp with an odd picture');
  await page.getByText('Not uploaded.').waitFor();
});

/** The form as a member fills it in, whose session is then ended on the server and about to be renewed. */
async function memberWithoutSession(title: string) {
  const account = await newAccount();
  const page = await openPage(PHONE);
  await keepSession(page, account);
  await openForm(page);
  await page.getByText(`we write to ${account.email}`).waitFor();
  await fillInAndUpload(page, title);
  await saved(page);
  await endSession(page);
  return { page, account };
}

/** The account that owns a draft, by its title. */
async function ownerOf(title: string): Promise<{ id: string; created_by: string }> {
  const projects = (await dataAs(admin)).from('projects');
  const { data } = await projects.select('id, created_by').eq('title', title).single();
  return data as { id: string; created_by: string };
}

it('member whose session ends in the submit form sees a notice before sending, signs in, and sends the same draft', async () => {
  const title = 'A lamp of a member';
  const { page, account } = await memberWithoutSession(title);
  const created = requestsOf(page, (request) => /create_case_study|rest\/v1\/projects/.test(request.url()));
  await send(page);
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('submit-failure');
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByText(`You wrote this as ${account.email}.`).waitFor();
  expect(created).toEqual([]);
  await lookOnPhoneAndDesktop(page);
  await page.getByRole('link', { name: 'Sign in and continue' }).click();
  await fillSignIn(page, account);
  await page.waitForURL('**/case-study-upload');
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await page.getByLabel('Project Title').inputValue()).toBe(title);
  await page.getByText(`we write to ${account.email}`).waitFor();
  await send(page);
  await privateLink(page);
  await page.getByText('Stored: the brief, 1 media item, all texts').waitFor();
  expect(await page.getByText('Sent as a guest.').count()).toBe(0);
  expect((await ownerOf(title)).created_by).toBe(account.id);
});

it('member whose session ends in the submit form sees it again after a reload, can send as a guest, and the success screen moves the draft into the account', async () => {
  const title = 'A lamp of a guest';
  const { page, account } = await memberWithoutSession(title);
  await page.reload();
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor();
  await page.getByText(`You wrote this as ${account.email}.`).waitFor();
  await send(page);
  await page.getByRole('button', { name: 'Send as a guest' }).click();
  await submitted(page).waitFor();
  expect(await readNext(page)).toContain(`Sent as a guest. It isn’t in your account (${account.email}) yet.`);
  const { id, created_by } = await ownerOf(title);
  expect(created_by).not.toBe(account.id);
  await lookOnPhoneAndDesktop(page);
  await page.getByRole('link', { name: 'Sign in and add it to your account' }).click();
  await fillSignIn(page, account);
  await page.waitForURL((url) => url.pathname === `/drafts/${id}`);
  await page.getByText(draftWords.kept).waitFor();
  expect((await ownerOf(title)).created_by).toBe(account.id);
});

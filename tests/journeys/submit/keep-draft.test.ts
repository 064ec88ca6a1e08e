import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { draftWords } from '../../../app/features/reviews/words/review.ts';
import { DESKTOP, expectAccessible, expectQuiet, fillSignIn, PHONE } from '../../browser.ts';
import { codeInMail, linkInMail } from '../../outbox.ts';
import { draft } from '../experiments.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const { member } = inject('accounts');

const secretOf = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
const someone = () => `keeper-${randomUUID().slice(0, 8)}@madhouse.example`;

/** A guest on the page of their draft, about to keep it. */
async function guestWith(title: string, device = DESKTOP as Parameters<typeof openPage>[1]) {
  const secret = secretOf();
  const id = await draft(title, { secret });
  const page = await openPage(browser, device);
  await page.goto(`/case-studies/${id}?draft=${secret}`);
  await page.getByRole('link', { name: draftWords.keep }).click();
  return { page, id };
}

async function signUp(page: Page, email: string) {
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('both-hands-on-ink-4');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
}

/** Says that the draft is in the account, on its own page, and it is. */
async function expectKept(page: Page, id: string, title: string) {
  await page.waitForURL((url) => url.pathname === `/drafts/${id}`);
  await page.getByText(draftWords.kept).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole('heading', { name: draftWords.keep }).waitFor({ state: 'detached' });
  await page.goto('/my-experiments');
  await page.getByRole('link', { name: title, exact: true }).waitFor();
  await page.getByText(draftWords.states.unfinished).waitFor();
}

describe('guest who signs up to keep a draft', () => {
  it('returns to it by the email link in another tab, and the draft is in the account (D6, AUTH-20)', async () => {
    const title = 'A lamp to keep';
    const { page, id } = await guestWith(title, PHONE);
    const email = someone();
    const asked = page.waitForRequest('**/auth/v1/signup*');
    await signUp(page, email);
    expect(new URL((await asked).url()).searchParams.get('redirect_to')).toBe(`${seeded.base}/admin`);
    const tab = await page.context().newPage();
    await tab.goto(await linkInMail(seeded.dataDir, email, 'confirmation'));
    await tab.getByRole('button', { name: 'Confirm my email address' }).click();
    await tab.getByText(draftWords.kept).waitFor();
    await expectAccessible(tab);
    expect(await visualFaults(tab)).toEqual([]);
    await expectKept(tab, id, title);
    expectQuiet(page);
  });

  it('returns to it by the emailed code (D6)', { timeout: 120_000 }, async () => {
    const { page, id } = await guestWith('A chair to keep');
    const email = someone();
    await signUp(page, email);
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeInMail(seeded.dataDir, email, 'confirmation'));
    await expectKept(page, id, 'A chair to keep');
  });

  it('sees a hint on My experiments in another browser, and the draft in the original one (D6)', async () => {
    const { page, id } = await guestWith('A door to keep');
    const email = someone();
    await signUp(page, email);
    const elsewhere = await openPage(browser, PHONE);
    await elsewhere.goto(await linkInMail(seeded.dataDir, email, 'confirmation'));
    await elsewhere.getByRole('button', { name: 'Confirm my email address' }).click();
    await elsewhere.waitForURL((url) => url.pathname === '/my-experiments');
    await elsewhere.getByText(draftWords.confirmed).waitFor();
    await expectAccessible(elsewhere);
    expect(await visualFaults(elsewhere)).toEqual([]);
    // The first browser still knows what it was about to do.
    await page.goto(`/sign-in?next=${encodeURIComponent(`/drafts/${id}#keep`)}`);
    await fillSignIn(page, { email, password: 'both-hands-on-ink-4' });
    await expectKept(page, id, 'A door to keep');
  });

  it('signs in to an existing account, which receives the draft (D6)', async () => {
    const { page, id } = await guestWith('A shelf to keep');
    await page.locator('.keep-draft').getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, member);
    await expectKept(page, id, 'A shelf to keep');
  });
});

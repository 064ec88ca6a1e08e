import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { draftWords } from '../../../app/features/reviews/words/review.ts';
import { newSecret } from '../../../app/lib/data/ids.ts';
import { DESKTOP, expectFocus, fillSignIn, PHONE } from '../../browser.ts';
import { codeInMail, linkInMail } from '../../outbox.ts';
import { addMedia, draft } from '../experiments.ts';
import { look, lookOnPhoneAndDesktop, openSignedIn, retype } from '../hands.ts';
import { admin, openAt, seeded, startSeeded } from '../seeded.ts';
import { dataAs, newEditor } from '../signing-in.ts';

startSeeded();

/** A guest on the page of their draft, about to add it to an account. */
async function guestWith(title: string, device: BrowserContextOptions = DESKTOP) {
  const secret = newSecret();
  const id = await draft(title, { secret });
  const page = await openAt(`/case-studies/${id}?draft=${secret}`, device);
  await page.getByRole('link', { name: draftWords.keep }).click();
  return { page, id };
}

async function signUp(page: Page, email: string) {
  await page.getByRole('link', { name: 'Sign up' }).click();
  await fillSignIn(page, { email, password: 'both-hands-on-ink-4' }, 'Create Account');
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
}

/** Checks that the draft's page shows it as part of the account, and that it is. */
async function expectKept(page: Page, id: string, title: string) {
  await page.waitForURL((url) => url.pathname === `/drafts/${id}`);
  await page.getByText(draftWords.kept).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole('heading', { name: draftWords.keep }).waitFor({ state: 'detached' });
  await page.goto('/my-experiments');
  await page.getByRole('link', { name: title, exact: true }).waitFor();
  await page.getByText(draftWords.states.unfinished).waitFor();
}

it('guest who signs up to keep a draft returns to it by the email link in another tab, and the draft is in the account (D6, AUTH-20)', async () => {
  const title = 'A lamp to keep';
  const { page, id } = await guestWith(title, PHONE);
  const email = 'keeper-one@madhouse.example';
  const asked = page.waitForRequest('**/auth/v1/signup*');
  await signUp(page, email);
  expect(new URL((await asked).url()).searchParams.get('redirect_to')).toBe(`${seeded.base}/admin`);
  const tab = await page.context().newPage();
  await tab.goto(await linkInMail(seeded.dataDir, email, 'confirmation'));
  await tab.getByRole('button', { name: 'Confirm my email address' }).click();
  await tab.getByText(draftWords.kept).waitFor();
  await look(tab);
  await expectKept(tab, id, title);
});

it('guest who signs up to keep a draft returns to it by the emailed code (D6)', async () => {
  const { page, id } = await guestWith('A chair to keep');
  const email = 'keeper-two@madhouse.example';
  await signUp(page, email);
  await page.getByRole('textbox', { name: 'Code' }).fill(await codeInMail(seeded.dataDir, email, 'confirmation'));
  await expectKept(page, id, 'A chair to keep');
});

it('guest who signs up to keep a draft sees a hint on My experiments in another browser, and signs in to keep the draft in the original one (D6)', async () => {
  const { page, id } = await guestWith('A door to keep');
  const email = 'keeper-three@madhouse.example';
  await signUp(page, email);
  const elsewhere = await openAt(await linkInMail(seeded.dataDir, email, 'confirmation'), PHONE);
  await elsewhere.getByRole('button', { name: 'Confirm my email address' }).click();
  await elsewhere.waitForURL((url) => url.pathname === '/my-experiments');
  await elsewhere.getByText(draftWords.confirmed).waitFor();
  await look(elsewhere);
  // The first browser still has the pending action.
  await page.goto(`/case-studies/${id}`);
  await page.getByRole('link', { name: draftWords.keep }).click();
  await page.locator('.keep-draft').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, { email, password: 'both-hands-on-ink-4' });
  await expectKept(page, id, 'A door to keep');
});

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name });

it('a client with a link to a draft comments, approves, and is answered in the review queue by an editor, by keyboard alone, at 390 and 1440 pixels', async () => {
  const title = 'A room that waits';
  const id = await draft(title, { secret: newSecret() });
  const url = `${seeded.base}/storage/v1/object/public/case-studies/images/${randomUUID()}.png`;
  await addMedia([{ project_id: id, type: 'image', url, title: 'Lamp', order: 0 }]);
  const data = await dataAs(admin);
  const forRavi = { p_project: id, p_name: 'Ravi', p_until: new Date(Date.now() + 86_400_000).toISOString() };
  const link = (await data.rpc('make_draft_link', forRavi).throwOnError()).data as { id: string; secret: string };
  const texts = { p_understanding: '<p>Quiet.</p>', p_actions: '<p>Work.</p>', p_impact: '<p>Much.</p>' };
  await data.rpc('save_case_study_metadata', { p_id: id, ...texts }).throwOnError();
  const client = await openAt(`/case-studies/${id}?draft=${link.secret}`, PHONE);
  await client.getByRole('link', { name: 'Comment and approve' }).press('Enter');
  await client.waitForURL((at) => at.pathname === `/drafts/${id}`);
  const part = (name: string) => client.getByRole('region', { name, exact: true });
  const comment = async (place: string, text: string) => {
    await part(place).locator('summary').last().press('Enter');
    await retype(part(place).getByLabel('Your comment'), text);
    await button(part(place), 'Send').last().press('Enter');
    await part(place).getByText('Sent. We see it in our inbox.').waitFor();
  };
  await comment('The Brief', 'Shorter, please.');
  await comment('Picture 1 “Lamp”', 'Warmer light?');
  expect(await part('The Brief').getByLabel('Your comment').inputValue()).toBe('');
  await lookOnPhoneAndDesktop(client);
  await button(client, 'Approve').press('Enter');
  await button(client.getByRole('dialog'), 'Approve').press('Enter');
  await client.getByText('You approved this on').waitFor();

  const page = await openSignedIn(await newEditor(), '/admin', PHONE);
  const need = page.getByRole('listitem').filter({ hasText: `2 open comments on “${title}”` });
  await need.getByRole('link', { name: 'Answer' }).press('Enter');
  const room = page.getByRole('region', { name: 'Comments' });
  await room.getByText('approved this version').waitFor();
  const thread = room.getByRole('listitem').filter({ hasText: 'Warmer light?' });
  await thread.locator('summary').press('Enter');
  await retype(thread.getByLabel('Your answer'), 'We try it tomorrow.');
  await button(thread, 'Send').press('Enter');
  await thread.getByText('Your answer is sent.').waitFor();
  await look(page);
  await button(room, 'Resolve “Shorter, please.”').press('Enter');
  await button(room, 'Reopen “Shorter, please.”').waitFor();
  await button(room, 'Delete “Shorter, please.”').press('Enter');
  await button(room, 'Delete “Shorter, please.”').waitFor({ state: 'detached' });
  await expectFocus(button(room, 'Delete “We try it tomorrow.”'));
  await button(page, /^Undo: Comment deleted/).press('Enter');
  await button(room, 'Delete “Shorter, please.”').waitFor();
  await page.goto('/admin/review');
  await page.getByRole('listitem').filter({ hasText: title }).getByText('1 open comment').waitFor();
  await page.goto(`/case-studies/${id}?draft=${link.secret}`);
  const ownership = page.waitForResponse(/created_by=eq/);
  await page.goto(`/drafts/${id}`);
  await ownership;
  expect(await page.getByRole('region', { name: 'Links' }).count()).toBe(0);

  await client.reload();
  await part('Picture 1 “Lamp”').getByText('We try it tomorrow.').waitFor();
  await part('The Brief').getByText('resolved').waitFor();
  await button(client, 'Resolve “Warmer light?”').press('Enter');
  await button(client, 'Reopen “Warmer light?”').waitFor();
  await data.from('projects').update({ client: 'Changed' }).eq('id', id).throwOnError();
  await client.reload();
  await client.getByText('It was changed after you approved it on').waitFor();
  await button(client, 'Withdraw approval').press('Enter');
  await client.getByText('It was changed after you approved it on').waitFor({ state: 'detached' });
  await expectFocus(button(client, 'Approve'));

  // The link is revoked while its holder is typing.
  await part('In general').locator('summary').press('Enter');
  await retype(part('In general').getByLabel('Your comment'), 'One more thing');
  await data.rpc('revoke_draft_link', { p_link: link.id }).throwOnError();
  await button(part('In general'), 'Send').press('Enter');
  await part('In general').getByText('Your link has ended, or it is not for this draft. Nothing was sent.').waitFor();
  expect(await part('In general').getByLabel('Your comment').inputValue()).toBe('One more thing');
  await look(client);
});

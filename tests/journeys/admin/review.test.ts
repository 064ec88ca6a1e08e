import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { draftWords, reviewWords } from '../../../app/features/reviews/words/review.ts';
import { newId, newSecret } from '../../../app/lib/data/ids.ts';
import { DESKTOP, expectAccessible, expectFocus, hold, mayComplain, PHONE } from '../../browser.ts';
import { linkInMail } from '../../outbox.ts';
import { addMedia, answerDraft, draft } from '../experiments.ts';
import { answerReview, expectFaultlessOnDesktopAndPhone, makeLink, openAsAdmin, said } from '../hands.ts';
import { admin, member, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs, keepSession } from '../signing-in.ts';
import { fillIn, openNewForm, privateLink, send, write } from '../submit/form.ts';

startSeeded();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const fits = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

it('review of a submission accepts a submission from a phone, requests changes, receives them through the mailed link although the first answer is lost, requests more, and publishes it (SCOPE-03)', async () => {
  const phone = await openNewForm(PHONE);
  await fillIn(phone, 'A lamp that listens');
  await phone.getByLabel('Where can we reach you?').fill('asha@example.com');
  await send(phone);
  const { link, id } = await privateLink(phone);

  const desk = await openAsAdmin('/admin/review');
  await desk.locator('.review-rows').waitFor();
  const row = desk.locator(`a[href*="${id}"]`);
  for (let pressed = 0; pressed < 30; pressed++) {
    await desk.keyboard.press('j');
    if (await row.evaluate((link) => link === document.activeElement)) break;
  }
  await desk.keyboard.press('Enter');
  await desk.getByRole('heading', { name: 'A lamp that listens' }).waitFor();
  await desk.getByRole('heading', { name: '1 thing could be better' }).waitFor();
  await desk.getByText('Picture 1 does not say what it shows.').waitFor();
  const rights = desk.getByLabel('We may show all of its pictures, videos and words');
  // The checkbox updates after the request.
  await rights.click();
  await expect.poll(() => rights.isChecked()).toBe(true);
  await desk.getByLabel('Add a note').fill('Only for us');
  await desk.getByRole('button', { name: 'Add the note' }).click();
  await desk.getByRole('listitem').filter({ hasText: 'Only for us' }).waitFor();
  await answerReview(desk, 'ask', 'Say what the picture shows,\nand why it listens.');
  await desk.getByText('An email goes to asha@example.com.').waitFor();

  await phone.goto(link);
  await phone.goto(await linkInMail(seeded.dataDir, 'To: asha@example.com', 'message'));
  await phone.getByText('and why it listens.').waitFor();
  expect(await phone.content()).not.toContain('Only for us');
  await expectAccessible(phone);
  await phone.getByRole('link', { name: draftWords.edit }).click();
  await phone.locator('button[type=submit]:enabled').first().waitFor();
  await phone.getByRole('listitem').filter({ hasText: 'Mail of' }).getByText('you came by this one').waitFor();
  await phone.getByLabel('Project Title').fill('A lamp that listens well');
  await phone.getByLabel(/^What does it show/).fill('A lamp with ears');
  await write(phone, 'brief', 'More. ');
  const note = phone.getByLabel('What did you change?');
  await note.fill('It has ears now');
  await phone.getByText('Saved on this device').waitFor();
  await phone.reload();
  await expect.poll(() => note.inputValue()).toBe('It has ears now');
  await phone.route('**/desk', (route) => route.fetch().then(() => route.fulfill({ status: 504 })), { times: 1 });
  await phone.getByRole('button', { name: 'Send back' }).click();
  await phone.getByText(draftWords.sentBack(0)).waitFor();
  // D15: the page no longer requests the change.
  await phone.getByRole('heading', { level: 1, name: 'A lamp that listens well' }).waitFor();
  await phone.getByText(draftWords.changed).waitFor();
  expect(await phone.getByText('and why it listens.').count()).toBe(0);
  expect(await phone.getByRole('button', { name: 'Send back' }).count()).toBe(0);

  await desk.goto(`/admin/review/${id}`);
  await desk.getByRole('heading', { name: 'What changed' }).waitFor();
  await desk.getByText('It has ears now').first().waitFor();
  const changes = desk.getByRole('region', { name: 'What changed' });
  expect(await changes.getByRole('term').allTextContents()).toEqual(['Title', 'The Brief', 'Media']);
  expect(await changes.locator('ins').first().textContent()).toContain('well');
  await changes.getByText('what it shows from nothing to “A lamp with ears”').waitFor();
  await desk.getByText('every picture says what it shows').waitFor();
  await desk.getByText('What it shows: A lamp with ears').waitFor();
  expect(await rights.isChecked()).toBe(false);
  await answerDraft(id, 'ask', 'And its cable?');
  await makeLink(phone, 'For Ravi');
  await phone.getByText('And its cable?').waitFor();
  await phone.getByRole('button', { name: 'Send back' }).waitFor();
  await desk.reload();
  await answerReview(desk, 'publish');
  await desk.getByText('“A lamp that listens well” is published.').waitFor();

  const shown = await fetch(`${seeded.base}/case-studies/${id}`);
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('A lamp that listens well')]);
});

it('review of a submission declines with a reason for the submitter, on a phone, reopens it, and reports an outdated answer', async () => {
  const secret = newSecret();
  const id = await draft('A kettle that sulks', { secret });
  // An unfinished submission joins the list after two hours; its reading view works immediately.
  const desk = await openAsAdmin(`/admin/review/${id}?show=declined`, PHONE);
  await desk.getByRole('heading', { name: 'A kettle that sulks' }).waitFor();
  await fits(desk);
  await answerReview(desk, 'decline', 'Too sulky.');
  await desk.getByText('“A kettle that sulks” is declined.').waitFor();

  const guest = await openAt(`/case-studies/${id}?draft=${secret}`, PHONE);
  await guest.getByText('Too sulky.').waitFor();
  await guest.getByText('You can read it here until').waitFor();

  const slower = await openAsAdmin(`/admin/review/${id}`);
  await slower.getByRole('button', { name: reviewWords.reopen }).waitFor();
  await desk.getByRole('button', { name: reviewWords.reopen }).click();
  await desk.getByText('is back in the inbox.').waitFor();
  await slower.getByRole('button', { name: reviewWords.reopen }).click();
  await slower.getByRole('alert').getByText('took it up again meanwhile. Your answer was not sent.').waitFor();
  // The screen shows the current state.
  await slower.getByRole('button', { name: reviewWords.publish, exact: true }).waitFor();
});

const inFocus = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

it('open submission starts each answer with an empty text, keeps the focus on its title, and offers to undo each of two notes removed at the same time', async () => {
  const title = 'A fan that gossips';
  const desk = await openAsAdmin(`/admin/review/${await draft(title, { account: member })}?show=declined`);
  const dialog = desk.getByRole('dialog');
  const open = (what: 'publish' | 'ask' | 'decline') =>
    desk.getByRole('button', { name: reviewWords[what], exact: true }).click();
  await open('ask');
  await dialog.getByRole('button', { name: reviewWords.ask, exact: true }).click();
  await dialog.getByText('Write a few words, please.').waitFor();
  await dialog.getByRole('textbox').fill('Half a thought.');
  await desk.keyboard.press('Escape');
  await desk.reload();
  await open('ask');
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Half a thought.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await open('decline');
  expect(await dialog.getByText('Write a few words, please.').count()).toBe(0);
  await dialog.getByRole('textbox').fill('It told everybody about you.');
  await dialog.getByRole('checkbox').uncheck();
  await dialog.getByRole('button', { name: reviewWords.decline, exact: true }).click();
  await said(desk, `“${title}” is declined.`);
  await expect.poll(() => inFocus(desk)).toBe(title);

  await desk.getByRole('button', { name: reviewWords.reopen }).click();
  await said(desk, `“${title}” is back in the inbox.`);
  await expect.poll(() => inFocus(desk)).toBe(title);
  await open('publish');
  expect(await dialog.getByRole('textbox').inputValue()).toBe('');
  expect(await dialog.getByRole('checkbox').isChecked()).toBe(true);
  await dialog.getByRole('button', { name: reviewWords.publish, exact: true }).click();
  await said(desk, `“${title}” is published. An email goes to ${member.email}.`);
  await expect.poll(() => inFocus(desk)).toBe(title);

  const notes = ['Ask Ravi first', 'Ask Asha too'];
  for (const note of notes) {
    await desk.getByLabel('Add a note').fill(note);
    await desk.getByRole('button', { name: 'Add the note' }).click();
    await desk.getByRole('button', { name: `Remove the note “${note}”` }).waitFor();
  }
  const go = await hold(desk, '**/rest/v1/review_notes?*');
  for (const note of notes) await desk.getByRole('button', { name: `Remove the note “${note}”` }).click();
  go();
  const undo = desk.getByRole('button', { name: 'Undo: Note removed.' });
  await expect.poll(() => undo.count()).toBe(2);
  await expectFocus(desk.getByRole('region', { name: 'Private notes' }).locator('ul'));
  for (const _ of notes) await undo.first().click();
  for (const note of notes) await desk.getByText(note).waitFor();
});

it('open submission is answered by key, continues with the longest-waiting submission, and keeps the answers visible below the status message', async () => {
  const desk = await openAsAdmin('/admin/review');
  const filter = desk.locator('.table-tools').getByRole('button', { name: reviewWords.states.waiting });
  const waiting = Number(await filter.locator('small').innerText());
  expect(waiting).toBeGreaterThan(1);
  const first = desk.locator('.review-rows a').first();
  await expect.poll(() => first.innerText()).toMatch(/waiting for (less than a day|1 day|\d+ days)/);
  const title = await first.locator('strong').innerText();
  await first.click();
  await desk.getByRole('heading', { level: 2, name: title }).waitFor();
  await desk.keyboard.press('d');
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Not for us, and thank you.');
  await dialog.getByRole('button', { name: reviewWords.decline, exact: true }).click();
  await said(desk, `“${title}” is declined.`);
  await desk.getByRole('heading', { level: 2, name: title }).waitFor({ state: 'detached' });
  const next = desk.locator('.review-head h2');
  await expect.poll(() => inFocus(desk)).toBe(await next.innerText());
  await expectFaultlessOnDesktopAndPhone(desk);
  const sidebar = desk.locator('.admin-menu a[href="/admin/review"] .admin-waiting');
  await expect.poll(() => sidebar.textContent()).toContain(String(waiting - 1));
});

it('open submission reports the result of an answer and an email when another submission is open by then', async () => {
  const title = 'A door that sighs';
  const id = await draft(title, { account: member });
  const desk = mayComplain(await openAsAdmin(`/admin/review/${id}?show=declined`));
  await desk.getByRole('heading', { name: title }).waitFor();
  await answerReview(desk, 'decline', 'Too many sighs.');
  await said(desk, `“${title}” is declined.`);
  await desk.goto(`/admin/review/${id}`);
  const another = desk.locator(`.review-rows a:not([href*="${id}"])`).first();
  const one = desk.locator(`.review-rows a[href*="${id}"]`);
  const elsewhere = desk.getByRole('heading', { level: 2, name: title });

  let go = await hold(desk, '**/rpc/answer_review');
  await desk.getByRole('button', { name: reviewWords.reopen }).click();
  await another.click();
  await elsewhere.waitFor({ state: 'detached' });
  go();
  await said(desk, `“${title}” is back in the inbox.`);

  for (const refusal of [undefined, 'No more mails today.']) {
    await one.click();
    await elsewhere.waitFor();
    go = await hold(desk, '**/rpc/mail_draft_link');
    await desk.getByRole('button', { name: 'Send the submitter a new link' }).click();
    await another.click();
    await elsewhere.waitFor({ state: 'detached' });
    go(refusal);
    await said(desk, refusal ?? `We email a new link to ${member.email}.`);
  }
});

it('draft links are created with names, show when they were opened, are revoked, and do not replace the access of the submitter who opens one; and the draft moves into an account with an open request, and is sent back without a link', async () => {
  const secret = newSecret();
  const id = await draft('A chair that waits', { secret });
  const url = `${seeded.base}/storage/v1/object/public/case-studies/images/${newId()}.png`;
  await addMedia([{ project_id: id, type: 'image', url, order: 0 }]);
  const texts = { p_understanding: '<p>Quiet.</p>', p_actions: '<p>Work.</p>', p_impact: '<p>Much.</p>' };
  await (await dataAs(admin)).rpc('save_case_study_metadata', { p_id: id, ...texts }).throwOnError();
  const page = await openAt(`/case-studies/${id}?draft=${secret}`, PHONE);
  await page.getByRole('link', { name: draftWords.manage }).click();
  await page.getByRole('heading', { level: 1, name: 'A chair that waits' }).waitFor();
  const revoke = async (name: string) => {
    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('listitem').filter({ hasText: name }).getByText('revoked').waitFor();
  };
  const address = await makeLink(page, 'For Ravi');
  await fits(page);

  // Headless browsers are not counted as readers.
  const ravi = await openAt(address, { ...DESKTOP, userAgent: FIREFOX });
  expect(new URL(ravi.url()).search).toBe('');
  await ravi.getByRole('heading', { level: 1, name: 'A chair that waits' }).waitFor();

  await page.goto(address);
  await page.goto(`/drafts/${id}`);
  const row = page.getByRole('listitem').filter({ hasText: 'For Ravi' });
  // The opening is recorded after the response.
  await expect.poll(() => page.reload().then(() => row.innerText())).toContain('last opened');
  await revoke('For Ravi');
  expect((await ravi.goto(address))?.status()).toBe(404);

  // A guest can sign in; a user can move the draft into the account.
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().waitFor();
  await keepSession(page, member);
  await answerDraft(id, 'ask', 'Sit on it first.');
  await page.goto(`/drafts/${id}`);
  await page.getByRole('button', { name: draftWords.keep }).click();
  await page.getByText(draftWords.kept).waitFor();
  await page.getByText('Sit on it first.').waitFor();
  await page.getByRole('button', { name: 'Send back' }).waitFor();
  await page.goto('/my-experiments');
  await page.getByRole('link', { name: 'A chair that waits', exact: true }).waitFor();
  await fits(page);

  // Another browser opens it with the account, and the first link still works without one.
  await page.context().clearCookies();
  await page.goto(`/drafts/${id}`);
  await page.getByRole('heading', { level: 1, name: 'A chair that waits' }).waitFor();
  await page.goto(await makeLink(page, 'For Meera'));
  await page.goto(`/drafts/${id}`);
  await revoke('For Meera');
  await page.getByRole('button', { name: 'Send back' }).click();
  await page.getByText(draftWords.sentBack(0)).waitFor();
  expect((await ravi.goto(`/case-studies/${id}?draft=${secret}`))?.status()).toBe(200);
});

it('draft links keep their input and a secret shown only once when the server refuses or is unreachable, and their last day through edits, on every screen', async () => {
  const secret = newSecret();
  const id = await draft('A mirror that blinks', { secret });
  // A time zone where the date differs from the server's.
  const timezoneId = new Date().getUTCHours() >= 12 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
  const page = await openAt(`/case-studies/${id}?draft=${secret}`, { ...DESKTOP, timezoneId, userAgent: FIREFOX });
  await page.goto(`/drafts/${id}`);
  const lastDay = new Date(Date.now() + 20 * 24 * 3600_000);
  const inWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(lastDay);
  const error = { message: 'A draft has at most 20 links at a time.', code: 'PT422' };
  const failing = (call: string) =>
    page.route('**/desk', async (route) => {
      if (route.request().postDataJSON()?.call !== call) await route.fallback();
      else if (call === 'find') await route.abort();
      else await route.fulfill({ status: 422, json: { data: null, error } });
    });
  await failing('make_draft_link');
  await page.getByText('Make another link').click();
  await page.getByLabel('Name').fill('For Ravi');
  await page.getByLabel('Last day').fill(lastDay.toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('alert').getByText(error.message).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('For Ravi');
  await page.unroute('**/desk');

  await failing('find');
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('alert').getByText(draftWords.failedToReload).waitFor();
  const made = page.getByLabel('“For Ravi” is ready. Copy it now');
  expect(await made.inputValue()).toContain(`/case-studies/${id}?draft=`);
  // The header covers what was scrolled below it.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await page.unroute('**/desk');
  await page.getByRole('button', { name: 'Try again' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'For Ravi' });
  for (let changed = 0; changed < 2; changed++) {
    await row.getByText(`open until ${inWords}`).waitFor();
    expect(await page.getByText(draftWords.failedToReload).count()).toBe(0);
    expect(await made.count()).toBe(1);
    await row.getByRole('button', { name: 'Change For Ravi' }).click();
    const field = page.getByRole('listitem').getByLabel('Last day');
    expect(await field.inputValue()).toBe(lastDay.toISOString().slice(0, 10));
    expect(await page.evaluate(() => document.activeElement?.matches('[name=name]'))).toBe(true);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => inFocus(page)).toBe('Change');
  }
  // Server and browser render the same times.
  await page.reload();
  await row.getByText(`open until ${inWords}`).waitFor();
  await page.getByText('last opened').first().waitFor();
  await row.getByRole('button', { name: 'Change For Ravi' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
});

it('draft links do not report the link or its draft as missing when the server does not answer a signed-in user', async () => {
  const id = await draft('A rug that remembers', { account: member });
  const page = mayComplain(await openPage(PHONE));
  await keepSession(page, member);
  await page.route('**/rest/v1/**', (route) => route.abort());
  await page.goto(`/drafts/${id}`);
  await page.getByRole('alert').getByText('Your draft could not be loaded.').waitFor();
  await page.unroute('**/rest/v1/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'A rug that remembers' }).waitFor();
});

it('draft links disclose nothing to a guest in the review queue, and reject requests from other sites (TM-20, TM-25)', async () => {
  const hidden = await draft('Not for you', { secret: newSecret() });
  const missing = 'b0000000-0000-4000-8000-00000000dead';
  const post = (id: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${seeded.base}/drafts/${id}/desk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const look = async (id: string) => {
    const page = await fetch(`${seeded.base}/drafts/${id}`);
    const args = { p_project: id, p_name: 'Mine', p_until: '2026-12-31' };
    const ask = await post(id, JSON.stringify({ call: 'make_draft_link', args }));
    return [page.status, (await page.text()).replaceAll(id, 'ID'), ask.status, await ask.text()];
  };
  expect(await look(hidden)).toEqual(await look(missing));
  expect((await look(hidden))[0]).toBe(404);
  const desk = async (headers: Record<string, string>, body: string) => (await post(hidden, body, headers)).status;
  expect(await desk({ 'sec-fetch-site': 'cross-site' }, '{"call":"find","args":{}}')).toBe(403);
  expect(await desk({ 'content-type': 'text/plain' }, '{"call":"find","args":{}}')).toBe(415);
  const calls = ['{"call":"toString","args":{}}', '{"call":"send_draft_back","args":[]}', '{"call":"find"}'];
  for (const body of ['', 'null', '[]', ...calls]) expect(await desk({}, body), body).toBe(400);
  expect(await desk({}, `"${'x'.repeat(1024 * 1024)}"`)).toBe(413);
});

import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { log } from '../../../app/features/audit/words.ts';
import { inbox } from '../../../app/features/messages/words/admin.ts';
import { contact, contactPage } from '../../../app/features/messages/words/contact.ts';
import { builtInAgency as agency, mailLink } from '../../../app/lib/words/agency.ts';
import { DESKTOP, expectAccessible, expectFocus, PHONE, SCRIPTLESS } from '../../browser.ts';
import { freePort } from '../../free-port.ts';
import { newAddress, startServer } from '../../server.ts';
import { chooseInRow } from '../experiments.ts';
import { openAsAdmin, said } from '../hands.ts';
import { admin, openAt, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const { card } = contactPage.words;

async function fill(page: Page, { name = 'Asha Rao', email = 'asha@example.com', message = 'A loaf of ideas' } = {}) {
  await page.getByLabel(card.message).fill(message);
  await page.getByLabel(card.name).fill(name);
  await page.getByLabel(card.email).fill(email);
}
const send = (page: Page, clickCount = 1) => page.getByRole('button', { name: card.send }).click({ clickCount });
const stored = async (message: string) =>
  (await (await dataAs(admin)).from('contact_messages').select('name,email,message').eq('message', message)).data;

/** The form as sent by a program. */
const post = (fields: Record<string, string>, headers: Record<string, string> = {}, base = seeded.base) =>
  fetch(`${base}/contact`, {
    method: 'POST',
    headers: { 'x-forwarded-for': newAddress(), ...headers },
    body: new URLSearchParams({ name: 'Asha', email: 'asha@example.com', message: 'Hello', ...fields }),
    redirect: 'manual',
  });

it.each([
  ['/#contact', SCRIPTLESS],
  ['/#contact', DESKTOP],
])('contact form sends a message from %s (%j) once, and the agency receives it', async (path, options) => {
  const message = `From ${path}, ${JSON.stringify(options).length}\nwith a second line`;
  const page = await openAt(path, options);
  await fill(page, { message });
  // Only a test fills in the form faster.
  await page.waitForTimeout(3_100);
  // The script ignores a second click on Send.
  await Promise.all([page.waitForURL('**/contact?sent'), send(page, options === DESKTOP ? 2 : 1)]);
  expect(await page.getByRole('heading', { name: card.sentTitle }).isVisible()).toBe(true);
  expect(await page.title()).toContain(card.sentTitle);
  expect(await page.getByRole('button', { name: card.send }).count()).toBe(0);
  expect(await stored(message)).toEqual([{ name: 'Asha Rao', email: 'asha@example.com', message }]);
});

it('contact form keeps the input, shows an error beside each invalid field, and refuses once what came faster than a person types', async () => {
  const page = await openAt('/contact', SCRIPTLESS);
  const long = `${'Too long. '.repeat(501)}End`;
  await fill(page, { message: long, name: 'Asha "<b>" Rao', email: 'asha@example' });
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    send(page),
  ]);
  expect(answer.status()).toBe(422);
  expect(answer.headers()['cache-control']).toBe('no-store');
  const empty = await fetch(`${seeded.base}/contact`);
  expect(empty.headers.get('cache-control'), 'lets the browser restore the input on Back').toBe('no-cache');
  await page.getByText(contact.checkFields).waitFor();
  await page.waitForLoadState();
  const message = page.getByLabel(card.message);
  expect(await message.inputValue()).toBe(long);
  expect(await page.getByLabel(card.name).inputValue()).toBe('Asha "<b>" Rao');
  expect(await page.getByLabel(card.email).inputValue()).toBe('asha@example');
  const described = (label: string) =>
    page.getByLabel(label).evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
  expect(await described(card.message)).toContain(contact.longMessage('5,013'));
  expect(await described(card.email)).toContain(contact.badEmail);
  expect(await page.getByLabel(card.name).getAttribute('aria-invalid')).toBeNull();
  await expectFocus(message);
  await message.fill('Pasted, not typed');
  await page.getByLabel(card.email).fill('asha@example.com');
  // Resets the time of opening, because a slow machine fills in the form as slowly as a person.
  await page.locator('[name=opened]').evaluate((field: HTMLInputElement) => {
    field.value = String(Date.now());
  });
  await send(page);
  await page.getByRole('alert').getByText(contact.tooQuick).waitFor();
  await expectFocus(message);
  expect(await message.inputValue()).toBe('Pasted, not typed');
  await page.waitForTimeout(3_100);
  await send(page);
  await page.getByRole('heading', { name: card.sentTitle }).waitFor();
  expect(await stored('Pasted, not typed')).toHaveLength(1);
});

it('contact form refuses cross-site posts and oversized bodies, and drops messages with a filled honeypot field (TM-39)', async () => {
  expect((await post({ message: 'From elsewhere' }, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ message: 'x'.repeat(300_000) })).status).toBe(413);
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${seeded.base}/contact`, json)).status).toBe(415);
  const trapped = await post({ message: 'From a machine', subject: 'Cheap ink' });
  expect([trapped.status, trapped.headers.get('location')]).toEqual([303, '/contact?sent']);
  expect([await stored('From elsewhere'), await stored('From a machine')]).toEqual([[], []]);
  // Behind a proxy with TLS the server sees another origin than the browser.
  const proxied = { origin: 'https://www.madhouse.example', 'sec-fetch-site': 'same-origin' };
  expect((await post({ message: 'From behind a proxy' }, proxied)).status).toBe(303);
  expect(await stored('From behind a proxy')).toHaveLength(1);
});

it('contact form reports a rate limit with the waiting time, and keeps the input', async () => {
  const from = { 'x-forwarded-for': newAddress() };
  for (let sent = 0; sent < 5; sent++) expect((await post({}, from)).status).toBe(303);
  const answer = await post({ message: 'The sixth & <last>' }, from);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '600']);
  const html = await answer.text();
  for (const words of ['The sixth &amp; &lt;last&gt;</textarea>', contact.tooMany, `href="${mailLink(agency)}"`])
    expect(html).toContain(words);
});

it('contact form offers email when the service is unreachable, and keeps the input', async () => {
  const site = await startServer({
    SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_of_nobody_there',
  });
  onTestFinished(async () => void (await site.stop()));
  const answer = await post({ message: 'Not lost' }, {}, site.base);
  expect(answer.status).toBe(503);
  const html = await answer.text();
  for (const words of ['Not lost</textarea>', contact.failed, `href="${mailLink(agency)}"`])
    expect(html).toContain(words);
});

it('contact messages of the admin area are linked from the dashboard, and can be answered, marked, and deleted after a confirmation', async () => {
  const message = `Please answer me, ${Date.now()}`;
  expect((await post({ name: 'Kabir & Sons', message })).status).toBe(303);
  const page = await openAsAdmin();
  await page.getByRole('main').getByRole('link', { name: inbox.title }).click();
  await page.getByRole('heading', { level: 1, name: inbox.title }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin/messages');
  const letter = page.getByRole('row').filter({ hasText: message });
  await letter.getByText(inbox.fresh, { exact: true }).waitFor();
  const reply = await letter.getByRole('link', { name: 'Reply to Kabir & Sons' }).getAttribute('href');
  expect(reply).toMatch(/^mailto:asha@example\.com\?subject=/);
  expect(new URL(reply!).searchParams.get('body')).toContain(`> ${message}`);
  await expectAccessible(page);

  const choose = (choice: string) => chooseInRow(page, 'the message from Kabir & Sons', choice);
  await choose(inbox.markHandled);
  await letter.getByText(inbox.handled, { exact: true }).waitFor();
  const onlyNew = page.getByRole('button', { name: inbox.fresh, exact: true });
  await onlyNew.click();
  await letter.waitFor({ state: 'detached' });
  await onlyNew.click();
  await letter.getByText(inbox.handled, { exact: true }).waitFor();

  await choose('Delete');
  const dialog = page.getByRole('dialog', { name: inbox.deleteTitle });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await stored(message)).toHaveLength(1);
  await choose('Delete');
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
  await page.getByText(inbox.deleted).waitFor();
  expect(await letter.count()).toBe(0);
  expect(await stored(message)).toEqual([]);
});

it('contact messages of the admin area become a project by keyboard, each linked to the other, and the log shows what changed, before and after', async () => {
  const message = `A lamp for a ship & its crew, ${Date.now()}`;
  expect((await post({ name: 'Nila', email: 'nila@example.com', message })).status).toBe(303);
  const page = await openAsAdmin('/admin/messages');
  const letter = page.getByRole('row').filter({ hasText: message });
  const start = async () => {
    await letter.getByLabel('More actions for the message from Nila').press('Enter');
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await said(page, inbox.started);
  };
  await start();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await letter.getByRole('link', { name: inbox.inTrash }).waitFor();
  await letter.getByText(inbox.fresh, { exact: true }).waitFor();
  await start();
  const title = 'Enquiry from Nila';
  await letter.getByRole('link', { name: title }).waitFor();
  await letter.getByText(inbox.handled, { exact: true }).waitFor();
  await page.locator('.status-region').getByRole('link', { name: 'Open' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  for (const text of [message, 'nila@example.com', 'Received', 'Project started'])
    await page.getByRole('region', { name: 'Enquiry' }).getByText(text).first().waitFor();
  await expectAccessible(page);
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  expect((await fetch(`${seeded.base}/case-studies/${id}`)).status).toBe(404);
  await page.getByRole('link', { name: 'Edit' }).press('Enter');
  await page.getByLabel('Title').first().fill('A lamp for a ship');
  await page.getByRole('button', { name: 'Save' }).first().press('Enter');
  await page.getByRole('heading', { level: 1, name: 'A lamp for a ship' }).waitFor();

  const phone = await openAsAdmin('/admin/log?what=projects.', PHONE);
  const line = phone.getByRole('row').filter({ hasText: 'changed “A lamp for a ship”' });
  await line.getByRole('button', { name: log.whatChanged }).press('Enter');
  const changes = line.locator('dl.differences');
  await changes.getByText('Title', { exact: true }).waitFor();
  expect(await changes.locator('del').allInnerTexts()).toEqual([expect.stringContaining('Enquiry from Nila')]);
  expect(await changes.locator('ins').allInnerTexts()).toEqual([expect.stringContaining('A lamp for a ship')]);
  expect(await visualFaults(phone)).toEqual([]);
  await line.getByRole('link', { name: /^Version \d+ of “A lamp for a ship”$/ }).press('Enter');
  await phone.waitForURL(`**/admin/projects/${id}/versions/*`);
  await phone.locator('dl.differences').getByText('Title', { exact: true }).waitFor();
  await phone.goto('/admin/log?what=contact_messages.');
  await phone.getByText('started a project from the message from Nila').first().waitFor();
  const phoneNumber = { name: 'phone', value: `+91 22 ${String(Date.now()).slice(-8)}` };
  await (await dataAs(admin)).from('site_settings').upsert(phoneNumber).throwOnError();
  await phone.goto('/admin/log?what=site_settings.');
  await phone.getByRole('button', { name: log.whatChanged }).first().click();
  await phone.locator('dl.differences').getByText(phoneNumber.value).waitFor();
  await phone.getByRole('link', { name: 'History of “Phone”' }).first().press('Enter');
  await phone.locator('#history').getByText(phoneNumber.value).first().waitFor();
});

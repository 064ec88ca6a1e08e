import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, expectFocus, hold, PHONE } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { linkInMail } from '../../outbox.ts';
import { publish } from '../experiments.ts';
import { openAsAdmin, requestsOf, said } from '../hands.ts';
import { admin, htmlOf, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs, keepSession, newAccount, rolesOf, sessionOf } from '../signing-in.ts';

startSeeded();

/** A word that no log line contains yet. */
const unheard = () => randomUUID().slice(0, 8);

it('user administration finds and lists users with their data, confirms an address, sends a reset link, bans, changes the admin role and deletes an account (AUSERS-01)', async () => {
  const account = { email: `${unheard()}@madhouse.example`, password: 'some-long-password-4' };
  const { email } = account;
  const json = { ...account, data: { requested_admin: true } };
  expect((await clientOf(seeded).send('/auth/v1/signup', { json })).status).toBe(200);
  const page = await openAsAdmin('/admin/users');
  await page.getByLabel('Search email, name and phone').fill(email);
  await page.waitForURL((url) => url.searchParams.get('search') === email);
  await page.getByRole('row').filter({ hasText: admin.email }).waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: email });
  const cell = (label: string) => row.locator(`[data-label="${label}"]`);
  const act = async (what: string, confirm = false) => {
    await row.getByLabel(`Actions for ${email}`).click();
    await row.getByRole('button', { name: what, exact: true }).click();
    if (!confirm) return;
    const question = page.getByRole('dialog').filter({ hasText: email });
    // Nothing changes before the dialog is confirmed.
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await act(what);
    await question.getByRole('button', { name: what, exact: true }).click();
  };
  const signedUp = await cell('Signed up').locator('time').getAttribute('datetime');
  expect(Math.abs(Date.now() - Date.parse(signedUp!))).toBeLessThan(120_000);
  expect(await cell('Verified').innerText()).toBe('Not yet');
  expect(await cell('Roles').innerText()).toBe('None');
  expect(await row.innerText()).not.toContain('requested_admin');
  await expect(sessionOf(account)).rejects.toThrow('Email not confirmed');

  await act('Verify email');
  await said(page, `${email} is verified.`);
  await cell('Verified').locator('time').waitFor();
  const { id } = (await sessionOf({ ...account })).user;

  await act('Send reset link');
  await said(page, `${email} gets a reset link by email.`);
  await linkInMail(seeded.dataDir, email, 'recovery');

  await row.getByLabel(`Actions for ${email}`).press('Enter');
  await row.getByRole('button', { name: 'Ban', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Ban ${email}?` });
  await question.getByLabel('For how long?').selectOption('A week');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Ban' }).click();
  await said(page, `${email} is banned and signed out.`);
  await row.getByText('Banned until').waitFor();
  await act('Unban');
  await said(page, `${email} can sign in again.`);
  await row.getByText('Banned until').waitFor({ state: 'detached' });

  await act('Make admin', true);
  await said(page, `${email} is an admin now.`);
  await cell('Roles').getByText('admin', { exact: true }).waitFor();
  expect(await rolesOf(id)).toEqual(['admin']);
  await act('Withdraw admin role', true);
  await said(page, `${email} is no longer an admin.`);
  await cell('Roles').getByText('None').waitFor();
  expect(await rolesOf(id)).toEqual([]);

  await act('Delete account', true);
  await said(page, `The account of ${email} is deleted.`);
  await row.waitFor({ state: 'detached' });
  const { data: left } = await (await dataAs(admin)).from('profiles').select('email').eq('email', email);
  expect(left).toEqual([]);
});

it('user administration refuses to remove the last admin and shows why, on a phone (AUSERS-01)', async () => {
  const page = await openAsAdmin(`/admin/users?search=${admin.email}`, PHONE);
  await page.getByLabel(`Actions for ${admin.email}`).click();
  await page.getByText('another admin has to ban or delete it').waitFor();
  expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Withdraw admin role' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('the admin area closes for you at once').waitFor();
  await question.getByRole('button', { name: 'Withdraw admin role' }).click();
  await said(page, 'The last admin cannot be removed.');
  const row = page.getByRole('row', { name: new RegExp(admin.email) });
  await row.getByText('admin', { exact: true }).waitFor();
});

it('trash undoes a deletion immediately, restores one of several items later, and reports each of two restored at the same time, on a phone', async () => {
  const data = await dataAs(admin);
  const word = unheard();
  const titles = [`Thrown away by mistake ${word}`, `Thrown away on purpose ${word}`, `A lost glove ${word}`];
  const rows = titles.map((title) => ({ title }));
  const { data: made } = await data.from('projects').insert(rows).select('id');
  const ids = (made as { id: string }[]).map(({ id }) => id);
  await data.from('project_media').insert({ project_id: ids[0], type: 'demo', url: `${seeded.base}/kept` });
  const media = async () => (await data.from('project_media').select('id').eq('project_id', ids[0])).data?.length;

  const page = await openAsAdmin(`/admin/projects/${ids[0]}`, PHONE);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Are you sure you want to delete this project?').waitFor();
  await page.getByRole('button', { name: 'Delete Permanently' }).click();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await said(page, 'Undone.');
  expect(await media()).toBe(1);

  for (const id of ids) await data.from('projects').delete().eq('id', id);
  await page.goto(`/admin/trash?search=${word}`);
  const [mistake, purpose, glove] = titles.map((title) => page.getByRole('button', { name: `Restore ${title}` }));
  await page.getByText('3 items').waitFor();
  await page.getByText('with one media item').waitFor();
  await mistake!.click();
  await said(page, `“${titles[0]}” is restored.`);
  await page.getByText('2 items').waitFor();
  expect(await media()).toBe(1);
  expect((await data.from('projects').select('id').in('id', ids.slice(1))).data).toEqual([]);

  const gate = Promise.withResolvers<void>();
  // The first request fails after the second was sent.
  const json = { code: 'PT422', message: 'Not this one.' };
  const refuse = (route: Route) => gate.promise.then(() => route.fulfill({ status: 422, json }));
  await page.route('**/rpc/restore_from_trash', refuse, { times: 1 });
  await purpose!.click();
  await glove!.click();
  await said(page, `“${titles[2]}” is restored.`);
  gate.resolve();
  await said(page, 'Not this one.');
});

it('audit log changes its filters by keyboard without a new document, describes entries in plain words, stores its search in the address, and exports a file (PERM-14)', async () => {
  const data = await dataAs(admin);
  const { data: project } = await data.from('projects').insert({ title: '=Chai("in space")' }).select('id').single();
  await data.from('projects').update({ status: 'active' }).eq('id', project!.id);
  const page = await openAsAdmin('/admin/projects');
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Log' }).click();
  await page.getByText('signed in.').first().waitFor();
  const pagesAsked = requestsOf(page, (request) => /\.data\b/.test(request.url()));
  const [since, until, who] = [page.getByLabel('From'), page.getByLabel('To', { exact: true }), page.getByLabel('Who')];
  await since.focus();
  await page.keyboard.type('05102026', { delay: 60 });
  expect(await since.inputValue()).toBe('2026-05-10');
  await until.focus();
  await page.keyboard.type('06012026', { delay: 60 });
  await page.waitForURL((url) => url.search === '?from=2026-05-10&to=2026-06-01');
  expect([await since.inputValue(), await until.inputValue()]).toEqual(['2026-05-10', '2026-06-01']);

  await who.focus();
  await page.keyboard.type('nobody ');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('who') === 'nobody');
  await expectFocus(who);
  expect(pagesAsked).toEqual([]);
  await page.goBack();
  await page.waitForURL((url) => url.search === '?from=2026-05-10&to=2026-06-01');
  await expect.poll(() => who.inputValue()).toBe('');
  await page.goBack();
  await page.waitForURL('**/admin/projects');
  await page.goForward();
  await since.waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await page.waitForURL((url) => url.search === '');
  await expect.poll(async () => [await since.inputValue(), await until.inputValue()]).toEqual(['', '']);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('screen');
  await page.getByLabel('Search the log').fill('Chai("in');
  await page.waitForURL((url) => url.searchParams.get('search') === 'Chai("in');
  const lines = page.getByRole('main').getByRole('row');
  await lines.filter({ hasText: `${admin.email} published “=Chai("in space")”.` }).waitFor();
  await page.getByLabel('What').selectOption('Projects');
  await page.getByLabel('Outcome').selectOption('Done');
  await page.waitForURL((url) => url.searchParams.get('outcome') === 'done');
  await expect.poll(() => lines.filter({ hasText: 'signed in' }).count()).toBe(0);
  const download = page.waitForEvent('download');
  // Shown only while the file is requested.
  const exported = said(page, /Exported \d+ entries/);
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  await exported;
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toMatch(/^\ufeff"When","Who","What happened","Outcome"/);
  expect(file).toContain('published “=Chai');
  expect(file.trim().split('\r\n').length).toBeGreaterThanOrEqual(3);
});

it('settings history puts an earlier value into the form, where it is saved (ASET-01)', async () => {
  const data = await dataAs(admin);
  await data.from('site_settings').insert({ name: 'phone', value: '+91 11111' });
  await data.from('site_settings').update({ value: '+91 22222' }).eq('name', 'phone');
  const page = await openAsAdmin('/admin/settings#history', PHONE);
  const change = page.getByRole('listitem').filter({ hasText: '+91 22222' }).first();
  await change.getByText(`changed by ${admin.email}`).waitFor();
  await change.getByRole('button', { name: 'Put the earlier value into the form' }).click();
  const phone = page.getByRole('textbox', { name: 'Phone', exact: true });
  await phone.waitFor();
  expect(await phone.inputValue()).toBe('+91 11111');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Saved. The site shows it from now on.').waitFor();
  const stored = data.from('site_settings').select('value').eq('name', 'phone').single();
  expect((await stored).data).toEqual({ value: '+91 11111' });
});

// Runs after the test of the log, whose first page it would fill.
it('status messages after navigation report a result when another screen is open by then', async () => {
  const { email: member } = await newAccount();
  const page = await openAsAdmin('/admin/log');

  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByLabel(`Actions for ${member}`).click();
  await page.getByRole('button', { name: 'Ban', exact: true }).click();
  const go = await hold(page, '**/functions/v1/**');
  await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor();
  go();
  await said(page, `${member} is banned and signed out.`);
  await page.unroute('**/functions/v1/**');
  await page.goForward();
  await page.getByLabel(`Actions for ${member}`).click();
  await page.getByRole('button', { name: 'Unban' }).click();
  await said(page, `${member} can sign in again.`);
});

const SCREENS = ['Dashboard', 'Projects', 'Case Studies', 'Review', 'Media', 'Pages', 'Messages', 'Trash'];
const esha = { email: `esha.${randomUUID().slice(0, 8)}@example.com`, password: 'tangerine bicycle' };
const title = `Edited by an editor ${randomUUID().slice(0, 8)}`;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
/** The entries of the sidebar without their counts. */
const entries = async (page: Page) => {
  const texts = await page.getByRole('navigation', { name: 'Admin' }).getByRole('link').allTextContents();
  return texts.map((text) => text.replace(/ \d.*/, ''));
};

async function pressTo(page: Page, wanted: Locator) {
  await wanted.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${wanted}.`);
}

it('editors are invited with the keyboard, accept on a phone, see only what they may do, and edit and publish a project', async () => {
  const invitation = await openAsAdmin('/admin/users');
  await pressTo(invitation, invitation.getByRole('button', { name: 'Invite a user' }));
  const dialog = invitation.getByRole('dialog', { name: 'Invite a user' });
  // U25: this server has no SMTP_URL.
  await dialog.getByText('Mail isn’t configured: invitations are saved to the outbox').waitFor();
  await invitation.keyboard.type('nobody');
  await invitation.keyboard.press('Enter');
  await dialog.getByText('Please enter a valid email address').waitFor();
  await dialog.getByLabel('Email').fill(esha.email);
  await invitation.keyboard.press('Tab');
  await invitation.keyboard.type('Esha');
  await invitation.keyboard.press('Tab');
  await invitation.keyboard.type('E');
  await expectAccessible(invitation);
  await pressTo(invitation, dialog.getByRole('button', { name: 'Send invitation' }));
  await said(invitation, `The invitation for ${esha.email} is in the outbox.`);
  const row = invitation.getByRole('row').filter({ hasText: esha.email });
  await row.getByText('editor', { exact: true }).waitFor();
  await row.getByText(/^Invited/).waitFor();

  const phone = await openAt(await linkInMail(seeded.dataDir, esha.email, 'invite'), PHONE);
  await phone.getByRole('button', { name: 'Accept the invitation' }).click();
  await phone.getByLabel('New password').fill(esha.password);
  await phone.getByRole('button', { name: 'Save the new password' }).click();
  await phone.getByRole('link', { name: 'Go to the admin area' }).click();
  await heading(phone, 'Dashboard');
  await phone.getByRole('link', { name: 'New Project' }).first().waitFor();
  await phone.waitForLoadState('networkidle');
  for (const name of ['Settings', 'Manage Users', 'Switch it on'])
    expect(await phone.getByRole('main').getByRole('link', { name }).count(), name).toBe(0);
  await phone.getByRole('button', { name: 'Menu' }).click();
  expect(await entries(phone)).toEqual(SCREENS);

  const id = await publish({ title: 'Unpublished', status: 'draft' });
  await phone.goto(`/admin/projects/${id}/edit`);
  await phone.getByLabel('Title').first().fill(title);
  await phone.getByRole('button', { name: 'Save' }).first().click();
  await heading(phone, title);
  expect(await phone.getByRole('link', { name: 'Split sheet' }).count()).toBe(0);
  await phone.getByRole('button', { name: 'Publish', exact: true }).click();
  await said(phone, 'Published.');
  expect(await htmlOf(`/case-studies/${id}`)).toContain(title);

  const { data: log } = await (await dataAs(admin)).rpc('read_log', { who: esha.email, what: 'projects.publish' });
  expect(log).toMatchObject({ rows: [{ actor_kind: 'editor', object: id }] });
});

it('editors are refused at the addresses of admins, with what to do, and by the database', async () => {
  const page = await openPage();
  await keepSession(page, esha);
  const requests = requestsOf(page, () => true);
  for (const path of ['/admin/users', '/admin/settings', '/admin/log']) {
    await page.goto(path);
    await heading(page, 'For admins');
    await page.getByText('You are signed in as an editor. This screen is for admins.').waitFor();
    expect(await entries(page)).toEqual(SCREENS);
  }
  await expectAccessible(page);
  expect(requests.filter((url) => /manage-users|read_log|settings_history/.test(url))).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('users');
  await page.getByText('Nothing matches.').waitFor();
  await page.keyboard.press('Escape');
  await pressTo(page, page.getByRole('link', { name: 'Open the dashboard' }));
  await heading(page, 'Dashboard');

  // The role is lost while the screen is open.
  const { user } = await sessionOf(esha);
  await (await dataAs(admin)).from('user_roles').delete().eq('user_id', user.id).throwOnError();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/admin');
  await page.getByText('Access Denied').waitFor();
});

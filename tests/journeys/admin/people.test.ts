import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, hold, PHONE } from '../../browser.ts';
import { linkInMail } from '../../outbox.ts';
import { newAddress, publishableKeyOf } from '../../server.ts';
import { said } from '../hands.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs, enterAdmin, newAccount, rolesOf, sessionOf } from '../signing-in.ts';

startSeeded();

const { admin } = inject('accounts');

/** A word that no log line contains yet. */
const unheard = () => randomUUID().slice(0, 8);
const fitsAtDouble = async (page: Page) => {
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
};

describe('user administration', () => {
  it('invites, finds, bans for a week and unbans users by keyboard (AUSERS-01)', async () => {
    const { email: member } = await newAccount();
    const invited = `ada.${unheard()}@example.com`;
    const page = await openPage(browser, DESKTOP);
    await enterAdmin(page, admin, '/admin/users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a user' });
    // U25: this server has no SMTP_URL.
    await dialog.getByText('Mail isn’t configured: invitations are saved to the outbox').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await dialog.getByText('Please enter a valid email address').waitFor();
    await dialog.getByLabel('Email').fill(invited);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    await said(page, `The invitation for ${invited} is in the outbox. No email was sent.`);
    const row = page.getByRole('row').filter({ hasText: invited });
    await row.getByText(/^Invited/).waitFor();
    await linkInMail(seeded.dataDir, invited, 'invite');
    await expectAccessible(page);

    await page.getByLabel('Search email, name and phone').fill(member);
    await page.waitForURL((url) => url.searchParams.get('search') === member);
    await row.waitFor({ state: 'detached' });
    const actions = page.getByLabel(`Actions for ${member}`);
    await actions.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    const question = page.getByRole('dialog', { name: `Ban ${member}?` });
    await question.getByLabel('For how long?').selectOption('A week');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Ban' }).click();
    await said(page, `${member} is banned and signed out.`);
    await page.getByText('Banned until').waitFor();
    await actions.click();
    await page.getByRole('button', { name: 'Unban' }).click();
    await said(page, `${member} can sign in again.`);
    await page.getByText('Banned until').waitFor({ state: 'detached' });

    await actions.click();
    await page.getByRole('button', { name: 'Delete account' }).click();
    const last = page.getByRole('dialog', { name: `Delete the account of ${member}?` });
    await last.getByText(/created no projects|stays? as (it is|they are)/).waitFor();
    await page.keyboard.press('Escape');
    await last.waitFor({ state: 'detached' });
    expectQuiet(page);
  });

  it('lists users with their data, confirms an address, sends a reset link, changes the admin role and deletes an account (AUSERS-01)', async () => {
    const account = { email: `${unheard()}@madhouse.example`, password: 'some-long-password-4' };
    const { email } = account;
    const signUp = await fetch(`${seeded.base}/auth/v1/signup`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': newAddress(),
        apikey: await publishableKeyOf(seeded.base),
      },
      body: JSON.stringify({ ...account, data: { requested_admin: true } }),
    });
    expect(signUp.status).toBe(200);
    const page = await openPage(browser, DESKTOP);
    await enterAdmin(page, admin, `/admin/users?search=${email}`);
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
      await row.getByLabel(`Actions for ${email}`).click();
      await row.getByRole('button', { name: what, exact: true }).click();
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

    await act('Make admin', true);
    await said(page, `${email} is an admin now.`);
    await cell('Roles').getByText('admin', { exact: true }).waitFor();
    expect(await rolesOf(admin, id)).toEqual(['admin']);
    await act('Withdraw admin role', true);
    await said(page, `${email} is no admin any more.`);
    await cell('Roles').getByText('None').waitFor();
    expect(await rolesOf(admin, id)).toEqual([]);

    await act('Delete account', true);
    await said(page, `The account of ${email} is deleted.`);
    await row.waitFor({ state: 'detached' });
    const { data: left } = await (await dataAs(admin)).from('profiles').select('email').eq('email', email);
    expect(left).toEqual([]);
    expectQuiet(page);
  });

  it('refuses to remove the last admin and shows why, on a phone (AUSERS-01)', async () => {
    const page = await openPage(browser, PHONE);
    await enterAdmin(page, admin, `/admin/users?search=${admin.email}`);
    await page.getByLabel(`Actions for ${admin.email}`).click();
    await page.getByText('another admin has to ban or delete it').waitFor();
    expect(await page.getByRole('button', { name: 'Delete account' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Withdraw admin role' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('the admin area closes for you at once').waitFor();
    await question.getByRole('button', { name: 'Withdraw admin role' }).click();
    await said(page, 'The last admin cannot be removed.');
    await page
      .getByRole('row', { name: new RegExp(admin.email) })
      .getByText('admin', { exact: true })
      .waitFor();
    await fitsAtDouble(page);
    expectQuiet(page);
  });
});

describe('trash', () => {
  it('undoes a deletion immediately, and restores one of several items later, on a phone', async () => {
    const data = await dataAs(admin);
    const word = unheard();
    const title = `Thrown away by mistake ${word}`;
    const { data: made } = await data
      .from('projects')
      .insert([{ title }, { title: `Thrown away on purpose ${word}` }])
      .select('id,title');
    const [mistake, purpose] = made as { id: string; title: string }[];
    await data.from('project_media').insert({ project_id: mistake!.id, type: 'demo', url: `${seeded.base}/kept` });
    const media = async () =>
      (await data.from('project_media').select('id').eq('project_id', mistake!.id)).data?.length;

    const page = await openPage(browser, PHONE);
    await enterAdmin(page, admin, `/admin/projects/${mistake!.id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Are you sure you want to delete this project?').waitFor();
    await page.getByRole('button', { name: 'Delete Permanently' }).click();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await said(page, 'Undone.');
    expect(await media()).toBe(1);

    await data.from('projects').delete().eq('id', mistake!.id);
    await data.from('projects').delete().eq('id', purpose!.id);
    await page.goto(`/admin/trash?search=${word}`);
    await page.getByText('2 items').waitFor();
    await page.getByText('with one media item').waitFor();
    await expectAccessible(page);
    await fitsAtDouble(page);
    await page.getByRole('button', { name: `Restore ${title}` }).click();
    await said(page, `“${title}” is restored.`);
    await page.getByText('1 item', { exact: true }).waitFor();
    expect(await media()).toBe(1);
    expect((await data.from('projects').select('id').eq('id', purpose!.id)).data).toEqual([]);
    await data.from('projects').delete().eq('id', mistake!.id);
    expectQuiet(page);
  });
});

describe('audit log', () => {
  it('describes entries in plain words, stores its search in the address, and exports a file (PERM-14)', async () => {
    const data = await dataAs(admin);
    const { data: project } = await data.from('projects').insert({ title: '=Chai("in space")' }).select('id').single();
    await data.from('projects').update({ status: 'active' }).eq('id', project!.id);
    const page = await openPage(browser, DESKTOP);
    await enterAdmin(page, admin, '/admin/log');
    await page
      .getByText(/signed in\./)
      .first()
      .waitFor();
    await expectAccessible(page);
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
    const told = said(page, /Exported \d+ entries/);
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    await told;
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toMatch(/^\ufeff"When","Who","What happened","Outcome"/);
    expect(file).toContain('published “=Chai');
    expect(file.trim().split('\r\n').length).toBeGreaterThanOrEqual(3);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.search === '');
    await page.setViewportSize(PHONE.viewport);
    await fitsAtDouble(page);
    await data.from('projects').delete().eq('id', project!.id);
    expectQuiet(page);
  });
});

describe('audit log filters', () => {
  it('change by keyboard without a new document, and add one entry to the browser history', async () => {
    const page = await openPage(browser, DESKTOP);
    await enterAdmin(page, admin, '/admin/projects');
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Log' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor();
    const pagesAsked: string[] = [];
    page.on('request', (request) => /\.data\b/.test(request.url()) && pagesAsked.push(request.url()));
    const [since, until, who] = [
      page.getByLabel('From'),
      page.getByLabel('To', { exact: true }),
      page.getByLabel('Who'),
    ];
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
    await expect.poll(() => who.evaluate((field) => field === document.activeElement)).toBe(true);
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
    expectQuiet(page);
  });
});

describe('settings history', () => {
  it('puts an earlier value into the form, where it is saved (ASET-01)', async () => {
    const data = await dataAs(admin);
    await data.from('site_settings').insert({ name: 'phone', value: '+91 11111' });
    await data.from('site_settings').update({ value: '+91 22222' }).eq('name', 'phone');
    const page = await openPage(browser, PHONE);
    await enterAdmin(page, admin, '/admin/settings#history');
    const change = page.getByRole('listitem').filter({ hasText: '+91 22222' }).first();
    await change.getByText(`changed by ${admin.email}`).waitFor();
    await expectAccessible(page);
    await fitsAtDouble(page);
    await change.getByRole('button', { name: 'Put the earlier value into the form' }).click();
    const phone = page.getByRole('textbox', { name: 'Phone', exact: true });
    await phone.waitFor();
    expect(await phone.inputValue()).toBe('+91 11111');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Saved. The site shows it from now on.').waitFor();
    expect((await data.from('site_settings').select('value').eq('name', 'phone').single()).data).toEqual({
      value: '+91 11111',
    });
    await data.from('site_settings').delete().eq('name', 'phone');
    expectQuiet(page);
  });
});

// Runs after the test of the log, whose first page it would fill.
describe('status messages after navigation', () => {
  it('report a result when another screen is open by then', async () => {
    const { email: member } = await newAccount();
    const data = await dataAs(admin);
    const { data: project } = await data.from('projects').insert({ title: 'A first title' }).select('id').single();
    await data.from('projects').update({ title: 'A second title' }).eq('id', project!.id);
    const page = await openPage(browser, DESKTOP);
    await enterAdmin(page, admin, '/admin/log');

    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByLabel(`Actions for ${member}`).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    let go = await hold(page, '**/functions/v1/**');
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

    await page.goto(`/admin/projects/${project!.id}`);
    await page.getByRole('region', { name: 'Versions' }).getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    go = await hold(page, '**/rpc/restore_project_version');
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.goBack();
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
    go();
    await said(page, 'Version 1 is restored.');
    expect(new URL(page.url()).pathname).toBe('/admin/trash');
    await data.from('projects').delete().eq('id', project!.id);
  });

  it('report each of two items restored from the trash at the same time', async () => {
    const data = await dataAs(admin);
    const word = unheard();
    const titles = [`A lost umbrella ${word}`, `A lost glove ${word}`];
    const { data: made } = await data
      .from('projects')
      .insert(titles.map((title) => ({ title })))
      .select('id');
    for (const { id } of made as { id: string }[]) await data.from('projects').delete().eq('id', id);
    const page = await openPage(browser, DESKTOP);
    await enterAdmin(page, admin, `/admin/trash?search=${word}`);
    const [umbrella, glove] = titles.map((title) => page.getByRole('button', { name: `Restore ${title}` }));
    await umbrella!.waitFor();
    let refuse = () => {};
    const gate = new Promise<void>((open) => {
      refuse = open;
    });
    // The first request fails after the second was sent.
    await page.route(
      '**/rpc/restore_from_trash',
      (route) => gate.then(() => route.fulfill({ status: 422, json: { code: 'PT422', message: 'Not this one.' } })),
      { times: 1 },
    );
    await umbrella!.click();
    await glove!.click();
    await said(page, `“${titles[1]}” is restored.`);
    refuse();
    await said(page, 'Not this one.');
    for (const { id } of made as { id: string }[]) await data.from('projects').delete().eq('id', id);
    expectQuiet(page);
  });
});

import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { inbox } from '../../../app/features/messages/words/admin.ts';
import { DESKTOP, expectAccessible, expectQuiet, fillSignIn, PHONE } from '../../browser.ts';
import { linkInMail } from '../../outbox.ts';
import { publishableKeyOf } from '../../server.ts';
import { said } from '../hands.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';

startSeeded();

const { admin } = inject('accounts');

const SCREENS = ['Dashboard', 'Projects', 'Case Studies', 'Review', 'Media', 'Pages', 'Messages', 'Trash'];
const account = { email: `esha.${randomUUID().slice(0, 8)}@example.com`, password: 'tangerine bicycle' };
const title = `Edited by an editor ${randomUUID().slice(0, 8)}`;
const message = `Please answer me, ${randomUUID()}`;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Admin' });

async function pressTo(page: Page, wanted: Locator) {
  await wanted.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${wanted}.`);
}

it('are invited with the keyboard, accept on a phone, and see only what they may do', async () => {
  const invitation = await openPage(browser, DESKTOP);
  await enterAdmin(invitation, admin, '/admin/users');
  await pressTo(invitation, invitation.getByRole('button', { name: 'Invite a user' }));
  const dialog = invitation.getByRole('dialog', { name: 'Invite a user' });
  await dialog.waitFor();
  await invitation.keyboard.type(account.email);
  await invitation.keyboard.press('Tab');
  await invitation.keyboard.type('Esha');
  await invitation.keyboard.press('Tab');
  await invitation.keyboard.type('E');
  await expectAccessible(invitation);
  await pressTo(invitation, dialog.getByRole('button', { name: 'Send invitation' }));
  await said(invitation, `The invitation for ${account.email} is in the outbox.`);
  await invitation.getByRole('row').filter({ hasText: account.email }).getByText('editor', { exact: true }).waitFor();
  expectQuiet(invitation);

  const phone = await openPage(browser, PHONE);
  await phone.goto(await linkInMail(seeded.dataDir, account.email, 'invite'));
  await phone.getByRole('button', { name: 'Accept the invitation' }).click();
  await phone.getByLabel('New password').fill(account.password);
  await phone.getByRole('button', { name: 'Save the new password' }).click();
  await phone.getByRole('link', { name: 'Go to the admin area' }).click();
  await heading(phone, 'Dashboard');
  await phone.getByRole('link', { name: 'New Project' }).first().waitFor();
  await phone.waitForLoadState('networkidle');
  for (const name of ['Settings', 'Manage Users', 'Switch it on'])
    expect(await phone.getByRole('main').getByRole('link', { name }).count(), name).toBe(0);
  await expectAccessible(phone);
  await phone.getByRole('button', { name: 'Menu' }).click();
  expect(
    (await navigation(phone).getByRole('link').allTextContents()).map((text) => text.replace(/ \d.*/, '')),
  ).toEqual(SCREENS);
  expectQuiet(phone);
});

it('edit and publish a project and answer a message, on a phone', async () => {
  const data = await dataAs(admin);
  const { data: project } = await data
    .from('projects')
    .insert({ title: 'Unpublished' })
    .select('id')
    .single()
    .throwOnError();
  await fetch(`${seeded.base}/rest/v1/rpc/send_message`, {
    method: 'POST',
    headers: { apikey: await publishableKeyOf(seeded.base), 'content-type': 'application/json' },
    body: JSON.stringify({ p_name: 'Kabir', p_email: 'kabir@example.com', p_message: message }),
  });
  const phone = await openPage(browser, PHONE);
  await phone.goto('/admin');
  await fillSignIn(phone, account);
  await heading(phone, 'Dashboard');
  await phone.goto(`/admin/projects/${project!.id}/edit`);
  await phone.getByLabel('Title').first().fill(title);
  await phone.getByRole('button', { name: 'Save' }).first().click();
  await heading(phone, title);
  expect(await phone.getByRole('link', { name: 'Split sheet' }).count()).toBe(0);
  await phone.getByRole('button', { name: 'Publish', exact: true }).click();
  await said(phone, 'Published.');
  await expectAccessible(phone);
  expect(await (await fetch(`${seeded.base}/case-studies/${project!.id}`)).text()).toContain(title);

  await phone.getByRole('button', { name: 'Menu' }).click();
  await navigation(phone).getByRole('link', { name: 'Messages' }).click();
  const letter = phone.getByRole('row').filter({ hasText: message });
  expect(await letter.getByRole('link', { name: 'Reply to Kabir' }).getAttribute('href')).toMatch(/^mailto:kabir@/);
  await letter.getByLabel('More actions for the message from Kabir').click();
  await phone.getByRole('button', { name: inbox.markHandled }).click();
  await letter.getByText(inbox.handled, { exact: true }).waitFor();
  expectQuiet(phone);

  const { data: log } = await data.rpc('read_log', { who: account.email, what: 'projects.publish' });
  expect(log).toMatchObject({ rows: [{ actor_kind: 'editor', object: project!.id }] });
});

it('are refused at the addresses of admins, with what to do, and by the database', async () => {
  const page = await openPage(browser, DESKTOP);
  await enterAdmin(page, account);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  for (const path of ['/admin/users', '/admin/settings', '/admin/log']) {
    await page.goto(path);
    await heading(page, 'For admins');
    await page.getByText('You are signed in as an editor. This screen is for admins.').waitFor();
    expect(
      (await navigation(page).getByRole('link').allTextContents()).map((text) => text.replace(/ \d.*/, '')),
    ).toEqual(SCREENS);
    await expectAccessible(page);
  }
  expect(requests.filter((url) => /manage-users|read_log|settings_history/.test(url))).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('users');
  await page.getByText('Nothing matches.').waitFor();
  await page.keyboard.press('Escape');
  await pressTo(page, page.getByRole('link', { name: 'Open the dashboard' }));
  await heading(page, 'Dashboard');

  // A forged answer opens the screen, and the database still returns nothing.
  await page.route('**/rest/v1/rpc/is_admin', (route) => route.fulfill({ json: true }));
  await page.goto('/admin/users');
  await page.getByText('Only an admin can manage users.').waitFor();

  // The role is lost while the screen is open.
  await (await dataAs(admin))
    .from('user_roles')
    .delete()
    .eq('user_id', await idOf())
    .throwOnError();
  await page.unrouteAll();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/admin');
  await page.getByText('Access Denied').waitFor();
});

async function idOf(): Promise<string> {
  const { data } = await (await dataAs(admin)).from('profiles').select('user_id').eq('email', account.email).single();
  return data!.user_id;
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, openPage, PHONE } from '../../browser.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { browser } from '../shared-browser.ts';
import { fillIn, openForm, picture, privateLink, send, submitted, uploaded } from './form.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ SEED: 'none' });
});
afterAll(async () => {
  await server?.stop();
});

const TITLE = 'A Lighthouse for Lost Tiffins';

/** What a link-preview bot sees: the first response, without JavaScript. */
const firstHtml = async (path: string) =>
  (await fetch(server.base + path, { headers: { 'user-agent': 'facebookexternalhit/1.1' } })).text();

// One test, because each step needs the one before.
it('a guest submits on a phone, the first admin publishes, and visitors read (SCOPE-03, PERM-01, ROUTE-06)', async () => {
  const guest = await openPage(browser, PHONE, server.base);
  await openForm(guest);
  await fillIn(guest, TITLE, [await picture('one.png'), await picture('two.png', '#2a44f5')]);
  await uploaded(guest);
  await send(guest);
  const { link, id, secret } = await privateLink(guest);
  expect(await submitted(guest).isVisible()).toBe(true);

  // The guest reads the draft by its link; the address is clean at once.
  await guest.goto(link);
  await guest.getByRole('heading', { name: TITLE }).waitFor();
  expect(guest.url()).not.toContain(secret);
  expect(await guest.locator('head meta[name=robots]').getAttribute('content')).toContain('noindex');

  const otherUser = await openPage(browser, DESKTOP, server.base);
  const hidden = await otherUser.goto(`/case-studies/${id}`);
  expect(hidden!.status()).toBe(404);
  await otherUser.getByText('Experiment not found').waitFor();
  expect(await firstHtml('/case-studies')).not.toContain('Lighthouse');
  const missing = await firstHtml('/case-studies/11111111-1111-4111-8111-111111111111');
  expect((await firstHtml(`/case-studies/${id}`)).replaceAll(id, 'ID')).toBe(
    missing.replaceAll('11111111-1111-4111-8111-111111111111', 'ID'),
  );

  // The operator makes the first admin with the key that the server printed.
  const admin = await openPage(browser, DESKTOP, server.base);
  const [, key] = /Setup key \(shown once, .*: (\S+)/.exec(server.output())!;
  await admin.goto('/admin-setup');
  await admin.getByLabel('Setup key').fill(key!);
  await admin.getByLabel('Email').fill('first@madhouse.example');
  await admin.getByLabel('Password').fill('a-long-walk-by-the-sea');
  await admin.getByRole('button', { name: 'Direct API Method' }).click();
  await admin.getByRole('status').getByText('Admin Setup Complete!').waitFor();
  await admin.waitForURL('**/admin');

  await admin.goto('/admin/case-studies');
  await admin.getByLabel(`More actions for ${TITLE}`).click();
  await admin.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect.poll(() => firstHtml('/case-studies')).toContain(`Project: ${TITLE}`);

  // Everyone can read it, also without JavaScript; the URL gets its slug.
  const reader = await openPage(browser, { ...PHONE, javaScriptEnabled: false }, server.base);
  await reader.goto('/case-studies');
  await reader
    .getByRole('link', { name: new RegExp(TITLE) })
    .first()
    .click();
  await reader.waitForURL((url) => url.pathname === `/case-studies/${id}/a-lighthouse-for-lost-tiffins`);
  for (const section of ['The Brief', 'Our Understanding', 'What We Did', 'The Impact', 'Project Gallery']) {
    expect(await reader.getByRole('heading', { name: section }).isVisible(), section).toBe(true);
  }
  await expect
    .poll(() =>
      reader
        .locator('main img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);

  // So can bots, and the draft's secret has no effect any more.
  const html = await firstHtml(`/case-studies/${id}/a-lighthouse-for-lost-tiffins`);
  expect(html).toContain(`<title>${TITLE} | Madhouse</title>`);
  expect(html).toContain('"@type":"Article"');
  expect(html).not.toContain('noindex');
  await expectAccessible(otherUser);
  for (const page of [guest, otherUser, admin]) expectQuiet(page);
});

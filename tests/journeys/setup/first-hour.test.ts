import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, fillSignIn } from '../../browser.ts';
import { forAllTests } from '../../for-all-tests.ts';
import { setupKeyOf, startServerOnPostgres } from '../../server.ts';
import { said } from '../hands.ts';
import { button, dialog, openEditor, publish } from '../page-editor.ts';
import { openAt } from '../seeded.ts';
import { picture } from '../submit/form.ts';

const FILM = fileURLToPath(new URL('../../../packages/backend/tests/storage/films/short.webm', import.meta.url));

const server = forAllTests(() => startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' }));

const openList = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true }).click();

it('the first hour of an office worker makes a site of the agency: brand, home page, new page, ten pictures, one film', async () => {
  const page = await openAt('/admin-setup', DESKTOP, server.base);
  await page.getByLabel('Setup key').fill(setupKeyOf(server));
  await fillSignIn(page, { email: 'nila@nila.example', password: 'plates-in-register-7' }, 'Direct API Method');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  await page.goto('/admin/settings#brand');
  await page.getByLabel('Site name').fill('Studio Nila');
  await page.getByLabel('Ink of the hand').fill('#b5179e');
  await button(page, 'Save Changes').click();
  await said(page, 'Saved. The site shows it from now on.');

  await openList(page, 'Pages');
  await openEditor(page, 'Home');
  await page.getByRole('group', { name: 'Opening' }).getByLabel('Lead').fill('We print what others only say.');
  await publish(page);

  await openList(page, 'Media');
  const names = Array.from({ length: 10 }, (_, at) => `Print ${at + 1}.png`);
  const files = await Promise.all(names.map((name, at) => picture(name, `#0a66${at}8`)));
  await page.getByLabel('Upload files').setInputFiles(files);
  await page.getByText('10 files', { exact: true }).waitFor();
  await page.getByLabel('Upload files').setInputFiles(FILM);
  await page.getByText('11 files', { exact: true }).waitFor();

  await openList(page, 'Pages');
  await button(page, 'New page').click();
  await dialog(page).getByLabel('Title').fill('Open studio');
  await button(page, 'Create page').click();
  await page.getByRole('heading', { level: 1, name: 'Open studio' }).waitFor();
  await button(page, 'Add picture').click();
  await button(page, 'Choose from the library').click();
  await dialog(page).getByRole('button', { name: 'Print 1.png' }).click();
  await page.getByLabel('What does it show?').fill('A print on the drying rack');
  await publish(page);

  await openList(page, 'Pages');
  await openEditor(page, 'Menu and footer');
  await button(page, 'Add an entry').click();
  const entry = page.getByRole('group', { name: 'Menu', exact: true }).getByRole('group').last();
  await entry.getByLabel('Label').fill('Open studio');
  await entry.getByLabel('Target').fill('/open-studio');
  await publish(page);

  const reader = await openAt('/', DESKTOP, server.base);
  expect(await reader.title()).toMatch(/\| Studio Nila$/);
  await reader.getByText('We print what others only say.').waitFor();
  const paint = await reader.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--hand'));
  expect(paint).toContain('#b5179e');
  await reader.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Open studio' }).click();
  await reader.getByRole('img', { name: 'A print on the drying rack' }).waitFor();
});

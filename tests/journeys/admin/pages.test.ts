import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectFocus, hold, keptInTab, PHONE } from '../../browser.ts';
import { lookOnPhoneAndDesktop, openAsAdmin, retype, said } from '../hands.ts';
import { button, dialog, openEditor, publish, publishContent, row, saveDraft, storedPage } from '../page-editor.ts';
import { htmlOf, seeded, startSeeded } from '../seeded.ts';
import { picture } from '../submit/form.ts';

startSeeded();

const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the page"]');

/** On a phone the preview is behind a tab. */
async function show(page: Page, tab: 'Edit' | 'Preview') {
  const found = page.getByRole('tab', { name: tab });
  if (await found.isVisible()) await found.click();
}

it('the page editor previews, publishes, compares and restores the words of Home at 390 and 1440 pixels', async () => {
  const [lead, later] = ['A lead typed first.', 'A later lead.'];
  const page = await openAsAdmin('/admin/pages', PHONE);
  await openEditor(page, 'Home');
  const field = page.getByRole('group', { name: 'Opening' }).getByLabel('Lead');
  await field.fill(lead);
  await show(page, 'Preview');
  await preview(page).getByText(lead).waitFor();
  await lookOnPhoneAndDesktop(page);
  await show(page, 'Edit');
  await button(page, 'Save draft').click();
  await said(page, 'The draft is saved.');
  // The button with the focus is disabled.
  await expectFocus(page.locator('.form-bar > .cluster'));
  expect(await htmlOf('/')).not.toContain(lead);
  await button(page, 'Compare with what is live').click();
  await dialog(page).locator('ins', { hasText: 'typed' }).waitFor();
  await lookOnPhoneAndDesktop(page);
  await button(page, 'Close').click();
  await publish(page);
  expect(await htmlOf('/')).toContain(lead);

  await field.fill(later);
  await publish(page);
  expect(await htmlOf('/')).toContain(later);
  const versions = page.getByRole('region', { name: 'Published versions' }).getByRole('listitem');
  const older = (await versions.nth(1).innerText()).match(/Version (\d+)/)![1]!;
  // A message stays while the pointer is over it, and would cover the button on a phone.
  await page.mouse.move(0, 0);
  await button(page, `Compare version ${older}`).click();
  await dialog(page).locator('del', { hasText: 'later' }).waitFor();
  for (const name of ['Close', `Restore version ${older}`, 'Restore into the draft']) await button(page, name).click();
  await said(page, `Version ${older} is in the draft.`);
  expect(await field.inputValue()).toBe(lead);
  expect(await htmlOf('/')).toContain(later);
  for (const name of ['Publish at a date', 'Save date']) await button(page, name).click();
  await said(page, 'The date is saved.');
  await button(page, 'Discard draft').click();
  await dialog(page).getByText('the date to publish it is cancelled').waitFor();
  await lookOnPhoneAndDesktop(page);
  await button(page, 'Discard draft').last().click();
  await said(page, 'The draft is discarded.');
  expect(await field.inputValue()).toBe(later);
});

it('the page editor creates, fills, moves and deletes a page at 390 and 1440 pixels', async () => {
  const title = 'Open studio';
  const path = '/open-studio';
  const page = await openAsAdmin('/admin/pages', PHONE);
  await button(page, 'New page').click();
  await dialog(page).getByLabel('Title').fill(title);
  expect(await dialog(page).getByLabel('Address').inputValue()).toBe(path);
  await dialog(page).getByLabel('Address').fill('/about');
  await button(page, 'Create page').click();
  await dialog(page).getByText('The site uses this address itself. Choose another one.').waitFor();
  expect(await dialog(page).getByLabel('Title').inputValue()).toBe(title);
  await lookOnPhoneAndDesktop(page);
  await dialog(page).getByLabel('Address').fill(path);
  await button(page, 'Create page').click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  expect((await fetch(seeded.base + path)).status).toBe(404);

  const section = (at: number) => page.getByRole('group', { name: `Section ${at}`, exact: true });
  await button(page, 'Add text').click();
  const text = section(1).locator('.editor-text');
  await text.waitFor();
  await button(page, 'Add picture').click();
  const door = await picture('Door.png', '#0a6638');
  await section(2).getByLabel('Or upload a picture').setInputFiles([door]);
  await section(2).getByLabel('What does it show?').fill('A green door');
  for (const name of ['Add gallery', 'Add call to action', 'Publish']) await button(page, name).click();
  const summary = page.locator('.page-errors');
  await expectFocus(summary);
  await lookOnPhoneAndDesktop(page);
  await summary.getByRole('button', { name: /^Sections 1, Text:/ }).click();
  await expectFocus(text);
  await summary.getByRole('button', { name: /^Sections 4, Button:/ }).click();
  await expectFocus(section(4).getByLabel('Button'));
  await section(4).getByLabel('Button').fill('Write to us');
  await text.fill('Come by on Friday.');
  await section(4).getByLabel('Target').fill('/contact');
  await section(3).getByRole('button', { name: 'Choose from the library' }).first().click();
  await dialog(page).getByLabel('Search the library').fill('Door');
  await dialog(page).getByRole('button', { name: 'Door.png' }).click();
  await section(3).getByLabel('What does it show?').fill('The same door');
  await button(page, 'Move Call to action up').click();
  await show(page, 'Preview');
  await preview(page).getByRole('link', { name: 'Write to us' }).waitFor();
  await show(page, 'Edit');
  await publish(page);
  const shown = await htmlOf(path);
  for (const words of [title, 'Come by on Friday.', 'A green door', 'The same door', 'Write to us'])
    expect(shown).toContain(words);
  expect(shown.indexOf('Write to us')).toBeLessThan(shown.indexOf('The same door'));
  // The size of both pictures, so that nothing moves when they load.
  expect(shown.match(/<img(?=[^>]* width="320")(?=[^>]* height="240")/g)).toHaveLength(2);

  await page.goto('/admin/pages');
  await openEditor(page, 'Menu and footer');
  await button(page, 'Add an entry').click();
  const entry = page.getByRole('group', { name: 'Menu', exact: true }).getByRole('group').last();
  await entry.getByLabel('Label').fill(title);
  await entry.getByLabel('Target').fill(path);
  await button(page, `Move ${title} up`).click();
  await publish(page);
  const menu = await htmlOf('/');
  expect(menu.indexOf(title)).toBeLessThan(menu.indexOf('>Contact</a>'));

  await page.goto('/admin/pages');
  await openEditor(page, title);
  await page.getByRole('textbox', { name: 'Address' }).fill(`${path}-2`);
  await button(page, 'Change address').click();
  await said(page, `The address is ${path}-2 now.`);
  const former = page.getByRole('listitem').filter({ hasText: new RegExp(`^${path}$`) });
  await former.waitFor();
  const moved = await fetch(seeded.base + path);
  expect([moved.redirected, new URL(moved.url).pathname]).toEqual([true, `${path}-2`]);

  await page.goto('/admin/pages');
  const undo = page.locator('.status-region').getByRole('button', { name: /^Undo/ });
  for (const restore of [undo, button(page, `Restore ${title}`)]) {
    for (const name of [`Delete ${title}`, 'Delete Permanently']) await button(page, name).click();
    await said(page, `“${title}” is deleted.`);
    await row(page, title).getByText('Deleted', { exact: true }).waitFor();
    expect((await fetch(`${seeded.base}${path}-2`)).status).toBe(404);
    if (restore !== undo) await page.reload();
    await restore.click();
    await row(page, title).getByText('Published', { exact: true }).waitFor();
    expect((await fetch(`${seeded.base}${path}-2`)).status).toBe(200);
  }
});

it('the page editor keeps what both of two admins wrote', async () => {
  const page = await openAsAdmin('/admin/pages');
  await openEditor(page, 'Contact');
  const text = page.getByLabel('Text', { exact: true });
  await text.fill('Mine, typed first.');
  await keptInTab(page, 'Mine, typed first.');
  await saveDraft('contact', { text: 'Theirs, saved first.' });
  await button(page, 'Save draft').click();
  await page.getByRole('heading', { name: 'Someone saved this page while you were writing' }).waitFor();
  await button(page, 'Compare field by field').click();
  await page.getByRole('radio', { name: 'Mine' }).waitFor();
  expect(await text.inputValue()).toBe('Mine, typed first.');
  await button(page, 'Save this choice').click();
  await said(page, 'The draft is saved.');
  expect((await storedPage('contact')).draft).toMatchObject({ text: 'Mine, typed first.' });

  // What is typed while the draft is being saved is not published, and stays.
  await text.fill('Published.');
  const release = await hold(page, '**/rest/v1/rpc/save_page_draft');
  await button(page, 'Publish').click();
  await text.fill('Typed meanwhile.');
  release();
  await dialog(page).getByText('Published.').waitFor();
  expect(await dialog(page).getByText('Typed meanwhile.').count()).toBe(0);
  await dialog(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await said(page, 'Published. The site shows it from now on.');
  expect(await text.inputValue()).toBe('Typed meanwhile.');
  await button(page, 'Save draft').click();
  await said(page, 'The draft is saved.');
});

it('the page editor discards no draft, and restores no version over one, that others saved and the form did not show', async () => {
  for (const content of [{ title: 'First' }, {}]) await publishContent('missing', content);
  const page = await openAsAdmin('/admin/pages');
  await openEditor(page, 'Page not found');
  await page.locator('.page-fields input').first().fill('Mine, typed first.');
  await saveDraft('missing', { title: 'Theirs' });
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('heading', { name: 'Publish later' }).waitFor();
  for (const act of ['Discard draft', 'Restore version 1']) {
    await button(page, act).click();
    const confirm = dialog(page).getByRole('button', { name: /^(Discard|Restore)/ });
    await confirm.click();
    await dialog(page).getByText('The page was saved meanwhile, so nothing was changed.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  }
  expect((await storedPage('missing')).draft).toEqual({ title: 'Theirs' });
});

it('the page editor is used by keyboard alone, keeps input over a reload, and asks before it is lost', async () => {
  const page = await openAsAdmin('/admin/pages');
  await page.getByRole('link', { name: 'About', exact: true }).press('Enter');
  const field = page.getByRole('group', { name: 'Opening' }).getByLabel('Lead');
  await retype(field, 'Typed without a mouse.');
  await preview(page).getByText('Typed without a mouse.').waitFor();
  await keptInTab(page, 'Typed without a mouse.');
  page.once('dialog', (question) => question.accept());
  await page.reload();
  expect(await field.inputValue()).toBe('Typed without a mouse.');
  await page.getByRole('link', { name: 'Back to pages' }).press('Enter');
  await dialog(page).getByText('Leave without saving?').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await button(page, 'Publish').press('Enter');
  await dialog(page).getByRole('heading', { name: 'Publish these changes?' }).waitFor();
  await button(page, 'Publish').last().press('Enter');
  await said(page, 'Published. The site shows it from now on.');
  expect(await htmlOf('/about')).toContain('Typed without a mouse.');
});

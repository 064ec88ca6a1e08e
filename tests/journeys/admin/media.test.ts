import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectFocus, hold, PHONE } from '../../browser.ts';
import { addMedia, chooseInRow, draft, publish } from '../experiments.ts';
import { look, lookOnPhoneAndDesktop, openAsAdmin, said } from '../hands.ts';
import { dialog, row } from '../page-editor.ts';
import { admin, creator, htmlOf, openAt, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';
import { picture } from '../submit/form.ts';

startSeeded();

const pictureAt = (number: number, place: number) =>
  `${seeded.base}/storage/v1/object/public/case-studies/images/f0000000-0000-4000-8000-${`${number}`.padStart(6, '0')}${`${place}`.padStart(6, '0')}.png`;
const altOf = (page: Page, title: string) => dialog(page).getByLabel(`What does it show? (${title})`);

/** A published experiment with a cover and nothing else. */
async function experiment(title: string): Promise<string> {
  const id = await publish({ title });
  await addMedia([{ project_id: id, type: 'image', url: pictureAt(8, 0), title: 'Cover', alt: 'Rings', order: 0 }]);
  return id;
}

it('media of a project an admin sets cover, descriptions and a poster, which is not lost by leaving, and the public page has them (D12, D14)', async () => {
  const id = await publish({ title: 'Chosen by an admin' });
  await addMedia([
    { project_id: id, type: 'image', url: pictureAt(8, 0), title: 'First', alt: null, order: 0 },
    { project_id: id, type: 'image', url: pictureAt(8, 1), title: 'Second', alt: 'Rings', order: 1 },
    { project_id: id, type: 'video', url: 'https://youtu.be/eRsGyueVLvQ', title: 'The film', alt: null, order: 2 },
  ]);
  const page = await openAsAdmin(`/admin/projects/${id}/edit`);
  const media = page.getByRole('region', { name: 'Media', exact: true });
  const coverOf = (name: string) => media.getByRole('button', { name: `Use as cover: Picture “${name}”` });
  expect(await coverOf('First').getAttribute('aria-pressed')).toBe('true');
  await coverOf('Second').press('Enter');
  await page.getByText('Picture “Second” is the cover.').waitFor();
  await expect.poll(() => coverOf('Second').getAttribute('aria-pressed')).toBe('true');
  expect(await coverOf('First').getAttribute('aria-pressed')).toBe('false');

  await media.getByRole('button', { name: 'Describe Picture “First”' }).click();
  const first = page.getByRole('form', { name: 'Describe Picture “First”' });
  expect(await first.getByLabel(/^What does it show/).evaluate((field) => field === document.activeElement)).toBe(true);
  await first.getByLabel(/^What does it show/).fill('Bars that rise');
  await first.getByLabel(/^Decorative/).check();
  await first.getByLabel(/^Decorative/).uncheck();
  expect(await first.getByLabel(/^What does it show/).inputValue()).toBe('Bars that rise');
  await first.getByLabel(/^Decorative/).check();
  await first.getByRole('button', { name: 'Save' }).click();
  await media.getByText('Decorative: skipped by screen readers').waitFor();

  await media.getByRole('button', { name: 'Describe Video “The film”' }).click();
  const film = page.getByRole('form', { name: 'Describe Video “The film”' });
  await film.getByLabel(/^Poster picture/).setInputFiles([await picture('poster.png', '#0a6638')]);
  await film.locator('.poster img').waitFor();
  await look(page);
  await film.getByRole('button', { name: 'Save' }).click();
  await film.waitFor({ state: 'detached' });
  await media.getByRole('button', { name: 'Describe Video “The film”' }).click();
  await film.getByRole('button', { name: /^Remove the poster/ }).click();
  await page.getByRole('link', { name: 'Back to the project' }).click();
  await dialog(page).getByRole('button', { name: 'Stay here' }).click();
  await film.getByRole('button', { name: 'Cancel' }).click();

  const data = await dataAs(admin);
  const stored = data.from('project_media').select('title,alt,poster,is_cover').eq('project_id', id).order('order');
  expect((await stored).data).toMatchObject([
    { title: 'First', alt: '', poster: null, is_cover: false },
    { title: 'Second', alt: 'Rings', poster: null, is_cover: true },
    { title: 'The film', poster: expect.stringContaining('/case-studies/images/') },
  ]);

  const reader = await openAt(`/case-studies/${id}`, PHONE);
  const cover = reader.locator('.detail-cover img');
  expect(await cover.getAttribute('src')).toContain('f0000000-0000-4000-8000-000008000001');
  expect(await cover.getAttribute('alt')).toBe('Rings');
  const others = reader.locator('.gallery .enlarge img');
  expect(await others.evaluateAll((all) => all.map((each) => each.getAttribute('alt')))).toEqual(['']);
  const door = reader.locator('.gallery .media-postered');
  const { width, height } = (await door.locator('img').boundingBox())!;
  expect(width / height).toBeCloseTo(16 / 9, 1);
  expect(await door.locator('img').getAttribute('srcset')).toContain('/render/image/');
  await look(reader);
  await reader.goto('/case-studies');
  const card = reader.locator('.cards > li', { hasText: 'Chosen by an admin' }).locator('img').first();
  expect(await card.getAttribute('src')).toContain('f0000000-0000-4000-8000-000008000001');
  expect(await htmlOf(`/case-studies/${id}/chosen-by-an-admin`)).toMatch(/"image":\[[^\]]*000008000001\.png/);
});

it('content checks in the review queue lists improvements and fixes them in place (D14)', async () => {
  const id = await draft('A kettle that could be better', { account: creator });
  const kettle = { project_id: id, type: 'image', url: pictureAt(9, 0), title: 'The kettle', alt: null, order: 0 };
  await addMedia([kettle], creator);
  const data = await dataAs(creator);
  const texts = { project_id: id, brief: '<h1>a</h1><p>b</p><h3>c</h3>' };
  const { error } = await data.from('case_study_metadata').upsert(texts, { onConflict: 'project_id' });
  expect(error).toBeNull();
  const desk = await openAsAdmin(`/admin/review/${id}`, PHONE);
  const list = desk.getByRole('region', { name: '2 things could be better' });
  await desk.getByText('What it shows: not said yet').waitFor();
  await list.getByRole('button', { name: 'Fix it: Picture 1 “The kettle” does not say what it shows.' }).click();
  await desk.getByLabel(/^What does it show/).fill('A kettle before a sun');
  await look(desk);
  await desk.getByLabel(/^What does it show/).press('Enter');
  await desk.getByRole('region', { name: '1 thing could be better' }).waitFor();
  await desk.getByText('What it shows: A kettle before a sun').waitFor();
  await expect.poll(() => desk.evaluate(() => document.activeElement?.id)).toBe('checklist');

  await desk.getByRole('link', { name: /^Fix it: In “The Brief” a heading 3/ }).click();
  // The heading in the project's form.
  await expect.poll(() => desk.evaluate(() => String(getSelection()))).toBe('c');
});

it('the media library uploads, describes, reuses, replaces and deletes pictures at 390 and 1440 pixels', async () => {
  const [harbour, kettle, night] = ['Harbour shelf.png', 'Kettle shelf.png', 'Night shelf.png'];
  const title = 'From the library';
  const project = await experiment(title);
  const page = await openAsAdmin('/admin/media', PHONE);
  const files = await Promise.all([picture(harbour, '#0a6638'), picture(kettle, '#1c41c0')]);
  const words = { name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('words') };
  await page.getByLabel('Upload files').setInputFiles([...files, words]);
  await page.getByText('Not uploaded. words.png is not a picture we can show.').waitFor();
  await page.getByRole('button', { name: 'Remove words.png' }).click();
  for (const name of [harbour, kettle]) await row(page, name).waitFor();

  const unused = page.getByRole('button', { name: 'Unused' });
  const background = () => unused.evaluate((chip) => getComputedStyle(chip).backgroundColor);
  for (const address of [/state=unused/, /media$/, /state=unused/]) {
    await unused.click();
    await page.waitForURL(address);
    // After a touch the chip is still hovered.
    await expect.poll(async () => (await background()) === 'rgba(0, 0, 0, 0)').toBe(address.source === 'media$');
  }
  await row(page, harbour).getByText('Not used').waitFor();
  await page.getByRole('searchbox').fill('shelf.png');
  await page.getByText('2 files').waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Write alt text' }).click();
  await altOf(page, harbour).fill('Boats in the harbour');
  await altOf(page, kettle).fill('A kettle before a sun');
  await lookOnPhoneAndDesktop(page);
  // Another editor was faster: the texts stay, and the second attempt saves them.
  const data = await dataAs(admin);
  const { data: file } = await data.from('media_files').select('id,seen:updated_at').eq('file_name', kettle).single();
  await data.rpc('describe_media_files', { p_changes: [{ ...file, credit: 'Ravi' }] }).throwOnError();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).getByText('A file was changed or deleted meanwhile').waitFor();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await said(page, 'Alt text of 2 pictures saved.');
  await row(page, harbour).getByText('Boats in the harbour').waitFor();
  await page.goto('/admin/media?state=no_alt&search=shelf.png');
  await page.getByText('No pictures or videos match.').waitFor();

  await page.goto(`/admin/projects/${project}/edit`);
  await page.getByRole('button', { name: 'Choose from the library' }).click();
  await dialog(page).getByLabel('Search the library').fill(harbour);
  await dialog(page).getByRole('button', { name: harbour }).waitFor();
  await expect.poll(() => dialog(page).locator('li button').count()).toBe(1);
  await lookOnPhoneAndDesktop(page);
  await dialog(page).getByRole('button', { name: harbour }).click();
  await said(page, `${harbour} is added.`);
  await page.getByText('What it shows: Boats in the harbour').waitFor();

  await page.goto(`/admin/media?search=${encodeURIComponent(harbour)}`);
  await row(page, harbour).getByRole('link', { name: title }).waitFor();
  const edit = row(page, harbour).getByRole('button', { name: `Edit ${harbour}` });
  await edit.click();
  await dialog(page).getByLabel('Credit').fill('Asha Rao');
  await lookOnPhoneAndDesktop(page);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await said(page, 'Saved.');

  const reader = await openAt(`/case-studies/${project}`, PHONE);
  const shown = reader.locator('.gallery figure');
  await shown.getByText('Credit: Asha Rao').waitFor();
  expect(await shown.locator('img').getAttribute('alt')).toBe('Boats in the harbour');
  const before = await shown.locator('img').getAttribute('src');

  await chooseInRow(page, harbour, 'Delete');
  await dialog(page).getByRole('heading', { name: 'This file is in use' }).waitFor();
  await dialog(page).getByRole('link', { name: title }).waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).click();

  await chooseInRow(page, harbour, 'Replace everywhere');
  const film = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('\0\0\0\x20ftypisom', 'latin1') };
  const newPicture = dialog(page).getByLabel('New picture');
  await newPicture.setInputFiles(film);
  await dialog(page).getByText('film.mp4 is not a picture we can show.').waitFor();
  await lookOnPhoneAndDesktop(page);
  await newPicture.setInputFiles([await picture(night, '#ae1118')]);
  await said(page, 'Replaced in one place.');
  await reader.reload();
  expect(await shown.locator('img').getAttribute('alt')).toBe('Boats in the harbour');
  expect(await shown.locator('img').getAttribute('src')).not.toBe(before);
  await page.goto(`/admin/media?search=${encodeURIComponent(night)}`);
  await row(page, night).getByRole('link', { name: title }).waitFor();

  await page.goto(`/admin/media?search=${encodeURIComponent(kettle)}`);
  await chooseInRow(page, kettle, 'Delete');
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await said(page, '1 file deleted.');
  await row(page, kettle).waitFor({ state: 'detached' });
  await page.locator('.status-region').getByRole('button', { name: /^Undo/ }).click();
  await row(page, kettle).waitFor();
});

it('the media library undoes a replacement, and restores deleted files later', async () => {
  const project = await experiment('Replaced and back');
  const page = await openAsAdmin('/admin/media');
  const release = await hold(page, '**/storage/v1/object/**');
  await page.getByLabel('Upload files').setInputFiles([await picture('Tide.png', '#0a6638')]);
  await page.getByRole('link', { name: 'Projects' }).click();
  await dialog(page).getByRole('button', { name: 'Stay here' }).click();
  release();
  await row(page, 'Tide.png').waitFor();
  await page.goto(`/admin/projects/${project}/edit`);
  await page.getByRole('button', { name: 'Choose from the library' }).click();
  await dialog(page).getByRole('button', { name: 'Tide.png' }).click();
  await said(page, 'Tide.png is added.');
  await page.goto('/admin/media?search=Tide.png');
  await chooseInRow(page, 'Tide.png', 'Replace everywhere');
  const ebb = await picture('Ebb.png', '#ae1118');
  await dialog(page).getByLabel('New picture').setInputFiles([ebb]);
  await said(page, 'Replaced in one place.');
  const undo = page.locator('.status-region').getByRole('button', { name: /^Undo/ });
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  await row(page, 'Tide.png').getByRole('link', { name: 'Replaced and back' }).waitFor();
  await page.goto('/admin/media?state=deleted');
  await row(page, 'Ebb.png').getByText('Kept until').waitFor();
  await page.getByRole('button', { name: 'Restore Ebb.png' }).click();
  await said(page, '1 file restored.');
  await page.goto('/admin/media?search=Ebb.png');
  await row(page, 'Ebb.png').getByText('Not used').waitFor();
});

it('the media library is used by keyboard alone', async () => {
  const project = await experiment('By keyboard');
  const page = await openAsAdmin('/admin/media');
  await page.getByLabel('Upload files').setInputFiles([await picture('Quay.png', '#0a6638')]);
  await row(page, 'Quay.png').waitFor();
  const press = async (keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  await page.keyboard.press('/');
  await page.keyboard.type('Quay');
  await page.getByText('1 file', { exact: true }).waitFor();

  await row(page, 'Quay.png').getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: 'Write alt text' }).press('Enter');
  await expectFocus(altOf(page, 'Quay.png'));
  await page.keyboard.type('A quay at dawn');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Write alt text' }).press('Enter');
  await expectFocus(altOf(page, 'Quay.png'));
  await page.keyboard.press('Enter');
  await said(page, 'Saved.');
  await row(page, 'Quay.png').getByText('A quay at dawn').waitFor();
  await row(page, 'Quay.png').getByRole('button', { name: 'Edit Quay.png' }).focus();
  await press(['Enter', 'Escape']);
  await expect.poll(focused).toBe('Edit Quay.png');

  await page.goto(`/admin/projects/${project}/edit`);
  await page.getByRole('button', { name: 'Choose from the library' }).press('Enter');
  const search = dialog(page).getByLabel('Search the library');
  await expectFocus(search);
  await press(['Escape', 'Enter']);
  await dialog(page).evaluate(() => new Promise(requestAnimationFrame));
  await expectFocus(search);
  await page.keyboard.type('Quay');
  await expect.poll(() => dialog(page).locator('li button').count()).toBe(1);
  await press(['Tab', 'Enter']);
  await said(page, 'Quay.png is added.');
  await page.getByText('What it shows: A quay at dawn').waitFor();

  await page.goto('/admin/media?search=Quay');
  await row(page, 'Quay.png').getByText('More', { exact: true }).focus();
  await press(['Enter', 'Tab', 'Tab', 'Enter']);
  await dialog(page).getByRole('link', { name: 'By keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});

import { afterEach, describe, expect, inject, it } from 'vitest';
import { featured } from '../../../app/features/dashboard/words/featured.ts';
import { replyWords, reviewWords } from '../../../app/features/reviews/words/review.ts';
import { expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { addMedia, draft, file, publish } from '../experiments.ts';
import { openAsAdmin, said } from '../hands.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const { admin, member } = inject('accounts');

it('an admin assigns a submission, finds it under Mine, and unassigns it, on a phone too', async () => {
  const id = await draft('A bell for bakers', { account: member });
  const other = await draft('A whistle for whales', { account: member });
  // With its last step a submission arrives in the inbox.
  for (const one of [id, other]) await file(admin, one, { category: 'other' });
  const desk = await openAsAdmin(`/admin/review/${id}`);
  await desk.getByRole('button', { name: reviewWords.assignMe }).click();
  await said(desk, 'Assigned to');
  // The focus moves from the removed button to the list.
  await expect.poll(() => desk.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  const row = desk.locator(`.review-rows a[href*="${id}"]`);
  await row.getByText('Assigned to').waitFor();
  await desk.getByRole('button', { name: /^Mine/ }).click();
  await row.waitFor();
  await expect.poll(() => desk.locator(`.review-rows a[href*="${other}"]`).count()).toBe(0);
  expect(new URL(desk.url()).search).toBe('?mine=1');

  const phone = await openAsAdmin(`/admin/review/${id}?mine=1`, PHONE);
  expect(await visualFaults(phone)).toEqual([]);
  await expectAccessible(phone);
  await phone.getByLabel(reviewWords.assignee).selectOption('');
  await said(phone, reviewWords.assigned(null));
  await phone.getByRole('link', { name: 'Back to the inbox' }).click();
  await phone.getByText(reviewWords.noneOfMine).waitFor();
  await phone.goto('/admin/log?what=reviews.');
  await phone.getByText('set the assignee of “A bell for bakers”').waitFor();
  await phone.getByText('unassigned “A bell for bakers”').waitFor();
  expectQuiet(desk);
  expectQuiet(phone);
});

it('an admin saves a reply template, inserts it with its placeholders filled in, edits it, deletes it and undoes the deletion', async () => {
  const settings = await openAsAdmin('/admin/settings#replies');
  await settings.getByText('Say what the pictures show').waitFor();
  await settings.getByRole('button', { name: replyWords.add }).click();
  await settings.getByRole('button', { name: replyWords.save }).click();
  await settings.getByText('Give it a name').waitFor();
  await settings.locator('#replies').getByRole('textbox', { name: replyWords.name, exact: true }).fill('Too loud');
  await settings.getByLabel(replyWords.forAnswer).selectOption('decline');
  await settings
    .locator('#replies')
    .getByRole('textbox', { name: replyWords.body })
    .fill('“{title}” is too loud for {site}.');
  expect(await settings.locator('#replies').getByRole('button', { name: 'Edit' }).first().isDisabled()).toBe(true);
  await expectAccessible(settings);
  await settings.getByRole('button', { name: replyWords.save }).click();
  await said(settings, 'The reply “Too loud” is saved.');

  const id = await draft('A drum for dawn', { account: member });
  const desk = await openAsAdmin(`/admin/review/${id}?show=declined`, PHONE);
  await desk.getByRole('button', { name: reviewWords.decline, exact: true }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Hello.');
  await dialog.getByLabel(replyWords.choose).selectOption('Too loud');
  await dialog.getByRole('button', { name: replyWords.putIn }).click();
  expect(await dialog.getByRole('textbox').inputValue()).toMatch(/^Hello\.\n\n“A drum for dawn” is too loud for \S/);
  await expectAccessible(desk);
  await dialog.getByRole('button', { name: reviewWords.decline, exact: true }).click();
  await said(desk, 'is declined.');
  await desk.locator('.review-steps').getByText('is too loud for').waitFor();

  await settings.getByRole('button', { name: replyWords.deleteOne('Too loud') }).click();
  await said(settings, 'The reply “Too loud” is deleted.');
  await settings.getByRole('button', { name: 'Undo' }).click();
  await settings.getByRole('button', { name: replyWords.editOne('Too loud') }).click();
  await settings.locator('#replies').getByRole('textbox', { name: replyWords.body }).fill('Quieter, please.');
  await settings.getByRole('button', { name: replyWords.save }).click();
  await settings.getByText('Quieter, please.').waitFor();
  expectQuiet(settings);
});

describe('content checks before publishing', () => {
  // Undone, so that a retry starts fresh.
  afterEach(async () => {
    await (await dataAs(admin)).from('site_settings').delete().eq('name', 'publishing_needs_checks');
  });

  it('block publishing when the setting is on: the review queue shows each problem, and the database rejects every way to publish', async () => {
    const id = await draft('A kite for cats', { account: member });
    await addMedia(admin, [
      { project_id: id, type: 'image', url: `${seeded.base}/work/chai-atlas.svg`, title: 'Kite' },
    ]);
    const desk = await openAsAdmin('/admin/settings#publishing');
    await desk.getByLabel('Publish only what is in order').check();
    await desk.getByRole('button', { name: 'Save Changes' }).click();
    await desk.getByText('Saved. The site shows it from now on.').waitFor();

    await desk.goto(`/admin/review/${id}`);
    await desk.getByRole('button', { name: reviewWords.publish, exact: true }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByText(reviewWords.gate).waitFor();
    await expectAccessible(desk);
    expect(await dialog.getByRole('button', { name: reviewWords.publish, exact: true }).count()).toBe(0);
    await dialog.getByRole('button', { name: reviewWords.gateShow }).click();
    await expect.poll(() => desk.evaluate(() => document.activeElement?.id)).toBe('checklist');

    await desk.goto(`/admin/projects/${id}`);
    await desk.getByRole('button', { name: 'Publish', exact: true }).click();
    await desk.getByRole('alert').getByText('1 picture does not say what it shows.').waitFor();

    await (await dataAs(admin)).from('project_media').update({ alt: 'A kite over roofs' }).eq('project_id', id);
    await desk.goto(`/admin/review/${id}`);
    await desk.getByRole('button', { name: reviewWords.publish, exact: true }).click();
    await dialog.getByRole('button', { name: reviewWords.publish, exact: true }).click();
    await said(desk, '“A kite for cats” is published.');
  });
});

it('the home page shows the chosen experiments in order, then the newest; admins reorder them by keyboard and undo a removal', async () => {
  const titles = ['A gate for geese', 'A hat for herons', 'An inn for ibises', 'A jar for jays'];
  const ids: string[] = [];
  const data = await dataAs(admin);
  // Undone, so that a retry starts fresh.
  await data.rpc('feature_experiments', { p_ids: [] });
  for (const title of titles) ids.push(await publish(admin, { title }));
  const home = await openPage(browser, PHONE);
  const shown = async () => {
    await home.goto('/');
    return home.locator('#work li h3').allInnerTexts();
  };
  expect(await shown()).toEqual(titles.slice(1).toReversed());

  const page = await openAsAdmin(`/admin/projects/${ids[0]}`);
  await page.getByRole('button', { name: featured.add }).click();
  await page.getByText('Featured on the home page, place 1.').waitFor();
  // Shown before it is saved; the home page shows the saved state.
  await expect.poll(shown).toEqual([titles[0], titles[3], titles[2]]);
  await page.goto(`/admin/projects/${ids[1]}`);
  await page.getByRole('button', { name: featured.add }).click();
  await page.getByText('Featured on the home page, place 2.').waitFor();
  await expect.poll(shown).toEqual([titles[0], titles[1], titles[3]]);

  await page.goto('/admin');
  const panel = page.getByRole('region', { name: featured.title });
  await panel.getByRole('button', { name: `Move “${titles[1]}” up` }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(shown).toEqual([titles[1], titles[0], titles[3]]);
  await expectAccessible(page);
  expect(await visualFaults(page)).toEqual([]);
  await panel.getByRole('button', { name: featured.removeOne(titles[1]!) }).click();
  await said(page, `“${titles[1]}” is off the home page.`);
  await expect.poll(shown).toEqual([titles[0], titles[3], titles[2]]);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(shown).toEqual([titles[1], titles[0], titles[3]]);

  // Unpublished experiments leave the home page, which still shows three.
  await data.from('projects').update({ status: 'archived' }).eq('id', ids[1]);
  await expect.poll(shown).toEqual([titles[0], titles[3], titles[2]]);
  await home.locator('#work li h3 a').first().click();
  await home.getByRole('heading', { level: 1, name: titles[0]! }).waitFor();
  await page.goto('/admin/log?what=projects.feature');
  await page.getByText(`chose the projects on the home page: “${titles[1]}”`).first().waitFor();
  expect(await visualFaults(home)).toEqual([]);
  expectQuiet(home);
  expectQuiet(page);
});

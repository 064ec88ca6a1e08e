import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectFocus, hold, PHONE } from '../../browser.ts';
import { addMedia, publish } from '../experiments.ts';
import { lookOnPhoneAndDesktop, openAsAdmin, retype, said } from '../hands.ts';
import { dialog, storedPage } from '../page-editor.ts';
import { admin, htmlOf, openAt, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';
import { picture } from '../submit/form.ts';

startSeeded();

const main = (page: Page) => page.getByRole('main');
const read = (id: string) => htmlOf(`/case-studies/${id}`);
const later = () => new Date(Date.now() + 3 * 86_400_000).toISOString();
const soon = () => new Date(Date.now() + 3_000).toISOString();

const newProject = (title: string) => publish({ title, description: '<p>Mirrors for the town.</p>' });

it('changes saved for later are previewed, compared, decided and published at a date by keyboard alone, at 390 and 1440 pixels', async () => {
  const data = await dataAs(admin);
  const [old, staged] = ['A lamp that waits', 'A lantern that waits'];
  const id = await newProject(old);
  const page = await openAsAdmin(`/admin/projects/${id}/edit`, PHONE);
  const useButton = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const useLink = (name: string) => main(page).getByRole('link', { name, exact: true }).press('Enter');
  const title = page.getByLabel('Title', { exact: true }).first();
  const saveForLater = async (text: string) => {
    await retype(title, text);
    await useButton('Save for later');
    await main(page).getByText('Saved for later:').waitFor();
  };

  const review = async (text: string) => {
    await useLink('Review changes');
    await main(page).locator('ins', { hasText: text }).waitFor();
  };

  await saveForLater(staged);
  await lookOnPhoneAndDesktop(page);
  expect(await read(id)).toContain(old);
  expect(await read(id)).not.toContain(staged);

  await review('lantern');
  await lookOnPhoneAndDesktop(page);
  await page.getByRole('tab', { name: 'Compared with live' }).press('ArrowRight');
  await page.getByRole('heading', { name: staged }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('Make another link').press('Enter');
  await retype(page.getByLabel('Name', { exact: true }), 'For Ravi');
  await useButton('Make the link');
  const visitor = await openAt(await page.getByLabel(/“For Ravi” is ready/).inputValue(), PHONE);
  await visitor.getByText('A preview: these changes are not published yet.').waitFor();
  await visitor.getByRole('heading', { level: 1, name: staged }).waitFor();
  await lookOnPhoneAndDesktop(visitor);

  // A change through the data service goes live, and the revision does not overwrite it.
  const live = { title: 'A torch that waits', client: 'Live client' };
  await data.from('projects').update(live).eq('id', id).throwOnError();
  expect(await read(id)).toContain('A torch that waits');
  await useButton('Publish now');
  await page.getByText('The same fields were changed on the site meanwhile.').waitFor();
  await useLink('Edit');
  await page.getByRole('heading', { name: 'The site changed after these changes were saved for later' }).waitFor();
  await lookOnPhoneAndDesktop(page);
  await useButton('Compare field by field');
  expect(await page.getByRole('radio', { name: 'Mine' }).isChecked()).toBe(true);
  await useButton('Save this choice');
  await main(page).getByText('Saved for later:').waitFor();
  expect(await read(id)).toContain('A torch that waits');

  await useButton('Publish at a date');
  await lookOnPhoneAndDesktop(page);
  // The browser's own field: keys differ by its language.
  const date = dialog(page).getByLabel('Date and time');
  await date.fill('2001-02-03T09:00');
  await dialog(page).getByText('In your time zone, ').waitFor();
  await useButton('Save date');
  await dialog(page).getByText('Please choose a date and time in the future.').waitFor();
  await date.fill(`${later().slice(0, 10)}T09:00`);
  await useButton('Save date');
  await main(page).getByText('Goes live on').waitFor();
  await page.goto('/admin');
  const planned = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem');
  const scheduled = planned.filter({ hasText: 'A torch that waits' });
  await scheduled.getByText('Goes live').waitFor();
  await scheduled.getByRole('link').press('Enter');
  await useButton('Cancel date');
  await said(page, 'The date is cancelled.');
  await main(page).getByText('Goes live on').waitFor({ state: 'detached' });
  await expectFocus(page.getByRole('group', { name: 'Publish at a date' }));

  await data.rpc('plan_change', { p_kind: 'publish', p_at: soon(), p_project: id }).throwOnError();
  await expect.poll(() => read(id)).toContain(staged);
  expect(await read(id)).toContain('Live client');
  await visitor.reload();
  await visitor.getByText('A preview:').waitFor({ state: 'detached' });

  await page.reload();
  await useButton('Back to draft at a date');
  await date.fill(`${later().slice(0, 10)}T09:00`);
  await useButton('Save date');
  await main(page).getByText('Back to draft on').waitFor();
  await page.goto(`/admin/projects/${id}/edit`);
  await saveForLater('A candle that waits');
  await review('candle');
  await useButton('Discard');
  await useButton('Discard changes');
  await said(page, 'The changes are discarded.');
  await main(page).getByText('Saved for later:').waitFor({ state: 'detached' });
  await page.goto(`/admin/projects/${id}/edit`);
  await saveForLater('A candle that waits');
  await review('candle');
  await useLink('Edit');
  await useButton('Save and publish');
  await page.getByRole('heading', { level: 1, name: 'A candle that waits' }).waitFor();
  expect(await read(id)).toContain('A candle that waits');
});

it('changes saved for later hold media and team by keyboard alone, at 390 and 1440 pixels', async () => {
  const data = await dataAs(admin);
  const id = await newProject('A shelf that waits');
  const pictureAt = (place: number) =>
    `${seeded.base}/storage/v1/object/public/case-studies/images/f0000000-0000-4000-8000-00000800000${place}.png`;
  await addMedia([
    { project_id: id, type: 'image', url: pictureAt(0), title: 'First', alt: 'Bars', order: 0 },
    { project_id: id, type: 'image', url: pictureAt(1), title: 'Second', alt: 'Rings', order: 1 },
  ]);
  await data.from('project_members').insert({ project_id: id, name: 'Asha', role: 'Ink' }).throwOnError();
  const page = await openAsAdmin(`/admin/projects/${id}/edit`, PHONE);
  const media = page.getByRole('region', { name: 'Media', exact: true });
  const team = page.getByRole('region', { name: 'Project Team' });
  const names = () => media.getByRole('listitem').locator('strong').allInnerTexts();
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  await page.getByRole('radio', { name: 'At once' }).press('ArrowRight');
  await page.getByLabel(/^Or picture files/).setInputFiles([await picture('A third.png', '#0a6638')]);
  await button('Move Picture “A third” up').press('Enter');
  await expect.poll(names).toEqual(['First', 'A third', 'Second']);
  await button('Describe Picture “A third”').press('Enter');
  await page.getByLabel(/^What does it show/).fill('Green');
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Describe Picture “A third”' }).waitFor({ state: 'detached' });
  await button('Use as cover: Picture “A third”').press('Enter');
  await said(page, 'Picture “A third” is the cover.');
  await button('Delete media First').press('Enter');
  await said(page, 'Picture “First” is removed from the list saved for later.');
  await button(/^Undo/).press('Enter');
  await expect.poll(names).toEqual(['First', 'A third', 'Second']);
  await button('Delete media First').press('Enter');
  await expect.poll(names).toEqual(['A third', 'Second']);
  await button('Change Asha').press('Enter');
  for (const key of ['Tab', 'End']) await page.keyboard.press(key);
  await page.keyboard.type(' and paper');
  await page.keyboard.press('Enter');
  await team.locator('.member-form').waitFor({ state: 'detached' });
  await team.getByLabel('Name or email').fill('Ravi');
  await page.keyboard.press('Enter');
  await team.getByRole('listitem').filter({ hasText: 'Ravi' }).waitFor();
  const shown = () =>
    ['alt="Bars"', 'alt="Green"', 'Asha, Ink<', 'Asha, Ink and paper', 'Ravi'].filter((text) => html.includes(text));
  let html = await read(id);
  expect(shown()).toEqual(['alt="Bars"', 'Asha, Ink<']);
  expect((await data.from('project_media').select('title').eq('project_id', id)).data).toHaveLength(2);

  // A live change of a list that has a saved revision.
  await data.from('project_media').update({ alt: 'Circles' }).eq('project_id', id).eq('title', 'Second').throwOnError();
  await page.reload();
  await main(page).getByText('Media: the site changed after these changes were saved for later.').waitFor();
  await lookOnPhoneAndDesktop(page);
  await button('Take mine').press('Enter');
  await main(page).getByText('Media: the site changed').waitFor({ state: 'detached' });
  await page.goto(`/admin/projects/${id}/revision`);
  await main(page).getByText('Picture “First”').waitFor();
  const forRavi = { p_project: id, p_name: 'For Ravi', p_until: later() };
  const { data: link } = await data.rpc('make_draft_link', forRavi).throwOnError();
  const visitor = await openAt(`/case-studies/${id}?draft=${(link as { secret: string }).secret}`, PHONE);
  await visitor.getByText('A preview: these changes are not published yet.').waitFor();
  html = await visitor.content();
  expect(shown()).toEqual(['alt="Green"', 'Asha, Ink and paper', 'Ravi']);
  // The answer does not take away the screen that was opened meanwhile.
  const release = await hold(page, '**/rest/v1/rpc/publish_revision');
  await button('Publish now').press('Enter');
  await page.getByRole('link', { name: 'Edit', exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Edit project' }).waitFor();
  release();
  await said(page, 'Published.');
  expect(page.url()).toMatch(/\/edit$/);
  html = await read(id);
  expect(shown()).toEqual(['alt="Green"', 'Asha, Ink and paper', 'Ravi']);
});

it('changes saved for later wait on the dashboard for a decision when the database refuses them at their date', async () => {
  const data = await dataAs(admin);
  const id = await newProject('A bell');
  const { data: project } = await data.from('projects').select('updated_at').eq('id', id).single().throwOnError();
  const texts = { p_description: null, p_understanding: null, p_actions: null, p_impact: null };
  const fields = { p_publish: false, p_fields: { title: 'A gong' }, ...texts };
  await data.rpc('stage_project', { p_id: id, p_seen: project!.updated_at, p_staged: null, ...fields }).throwOnError();
  await data.from('projects').update({ title: 'A chime' }).eq('id', id).throwOnError();
  await data.rpc('plan_change', { p_kind: 'publish', p_at: soon(), p_project: id }).throwOnError();
  const problem = async () =>
    (await data.from('planned_changes').select('problem').eq('project_id', id)).data![0]!.problem;
  await expect.poll(problem).toContain('changed on the site');
  const page = await openAsAdmin();
  const need = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').filter({ hasText: 'A chime' });
  await need.getByRole('link', { name: 'Decide' }).click();
  await page.getByText('Not published at its date.').waitFor();
  expect(await read(id)).toContain('A chime');
});

// The draft of a project is published at its date in team-week.
it('changes saved for later publish the draft of a page at its date, which only a complete one gets', async () => {
  const { id } = await storedPage('about');
  const page = await openAsAdmin(`/admin/pages/${id}`);
  const button = (name: string) => page.getByRole('button', { name });
  const schedule = page.getByRole('region', { name: 'Publish later' });
  const save = async (lead: string, hint: string) => {
    await page.getByRole('group', { name: 'Opening' }).getByLabel('Lead').fill(lead);
    await button('Save draft').click();
    await schedule.getByText(hint).waitFor();
  };
  await save('', 'Complete and save the draft');
  expect(await button('Publish at a date').count()).toBe(0);
  await save('Monday is the day.', 'published as saved');
  for (const name of ['Publish at a date', 'Save date']) await button(name).click();
  await main(page).getByText('Goes live on').waitFor();
  await save('', 'Complete and save the draft');
  await button('Cancel date').click();
  await main(page).getByText('Goes live on').waitFor({ state: 'detached' });
  await expectFocus(schedule);
  await save('Monday is the day.', 'published as saved');
  const plan = { p_kind: 'publish', p_at: soon(), p_page: id };
  await (await dataAs(admin)).rpc('plan_change', plan).throwOnError();
  await expect.poll(() => htmlOf('/about')).toContain('Monday is the day.');
});

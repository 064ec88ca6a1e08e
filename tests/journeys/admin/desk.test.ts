import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { needs } from '../../../app/features/dashboard/words/dashboard.ts';
import { replyWords, reviewWords } from '../../../app/features/reviews/words/review.ts';
import { newSecret } from '../../../app/lib/data/ids.ts';
import { wholeDays } from '../../../app/ui/time.tsx';
import { DESKTOP, expectAccessible, PHONE } from '../../browser.ts';
import { addMedia, answerDraft, chooseInRow, draft, file, publish } from '../experiments.ts';
import { answerReview, look, mockResponse, openAsAdmin, said } from '../hands.ts';
import { admin, member, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const numberIn = (text: string | null) => Number(/\d+/.exec(text ?? '')?.[0] ?? 0);

/** An unfinished submission that has arrived: answered and reopened, so that the test does not wait two hours. */
async function unfinished(title: string): Promise<string> {
  const id = await draft(title, { account: member });
  for (const answer of ['decline', 'reopen'] as const) await answerDraft(id, answer, 'Wait.');
  return id;
}

/** The count on a filter of Case Studies, and the number of rows of its list. */
async function chip(page: Page, label: string) {
  const button = page.getByRole('button', { name: label });
  await button.click();
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  const [, listed] =
    /of (\d+) results/.exec(await page.locator('[aria-busy=false] p[aria-live=polite]').last().innerText()) ?? [];
  return { counted: numberIn(await button.locator('small').textContent()), listed: Number(listed) };
}

it('dashboard, sidebar, Case Studies and the review queue show the same number of waiting submissions (M6)', async () => {
  const lamp = 'A lamp that counts';
  const data = await dataAs(admin);
  // Neither is waiting: a draft of an admin, and one whose submitter is still filling in the form.
  const byAdmin = `${lamp} by an admin`;
  await data.from('projects').insert({ title: byAdmin }).throwOnError();
  await draft(`${lamp} begun just now`, { secret: newSecret() });
  await file(await draft(`${lamp} submitted`, { account: member }), { category: 'other' });
  await unfinished(`${lamp} never finished`);

  const page = await openAsAdmin('/admin');
  const waiting = page.getByText(/ submissions? waiting, oldest /).filter({ visible: true });
  const dashboard = numberIn(await waiting.textContent());
  const { data: oldest } = await data.from('reviews').select('arrived_at').eq('turn', 0).order('arrived_at').limit(1);
  expect(await waiting.textContent()).toBe(needs.waiting(String(dashboard), wholeDays(oldest![0]!.arrived_at)));
  const sidebar = async () =>
    numberIn(await page.locator('.admin-menu a[href="/admin/review"] .admin-waiting').textContent());
  expect(dashboard).toBeGreaterThan(0);
  expect(await sidebar()).toBe(dashboard);

  await page.goto('/admin/case-studies');
  expect(await chip(page, 'Needs review')).toEqual({ counted: dashboard, listed: dashboard });
  expect(await page.getByRole('link', { name: byAdmin, exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: `${lamp} submitted`, exact: true }).waitFor();
  const notFinished = await chip(page, 'Not finished');
  expect(notFinished.counted).toBe(notFinished.listed);
  await page.getByRole('link', { name: `${lamp} never finished`, exact: true }).waitFor();
  expect(await page.getByRole('link', { name: `${lamp} begun just now`, exact: true }).count()).toBe(0);

  await page.goto('/admin/review?show=waiting');
  await page.locator('.review-rows').waitFor();
  const filter = (name: string) => page.locator('.table-tools').getByRole('button', { name }).locator('small');
  expect(numberIn(await filter(reviewWords.states.waiting).textContent())).toBe(dashboard);
  expect(numberIn(await page.locator('p[aria-live=polite]').last().textContent())).toBe(dashboard);
  expect(numberIn(await filter(reviewWords.states.unfinished).textContent())).toBe(notFinished.listed);

  // Publishing in another browser changes all counts.
  await page.goto(`/admin/case-studies?review=waiting&search=${encodeURIComponent(lamp)}`);
  await chooseInRow(page, `${lamp} submitted`, 'Publish');
  await page.getByText(`“${lamp} submitted” is published.`).waitFor();
  await expect.poll(sidebar).toBe(dashboard - 1);
  const onChip = async () => numberIn(await page.getByRole('button', { name: 'Needs review' }).textContent());
  await expect.poll(onChip).toBe(dashboard - 1);
});

it('incomplete submissions have a filter and a link to email their author (M6, U18)', async () => {
  await unfinished('A bell that stopped');
  const page = await openAsAdmin('/admin/review', DESKTOP);
  expect(await page.locator('.table-tools').getByRole('button').first().innerText()).toMatch(/^Open/);
  await page.locator('.table-tools').getByRole('button', { name: 'Not finished' }).click();
  await page.locator('.review-rows').getByRole('link', { name: 'A bell that stopped' }).click();
  await page.getByText('The submission was started but not completed.').waitFor();
  const letter = await page.getByRole('link', { name: `Write to ${member.email}` }).getAttribute('href');
  expect(letter).toBe(`mailto:${encodeURIComponent(member.email)}?subject=A%20bell%20that%20stopped`);
  await page.goto(`/admin/review/${await draft('A bell without a ringer', { secret: newSecret() })}`);
  await page.getByText('The submitter left no email address.').first().waitFor();
});

it('an empty review queue shows no zero, no key hints and no dead link (U17)', async () => {
  const page = await openPage();
  await page.route('**/rest/v1/rpc/count_reviews*', (route) => route.fulfill({ json: { reviews: 0, exact: true } }));
  await page.route('**/rest/v1/reviews?*', (route) => route.fulfill({ json: [] }));
  await page.route('**/rest/v1/rpc/find_projects*', (route) => route.fulfill({ json: [] }));
  await mockResponse(page, '**/rest/v1/rpc/count_projects?*', { json: [{ projects: 0, exact: true }] });
  await mockResponse(page, '**/rest/v1/contact_messages?*', { json: [], headers: { 'content-range': '*/0' } });
  await enterAdmin(page, admin);
  await page.getByRole('link', { name: needs.seeChecks }).waitFor();
  for (const name of ['Review now', 'Read messages'])
    expect(await page.getByRole('main').getByRole('link', { name }).count()).toBe(0);

  await page.goto('/admin/review');
  await page.getByText('Nothing to review.').waitFor();
  expect(await page.locator('.review').innerText()).not.toMatch(/\d|Enter/);
  await expectAccessible(page);

  await page.goto('/admin/case-studies?search=nothing');
  await page.getByText('No experiments match.').waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/\b0\b/);
});

it('an admin assigns a submission, finds it under Mine, and unassigns it, on a phone too', async () => {
  const id = await draft('A bell for bakers', { account: member });
  const other = await draft('A whistle for whales', { account: member });
  // With its last step a submission arrives in the inbox.
  for (const one of [id, other]) await file(one, { category: 'other' });
  const desk = await openAsAdmin(`/admin/review/${id}`);
  await desk.getByRole('button', { name: 'Assign to me' }).click();
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
  await phone.getByLabel('Assignee').selectOption('');
  await said(phone, reviewWords.assigned(null));
  await phone.getByRole('link', { name: 'Back to the inbox' }).click();
  await phone.getByText('None assigned to you.').waitFor();
  await phone.goto('/admin/log?what=reviews.');
  await phone.getByText('set the assignee of “A bell for bakers”').waitFor();
  await phone.getByText('unassigned “A bell for bakers”').waitFor();
});

it('an admin saves a reply template, inserts it with its placeholders filled in, edits it, deletes it and undoes the deletion', async () => {
  const settings = await openAsAdmin('/admin/settings#replies');
  await settings.getByText('Say what the pictures show').waitFor();
  await settings.getByRole('button', { name: replyWords.add }).click();
  await settings.getByRole('button', { name: replyWords.save }).click();
  await settings.getByText('Give it a name').waitFor();
  const replies = settings.locator('#replies');
  await replies.getByRole('textbox', { name: replyWords.name, exact: true }).fill('Too loud');
  await settings.getByLabel(replyWords.forAnswer).selectOption('decline');
  await replies.getByRole('textbox', { name: replyWords.body }).fill('“{title}” is too loud for {site}.');
  expect(await replies.getByRole('button', { name: 'Edit' }).first().isDisabled()).toBe(true);
  await expectAccessible(settings);
  await settings.getByRole('button', { name: replyWords.save }).click();
  await said(settings, 'The reply “Too loud” is saved.');

  const id = await draft('A drum for dawn', { account: member });
  const desk = await openAsAdmin(`/admin/review/${id}?show=declined`, PHONE);
  await desk.getByRole('button', { name: reviewWords.decline, exact: true }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Hello.');
  await dialog.getByLabel('Use a reply').selectOption('Too loud');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  expect(await dialog.getByRole('textbox').inputValue()).toMatch(/^Hello\.\n\n“A drum for dawn” is too loud for \S/);
  await dialog.getByRole('button', { name: reviewWords.decline, exact: true }).click();
  await said(desk, 'is declined.');
  await desk.locator('.review-steps').getByText('is too loud for').waitFor();

  await settings.getByRole('button', { name: replyWords.deleteOne('Too loud') }).click();
  await said(settings, 'The reply “Too loud” is deleted.');
  await settings.getByRole('button', { name: 'Undo' }).click();
  await settings.getByRole('button', { name: replyWords.editOne('Too loud') }).click();
  await replies.getByRole('textbox', { name: replyWords.body }).fill('Quieter, please.');
  await settings.getByRole('button', { name: replyWords.save }).click();
  await settings.getByText('Quieter, please.').waitFor();
});

it('content checks before publishing block publishing when the setting is on: the review queue shows each problem, and the database rejects every way to publish', async () => {
  onTestFinished(async () => {
    await (await dataAs(admin)).from('site_settings').delete().eq('name', 'publishing_needs_checks');
  });
  const id = await draft('A kite for cats', { account: member });
  const kite = { project_id: id, type: 'image', url: `${seeded.base}/work/chai-atlas.svg`, title: 'Kite' };
  await addMedia([kite]);
  const desk = await openAsAdmin('/admin/settings#publishing');
  await desk.getByLabel('Publish only what is in order').check();
  await desk.getByRole('button', { name: 'Save Changes' }).click();
  await desk.getByText('Saved. The site shows it from now on.').waitFor();

  await desk.goto(`/admin/review/${id}`);
  await desk.getByRole('button', { name: reviewWords.publish, exact: true }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByText('Fix these before publishing:').waitFor();
  expect(await dialog.getByRole('button', { name: reviewWords.publish, exact: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Show me where' }).click();
  await expect.poll(() => desk.evaluate(() => document.activeElement?.id)).toBe('checklist');

  await desk.goto(`/admin/projects/${id}`);
  await desk.getByRole('button', { name: 'Publish', exact: true }).click();
  await desk.getByRole('alert').getByText('1 picture does not say what it shows.').waitFor();

  await (await dataAs(admin)).from('project_media').update({ alt: 'A kite over roofs' }).eq('project_id', id);
  await desk.goto(`/admin/review/${id}`);
  await answerReview(desk, 'publish');
  await said(desk, '“A kite for cats” is published.');
});

it('the home page shows the chosen experiments in order, then the newest; admins reorder them by keyboard and undo a removal', async () => {
  const titles = ['A gate for geese', 'A hat for herons', 'An inn for ibises', 'A jar for jays'];
  const ids: string[] = [];
  const data = await dataAs(admin);
  await data.rpc('feature_experiments', { p_ids: [] });
  for (const title of titles) ids.push(await publish({ title }));
  const home = await openPage(PHONE);
  const shown = async () => {
    await home.goto('/');
    return home.locator('#work li h3').allInnerTexts();
  };
  expect(await shown()).toEqual(titles.slice(1).toReversed());

  const page = await openAsAdmin(`/admin/projects/${ids[0]}`);
  await page.getByRole('button', { name: 'Show on the home page' }).click();
  await page.getByText('Featured on the home page, place 1.').waitFor();
  // Shown before it is saved; the home page shows the saved state.
  await expect.poll(shown).toEqual([titles[0], titles[3], titles[2]]);
  await page.goto(`/admin/projects/${ids[1]}`);
  await page.getByRole('button', { name: 'Show on the home page' }).click();
  await page.getByText('Featured on the home page, place 2.').waitFor();
  await expect.poll(shown).toEqual([titles[0], titles[1], titles[3]]);

  await page.goto('/admin');
  const panel = page.getByRole('region', { name: 'Featured on the home page' });
  await panel.getByRole('button', { name: `Move “${titles[1]}” up` }).press('Enter');
  await expect.poll(shown).toEqual([titles[1], titles[0], titles[3]]);
  expect(await visualFaults(page)).toEqual([]);
  await panel.getByRole('button', { name: `Take “${titles[1]}” off the home page` }).click();
  await said(page, `“${titles[1]}” is off the home page.`);
  await expect.poll(shown).toEqual([titles[0], titles[3], titles[2]]);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(shown).toEqual([titles[1], titles[0], titles[3]]);

  // Unpublished experiments leave the home page, which still shows three.
  await data.from('projects').update({ status: 'archived' }).eq('id', ids[1]);
  await expect.poll(shown).toEqual([titles[0], titles[3], titles[2]]);
  await page.goto('/admin/log?what=projects.feature');
  await page.getByText(`chose the projects on the home page: “${titles[1]}”`).first().waitFor();
  expect(await visualFaults(home)).toEqual([]);
});

it('an admin corrects the category and tags of a submission in the review queue, on a phone too, and versions and log record it (D7)', async () => {
  const id = await draft('A comb for cacti', { account: member });
  const desk = await openAsAdmin(`/admin/review/${id}`, PHONE);
  await desk.getByRole('button', { name: 'Correct category and tags' }).click();
  await desk.getByLabel('Category').selectOption('strategy');
  await desk.getByLabel('Tags').fill('cactus');
  await look(desk);
  await desk.getByRole('button', { name: 'Save category and tags' }).click();
  await desk.getByText('Category and tags of “A comb for cacti” are saved.').waitFor();
  await desk.getByText('Strategy & Consulting').waitFor();
  await expect.poll(() => desk.evaluate(() => document.activeElement?.textContent)).toBe('Correct category and tags');

  await desk.goto(`/admin/projects/${id}`);
  await desk.getByRole('region', { name: 'Versions' }).getByText('Category, Tags').first().waitFor();
  await desk.goto('/admin/log');
  const changed = desk.getByText('changed texts, category or tags of “A comb for cacti”');
  await changed.or(desk.getByText('added texts, category or tags to “A comb for cacti”')).first().waitFor();
  // An answer refers to the version that was read; the correction does not block it.
  await desk.goto(`/admin/review/${id}`);
  await answerReview(desk, 'publish');
  await desk.getByText('“A comb for cacti” is published.').waitFor();
});

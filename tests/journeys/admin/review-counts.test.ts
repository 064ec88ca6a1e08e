import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { needs } from '../../../app/features/dashboard/words/dashboard.ts';
import { reviewWords } from '../../../app/features/reviews/words/review.ts';
import { newId, newSecret } from '../../../app/lib/data/ids.ts';
import { wholeDays } from '../../../app/ui/time.tsx';
import { DESKTOP, expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { chooseInRow, draft, file } from '../experiments.ts';
import { openAsAdmin } from '../hands.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const { admin, member } = inject('accounts');

const numberIn = (text: string | null) => Number(/\d+/.exec(text ?? '')?.[0] ?? 0);

/** An unfinished submission that has arrived: answered and reopened, so that the test does not wait two hours. */
async function unfinished(title: string): Promise<string> {
  const id = await draft(title, { account: member });
  const data = await dataAs(admin);
  for (const p_answer of ['decline', 'reopen']) {
    const { data: p_seen } = await data.rpc('review_version', { p_project: id }).throwOnError();
    const rest = { p_words: 'Wait.', p_mail: false, p_seen };
    await data.rpc('answer_review', { p_project: id, p_answer, ...rest }).throwOnError();
  }
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
  // A new title, so that a retry starts fresh.
  const lamp = `A lamp of ${newId().slice(0, 8)}`;
  const data = await dataAs(admin);
  // Neither is waiting: a draft of an admin, and one whose submitter is still filling in the form.
  await data
    .from('projects')
    .insert({ title: `${lamp} by an admin` })
    .throwOnError();
  await draft(`${lamp} begun just now`, { secret: newSecret() });
  await file(admin, await draft(`${lamp} submitted`, { account: member }), { category: 'other' });
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
  expect(await page.getByRole('link', { name: `${lamp} by an admin`, exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: `${lamp} submitted`, exact: true }).waitFor();
  const notFinished = await chip(page, 'Not finished');
  expect(notFinished.counted).toBe(notFinished.listed);
  await page.getByRole('link', { name: `${lamp} never finished`, exact: true }).waitFor();
  expect(await page.getByRole('link', { name: `${lamp} begun just now`, exact: true }).count()).toBe(0);

  await page.goto('/admin/review?show=waiting');
  await page.locator('.review-rows').waitFor();
  const filter = (name: string) => page.locator('.table-tools').getByRole('button', { name });
  expect(numberIn(await filter(reviewWords.states.waiting).textContent())).toBe(dashboard);
  expect(numberIn(await page.locator('p[aria-live=polite]').last().textContent())).toBe(dashboard);
  expect(numberIn(await filter(reviewWords.states.unfinished).textContent())).toBe(notFinished.listed);
  expectQuiet(page);

  // Publishing in another browser changes all counts.
  await page.goto(`/admin/case-studies?review=waiting&search=${encodeURIComponent(lamp)}`);
  await chooseInRow(page, `${lamp} submitted`, 'Publish');
  await page.getByText(`“${lamp} submitted” is published.`).waitFor();
  await expect.poll(sidebar).toBe(dashboard - 1);
  await expect
    .poll(async () => numberIn(await page.getByRole('button', { name: 'Needs review' }).textContent()))
    .toBe(dashboard - 1);
});

it('incomplete submissions have a filter and a link to email their author (M6, U18)', async () => {
  await unfinished('A bell that stopped');
  const page = await openAsAdmin('/admin/review', DESKTOP);
  expect(await page.locator('.table-tools').getByRole('button').first().innerText()).toMatch(/^Open/);
  await page.locator('.table-tools').getByRole('button', { name: 'Not finished' }).click();
  await page.locator('.review-rows').getByRole('link', { name: 'A bell that stopped' }).click();
  await page.getByText(reviewWords.incomplete).waitFor();
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    expect(await page.getByRole('link', { name: reviewWords.writeTo(member.email) }).getAttribute('href')).toBe(
      `mailto:${encodeURIComponent(member.email)}?subject=A%20bell%20that%20stopped`,
    );
    expect(await visualFaults(page)).toEqual([]);
  }
  await expectAccessible(page);
  expectQuiet(page);
  const anonymous = await draft('A bell without a ringer', { secret: newSecret() });
  await page.goto(`/admin/review/${anonymous}`);
  await page.getByText(reviewWords.nobodyToWrite).first().waitFor();
});

it('an empty review queue shows no zero, no key hints and no dead link (U17)', async () => {
  const page = await openPage(browser, DESKTOP);
  await page.route('**/rest/v1/rpc/count_reviews*', (route) => route.fulfill({ json: { reviews: 0, exact: true } }));
  await page.route('**/rest/v1/reviews?*', (route) => route.fulfill({ json: [] }));
  await page.route('**/rest/v1/rpc/find_projects*', (route) => route.fulfill({ json: [] }));
  await page.route('**/rest/v1/rpc/count_projects?*', (route) =>
    route.fulfill({ json: [{ projects: 0, exact: true }] }),
  );
  await page.route('**/rest/v1/contact_messages?*', (route) =>
    route.fulfill({ json: [], headers: { 'content-range': '*/0' } }),
  );
  await enterAdmin(page, admin);
  await page.getByRole('link', { name: needs.seeChecks }).waitFor();
  for (const name of [needs.review, needs.readMessages])
    expect(await page.getByRole('main').getByRole('link', { name }).count()).toBe(0);

  await page.goto('/admin/review');
  await page.getByText(reviewWords.none).waitFor();
  expect(await page.locator('.review').innerText()).not.toMatch(/\d|Enter/);
  await expectAccessible(page);

  await page.goto('/admin/case-studies?search=nothing');
  await page.getByText('No experiments match.').waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/\b0\b/);
  await expectAccessible(page);
});

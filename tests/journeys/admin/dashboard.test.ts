import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { needs } from '../../../app/features/dashboard/words/dashboard.ts';
import { DESKTOP, expectAccessible, PHONE } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { startServerOnPostgres } from '../../server.ts';
import { CONTACTS } from '../experiments.ts';
import { mockError, requestsOf } from '../hands.ts';
import { admin, openPage, startSeeded } from '../seeded.ts';
import { createFirstAdmin, dataAs, dataWith, enterAdmin, keepSession, sessionOf } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded({ readOnly: true });

const first = { email: 'first@madhouse.example', password: 'plates-in-register-7' };
const second = { email: 'second@madhouse.example', password: 'plates-in-register-8' };

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rowsOf = (page: Page, name: string) =>
  panel(page, name)
    .locator('.need')
    .evaluateAll((rows) =>
      rows.map((row) => [row.querySelector('strong')!.textContent, row.querySelector('a')?.getAttribute('href')]),
    );

it('dashboard of a new installation shows the first steps until an experiment is published, then only what needs the admin', async () => {
  const server = await startServerOnPostgres({ SEED: 'none', TRUST_PROXY: '1' });
  onTestFinished(async () => void (await server.stop()));
  await createFirstAdmin(server, first);
  const data = await dataAs(first, server);
  const page = await openPage(DESKTOP, server.base);
  await keepSession(page, first, server);
  await page.goto('/admin');
  const steps = panel(page, 'Getting started');
  await steps.getByText('0 of 4 done').waitFor();
  expect(await rowsOf(page, 'Getting started')).toEqual([
    ['To do: Replace the example contact details', '/admin/settings'],
    ['To do: Set up mail', '/admin-help?tab=troubleshoot'],
    ['To do: Publish the first experiment', '/admin/projects/new'],
    ['To do: Invite a colleague and make them an admin', '/admin/users'],
  ]);
  // First steps are not repeated among the needs, and there is no data for the charts.
  for (const name of ['Needs you', 'New experiments']) expect(await panel(page, name).count(), name).toBe(0);
  await page.getByText('No experiments found.', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize(PHONE.viewport);
  expect(await visualFaults(page)).toEqual([]);
  await page.setViewportSize(DESKTOP.viewport);

  const contacts = Object.entries(CONTACTS).map(([name, value]) => ({ name, value }));
  await data.from('site_settings').insert(contacts).throwOnError();
  await clientOf(server).createUser(second);
  await data.rpc('assign_admin_role', { admin_email: second.email }).throwOnError();
  await page.reload();
  await steps.getByText('2 of 4 done').waitFor();
  expect((await rowsOf(page, 'Getting started')).map(([title, to]) => [title!.split(':')[0], to ?? null])).toEqual([
    ['Done', null],
    ['To do', '/admin-help?tab=troubleshoot'],
    ['To do', '/admin/projects/new'],
    ['Done', null],
  ]);

  // A draft does not count as the first experiment.
  const { data: project } = await data.from('projects').insert({ title: 'First' }).select('id').single().throwOnError();
  await page.reload();
  await panel(page, 'All Projects').getByText('First').waitFor();
  await steps.getByText('2 of 4 done').waitFor();
  await data.from('projects').update({ status: 'active' }).eq('id', project.id).throwOnError();
  await page.reload();
  await panel(page, 'Needs you').getByText('Mail needs attention').waitFor();
  expect(await steps.count()).toBe(0);
  const mailRow = ['Mail needs attention', '/admin-help?tab=troubleshoot'];
  await expect.poll(() => rowsOf(page, 'Needs you')).toEqual([mailRow]);

  // As with a mail server.
  await page.route('**/functions/v1/check-health', async (route) => {
    const response = await route.fetch();
    const health = (await response.json()) as { checks: { name: string }[] };
    await route.fulfill({ response, json: { ...health, checks: health.checks.filter(({ name }) => name !== 'mail') } });
  });
  await page.reload();
  await panel(page, 'Needs you').getByText('Nothing needs you right now.', { exact: true }).waitFor();
  expect(await rowsOf(page, 'Needs you')).toEqual([]);

  const message = { p_name: 'Asha', p_email: 'asha@example.com', p_message: 'Could you call me back about a film?' };
  await dataWith({}, server).rpc('send_message', message).throwOnError();
  const draft = { title: 'Waiting', description: '<p>Read me.</p>', client: null, status: 'draft', submitter_id: null };
  const { user } = await sessionOf(first, server);
  await data.from('user_roles').delete().neq('user_id', user.id).throwOnError();
  const own = await dataAs(second, server);
  const { data: id } = await own.rpc('create_case_study', draft).throwOnError();
  await own.from('case_study_metadata').insert({ project_id: id, category: 'other' }).throwOnError();
  await page.reload();
  await panel(page, 'Needs you').getByText(needs.waiting('1', 0), { exact: true }).waitFor();
  await expect
    .poll(() => rowsOf(page, 'Needs you'))
    .toEqual([
      [needs.waiting('1', 0), '/admin/review'],
      [needs.messages(1), '/admin/messages'],
    ]);

  await data.from('contact_messages').update({ handled: true }).eq('handled', false).throwOnError();
  const { data: seen } = await data.rpc('review_version', { p_project: id }).throwOnError();
  const answer = { p_project: id, p_answer: 'publish', p_words: null, p_mail: false, p_seen: seen };
  await data.rpc('answer_review', answer).throwOnError();
  await page.reload();
  await panel(page, 'Needs you').getByText('Nothing needs you right now.', { exact: true }).waitFor();
});

it('dashboard makes a bounded number of requests, reports a failed one and loads again, and has a chart with a labelled scale that shows the value of a bar on hover and with the arrow keys', async () => {
  const page = await openPage();
  const sent = requestsOf(page, (request) => /\/(rest|functions|auth)\/v1\//.test(request.url()));
  await enterAdmin(page, admin);
  await panel(page, 'Needs you').getByRole('link', { name: needs.seeChecks }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(10);

  await mockError(page, '**/rest/v1/rpc/count_reviews*', 500, '');
  await page.reload();
  const list = panel(page, 'Needs you');
  await list.getByText('Some checks failed to load.').waitFor();
  expect(await list.getByText('Nothing needs you right now.').count()).toBe(0);
  await page.unroute('**/rest/v1/rpc/count_reviews*');
  await list.getByRole('button', { name: 'Try Again' }).click();
  await list.getByText('Some checks failed to load.').waitFor({ state: 'detached' });
  await list.getByRole('link', { name: 'Review now' }).waitFor();

  const chart = panel(page, 'New experiments').getByRole('figure', { name: 'New experiments by week' });
  const lines = chart.locator('tbody tr');
  await lines.first().waitFor({ state: 'attached' });
  const weeks = await lines.evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.textContent!)),
  );
  const most = Math.max(...weeks.map(([, count]) => Number(count)));
  const axis = (await chart.locator('.bars-axis span').allTextContents()).map(Number);
  expect(axis[0]).toBeGreaterThanOrEqual(most);
  expect(axis).toEqual([axis[0], axis[0]! / 2, 0]);
  expect(await chart.locator('.bars-ends span').allTextContents()).toEqual([weeks[0]![0], weeks.at(-1)![0]]);

  const shown = chart.locator('figcaption .amount');
  const all = await shown.textContent();
  expect(all).toMatch(/ in all$/);
  const plot = chart.locator('.bars-plot');
  await plot.scrollIntoViewIfNeeded();
  await plot.hover({ position: { x: 4, y: 20 } });
  await expect.poll(() => shown.textContent()).toBe(weeks[0]!.join(': '));
  await page.mouse.move(0, 0);
  await expect.poll(() => shown.textContent()).toBe(all);

  const slider = chart.getByRole('slider', { name: 'New experiments by week' });
  await slider.focus();
  expect(await shown.textContent()).toBe(weeks.at(-1)!.join(': '));
  await page.keyboard.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuetext')).toBe(weeks.at(-2)!.join(': '));
  expect(await shown.textContent()).toBe(weeks.at(-2)!.join(': '));
  await page.keyboard.press('Home');
  expect(await shown.textContent()).toBe(weeks[0]!.join(': '));
});

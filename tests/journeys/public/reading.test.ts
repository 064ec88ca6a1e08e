import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findPageViews } from '../../../app/features/dashboard/model/page-views.ts';
import { counting } from '../../../app/lib/words/counting.ts';
import { expectAccessible } from '../../browser.ts';
import { publish } from '../experiments.ts';
import { openAsAdmin } from '../hands.ts';
import { admin, openPage, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

async function countReading(value: boolean): Promise<void> {
  await (await dataAs(admin)).from('site_settings').upsert({ name: 'analytics', value }).throwOnError();
}
const report = async () => findPageViews(await dataAs(admin), 30);
const visitsOf = async (page: string) => (await report()).pages.find((one) => one.page === page)?.visits ?? 0;

/** A page that stores its beacons: those sent on unload are not observable from outside. */
async function openNoting() {
  const page = await openPage();
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = (input, init) => {
      if (String(input).endsWith('/rpc/record_reading')) {
        const sent = JSON.parse(sessionStorage.getItem('sent') ?? '[]');
        sessionStorage.setItem('sent', JSON.stringify([...sent, JSON.parse(String(init?.body))]));
      }
      return send(input, init);
    };
  });
  return page;
}
const sentBy = (page: Page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('sent') ?? '[]') as unknown[]);

/** Reads a page to its end and opens the next. */
async function readAndLeave(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      scrollTo(0, y);
      // The first frame scrolls, the second detects what is in view.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  });
  await page.goto('/icon.svg');
}

it('nothing is sent while counting is off, nor for visitors who opt out (CONST-21)', async () => {
  await countReading(false);
  const before = await visitsOf('/about');
  const page = await openNoting();
  const depths: string[] = [];
  page.on('console', (message) => message.text().startsWith('Scroll depth') && depths.push(message.text()));
  await readAndLeave(page, '/about');
  expect(depths).toEqual([25, 50, 75, 90].map((depth) => `Scroll depth: ${depth}%`));
  expect(await sentBy(page)).toEqual([]);
  await countReading(true);
  for (const wish of ['doNotTrack', 'globalPrivacyControl']) {
    const asking = await openNoting();
    await asking.addInitScript(
      (name) => Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true }),
      wish,
    );
    await readAndLeave(asking, '/about');
    expect(await sentBy(asking), wish).toEqual([]);
  }
  expect(await visitsOf('/about')).toBe(before);
  // A beacon could have been sent by now.
  const counted = await openNoting();
  await readAndLeave(counted, '/about');
  await expect.poll(() => sentBy(counted)).toHaveLength(1);
  await expect.poll(() => visitsOf('/about')).toBe(before + 1);
});

it('leaving a page counts it once with its scroll depth, and the dashboard shows it', async () => {
  await countReading(true);
  const title = `Read to its end ${Date.now()}`;
  const id = await publish({ title });
  const before = await visitsOf('/privacy');
  const page = await openNoting();
  await readAndLeave(page, '/privacy');
  await expect.poll(() => visitsOf('/privacy')).toBe(before + 1);
  const marks = ['visit', 'depth:25', 'depth:50', 'depth:75', 'depth:90', 'section:writing-to-us'];
  expect(await sentBy(page)).toEqual([{ p_page: '/privacy', p_marks: expect.arrayContaining(marks) }]);
  for (let visit = 1; visit <= 2; visit++) {
    await readAndLeave(page, `/case-studies/${id}`);
    await expect.poll(() => visitsOf(`/case-studies/${id}`)).toBe(visit);
  }
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);

  const desk = await openAsAdmin();
  const panel = desk.getByRole('region', { name: counting.title, exact: true });
  const all = (await report()).days.at(-1)!.visits;
  expect(all).toBeGreaterThanOrEqual(3);
  expect(await panel.getByRole('img').getAttribute('aria-label')).toContain(`${all} in all`);
  expect(await panel.getByRole('listitem').filter({ hasText: title }).innerText()).toMatch(/2$/);
  expect(await panel.getByRole('listitem').filter({ hasText: '90% of the page' }).innerText()).toContain('100%');
  await panel.getByText(counting.asTable).click();
  expect(await panel.getByRole('row').count()).toBe(31);
  expect(await panel.getByRole('row').last().innerText()).toMatch(new RegExp(`\\t${all}$`));
  await expectAccessible(desk);

  await countReading(false);
  await desk.reload();
  await panel.getByText(counting.off).waitFor();
  expect(await panel.getByRole('link', { name: counting.switchOn }).getAttribute('href')).toBe('/admin/settings');
});

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { hold, PHONE, SCRIPTLESS } from '../../browser.ts';
import { addMedia, draft, exists, expectAsksToDelete, file, publish, publishOf } from '../experiments.ts';
import { mockError, mockResponse, openSignedIn, requestsOf } from '../hands.ts';
import { admin, creator, htmlOf, openAt, seeded, startSeeded } from '../seeded.ts';
import { dataAs, keepSession } from '../signing-in.ts';

startSeeded();

const cardTitled = (page: Page, title: string) => page.locator('.cards > li', { hasText: title });
const titles = (page: Page) => page.locator('.cards h2').allInnerTexts();

it('experiment list is complete without a script, also with an empty category (ROUTE-04, LIST-01, LIST-02, LIST-03, LIST-06, LIST-07, LIST-08, LIST-09, LIST-32, STATE-08)', async () => {
  const page = await openAt('/case-studies', SCRIPTLESS);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/Mad\s+Experiments/);
  expect(await page.getByRole('link', { name: 'Add Experiment' }).getAttribute('href')).toBe('/case-study-upload');
  const chips = await page.getByRole('navigation', { name: 'Categories' }).getByRole('link').allInnerTexts();
  const all = ['All', 'Branding', 'Video Production', 'AI Solutions', 'Social Media', 'Strategy & Consulting'];
  expect(chips.map((chip) => chip.replace(/\s+\d+$/, ''))).toEqual(all);
  const cards = await page.locator('.cards > li').count();
  expect(cards).toBeGreaterThan(5);
  expect(chips[0]!.split(/\s+/)).toEqual(['All', String(cards)]);
  expect(await page.locator('.list-result').innerText()).toBe(`${cards} experiments`);
  expect(await page.getByRole('link', { name: 'Start Your Project' }).getAttribute('href')).toBe('/#contact');

  await page.goto('/case-studies?category=other');
  expect(await page.getByText('No experiments found. Be the first to add one!').isVisible()).toBe(true);
  for (const [name, href] of [
    ['Submit an Experiment', '/case-study-upload'],
    ['Show all experiments', '/case-studies'],
  ] as const)
    expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(href);
  expect(await page.getByRole('link', { name: 'Start Your Project' }).count()).toBe(0);
});

it('experiment list is ordered by creation date, whatever was changed since, and shows client, category and budget, but no draft or archived experiment (LIST-10, LIST-11, LIST-12, LIST-13, LIST-16, LIST-17, LIST-29, LIST-33)', async () => {
  await draft('Draft that is hidden', { account: creator });
  await publish({ title: 'Archived and out of the list', status: 'archived' });
  const title = `Parrot Post ${Date.now()}`;
  const id = await publish({ title, client: null, status: 'completed', budget: 0 });
  const data = await dataAs(admin);
  const shown = data.from('projects').select('id,title').in('status', ['active', 'completed']);
  const top = shown.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(24);
  const { data: rows } = await top.overrideTypes<{ id: string; title: string }[], { merge: false }>().throwOnError();
  await data.from('projects').update({ client: 'Changed today' }).eq('id', rows.at(-1)!.id).throwOnError();
  const page = await openAt('/case-studies');
  expect(await titles(page)).toEqual(rows.map((row) => `Project: ${row.title}`));
  expect(await page.locator('main').innerText()).not.toMatch(/Draft that is hidden|Archived and out of the list/);
  const first = page.locator('.cards > li').first();
  expect(await first.locator('h2').innerText()).toBe(`Project: ${title}`);
  const text = await first.innerText();
  expect(text).toContain('Client confidential');
  expect(text).toContain('Budget: $0');
  expect(await first.locator('.badge').innerText()).toBe('completed');
  expect(await first.locator('img').getAttribute('src')).toBe('/house-cover.svg');
  const path = `/case-studies/${id}/${title.toLowerCase().replaceAll(' ', '-')}`;
  expect(await first.getByRole('link').getAttribute('href')).toBe(path);
  expect(await page.locator('.cards').evaluate((cards) => getComputedStyle(cards).display)).toBe('grid');
});

it('experiment list filters by a category chip, also when it is clicked twice, and shows a labelled spinner while the next list loads (LIST-04, LIST-30, LIST-31, STATE-08)', async () => {
  await publish({ title: 'A BRAND new parrot' });
  await file(await publish({ title: 'An unrelated parrot' }), { category: 'social' });
  const page = await openAt('/case-studies');
  const all = await titles(page);
  expect(all).toEqual(expect.arrayContaining(['Project: A BRAND new parrot', 'Project: An unrelated parrot']));
  await page.getByRole('link', { name: 'Branding' }).click();
  await page.waitForURL('**/case-studies?category=branding');
  const once = await titles(page);
  expect(once).toContain('Project: A BRAND new parrot');
  expect(once).not.toContain('Project: An unrelated parrot');
  for (const slip of await page.locator('.cards > li').allInnerTexts()) expect(slip).toMatch(/branding|brand/i);
  await page.reload();
  expect(await titles(page)).toEqual(once);
  const chosen = await page.locator('[aria-label=Categories] [aria-current]').innerText();
  expect(chosen.split(/\s+/)).toEqual(['Branding', String(once.length)]);
  expect(await page.locator('.list-result').innerText()).toBe(`${once.length} experiments in Branding`);
  await page.getByRole('link', { name: /^All/ }).click();
  await page.waitForURL('**/case-studies');
  expect(await titles(page)).toEqual(all);

  const spinner = page.getByText('Loading experiments');
  expect(await spinner.isVisible()).toBe(false);
  // A response without content (204) keeps the browser on the page, in its loading state.
  await page.route('**/case-studies?category=video', (route) => route.fulfill({ status: 204 }));
  await page.getByRole('link', { name: 'Video Production' }).click();
  await spinner.waitFor({ state: 'visible' });
  expect(await page.getByRole('status').innerText()).toContain('Loading experiments');
  expect(await page.locator('.cards').isVisible()).toBe(false);
});

it('deleting from the list is offered to creators for their own experiments, and to no guest (LIST-20)', async () => {
  const [own, other] = [`The creator’s ${Date.now()}`, `Only the admin’s ${Date.now()}`];
  await publishOf(creator, own);
  await publish({ title: other });
  const page = await openAt('/case-studies');
  expect(await page.locator('.cards .delete-button').count()).toBe(0);
  await keepSession(page, creator);
  await page.reload();
  // The buttons are rendered with the list.
  await page.locator('.account-menu').waitFor();
  const buttonsOn = (title: string) => cardTitled(page, title).locator('.delete-button').count();
  expect([await buttonsOn(own), await buttonsOn(other)]).toEqual([1, 0]);
});

it('deleting from the list asks admins for confirmation, shows the reason for a failure, runs once, and removes the card (LIST-20, LIST-21, LIST-22, LIST-23, LIST-24, LIST-25, LIST-26, LIST-27, LIST-28)', async () => {
  const [title, other] = [`Hard to delete ${Date.now()}`, `But not this one ${Date.now()}`];
  const [id, kept] = [await publish({ title }), await publish({ title: other })];
  const page = await openSignedIn(admin, '/case-studies', PHONE);
  await page.locator('.account-menu').waitFor({ state: 'attached' });
  expect(await page.locator('.cards .delete-button').count()).toBe(await page.locator('.cards > li').count());
  // The dialog for another choice is not mixed up with this one.
  await expectAsksToDelete(page, cardTitled(page, other).getByRole('button'));
  const button = cardTitled(page, title).getByRole('button');
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete Permanently' });
  const deletes = requestsOf(page, (request) => request.method() === 'DELETE');
  const address = '**/rest/v1/projects?**';
  await mockError(page, address, 500, 'the press is jammed', { method: 'DELETE' });
  await button.click();
  await confirm.click();
  const box = dialog.getByRole('alert');
  expect(await box.innerText()).toContain('API Error: the press is jammed');
  // Also for the box of the list, which has the same colours: red on pale red.
  const { color, backgroundColor } = await box.evaluate((element) => ({ ...getComputedStyle(element) }));
  for (const paint of [color, backgroundColor]) {
    const [red, green, blue] = paint!.match(/\d+/g)!.map(Number);
    expect(red! - Math.max(green!, blue!), paint).toBeGreaterThan(20);
  }
  await mockResponse(page, address, { json: [] }, 'DELETE');
  await confirm.click();
  await dialog.getByText('Failed to delete experiment').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect([await cardTitled(page, title).isVisible(), await exists(id)]).toEqual([true, true]);

  // An earlier error is not shown after another choice.
  await button.click();
  expect(await dialog.getByRole('alert').count()).toBe(0);
  await page.unroute(address);
  deletes.length = 0;
  const letGo = await hold(page, address);
  await confirm.click();
  const busy = dialog.getByRole('button', { name: 'Deleting...' });
  await busy.click({ force: true });
  await page.keyboard.press('Escape');
  expect(await busy.isDisabled()).toBe(true);
  letGo();
  await dialog.waitFor({ state: 'hidden' });
  await cardTitled(page, title).waitFor({ state: 'detached' });
  expect(deletes).toHaveLength(1);
  expect([await exists(id), await exists(kept)]).toEqual([false, true]);
  expect(await cardTitled(page, other).isVisible()).toBe(true);
});

it('is at most 6,500 px high on a phone with 13 experiments, and splits no word of a title', async () => {
  const page = await openAt('/case-studies', PHONE);
  const { height, broken } = await page.locator('.cards').evaluate((list) => {
    const others = document.documentElement.scrollHeight - list.getBoundingClientRect().height;
    const demo = [...list.children].filter((card) => card.querySelector('a[href*="/e0000000-"]'));
    const heights = demo.map(
      (card) => card.getBoundingClientRect().height + Number.parseFloat(getComputedStyle(list).rowGap),
    );
    const isBroken = (text: Text, start: number, end: number) => {
      const word = document.createRange();
      word.setStart(text, start);
      word.setEnd(text, end);
      return word.getClientRects().length > 1;
    };
    return {
      height: others + (13 * heights.reduce((sum, each) => sum + each, 0)) / heights.length,
      broken: demo.flatMap((card) => {
        const text = card.querySelector('h2 a')!.firstChild as Text;
        return [...text.data.matchAll(/[^\s-]+/g)]
          .filter(({ index, 0: word }) => isBroken(text, index, index + word.length))
          .map(([word]) => word);
      }),
    };
  });
  expect(height).toBeLessThanOrEqual(6_500);
  expect(broken).toEqual([]);
});

it('sends 24 cards in at most 13 kB including styles, 28.5 kB of HTML without them, and no embedded data', async () => {
  const words = 'Hands and machines share one sheet of paper, and what they print on it belongs to both of them. ';
  const projects = Array.from({ length: 24 }, (_, n) => ({
    title: `Experiment of a decent length ${n}`,
    client: 'A client with a name',
    description: `<p>${words.repeat(4)} The part that no card shows.</p>`,
    budget: 25000,
    status: 'active',
  }));
  const { data: made } = await (await dataAs(admin)).from('projects').insert(projects).select('id').throwOnError();
  const urlOf = (id: string) => `${seeded.base}/storage/v1/object/public/case-studies/images/${id}.webp`;
  await addMedia(made.map(({ id }) => ({ project_id: id, type: 'image', url: urlOf(id), order: 0 })));
  const answer = await fetch(`${seeded.base}/case-studies`, { headers: { 'accept-encoding': 'br' } });
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(Number(answer.headers.get('content-length'))).toBeLessThanOrEqual(13_000);
  const html = (await answer.text()).replace(/<style>.*?<\/style>/s, '');
  expect(html.match(/<li><img[^>]* srcSet=/g)?.length).toBe(24);
  expect(html).toContain('Load more');
  expect(html.length).toBeLessThanOrEqual(28_500);
  expect(html).not.toContain('The part that no card shows');
});

it('About page shows figures computed from the portfolio (ABOUT-04)', async () => {
  const counted = async () => {
    const [, count] =
      /amount">([\d,]+)<\/strong> (?:<!-- -->)?Mad Experiments published/.exec(await htmlOf('/about')) ?? [];
    return Number(count);
  };
  const before = await counted();
  expect(before).toBeGreaterThan(5);
  await publish({ title: `One more to count ${Date.now()}` });
  expect(await counted()).toBe(before + 1);
  await publish({ title: `Not one to count ${Date.now()}`, status: 'archived' });
  expect(await counted()).toBe(before + 1);
});

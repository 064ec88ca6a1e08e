import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { DESKTOP, expectQuiet, hold, PHONE } from '../../browser.ts';
import { addMedia, draft, exists, expectAsksToDelete, file, publish, publishOf, signIn } from '../experiments.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

const { admin, creator, member } = inject('accounts');

const cardTitled = (page: Page, title: string) => page.locator('.cards > li', { hasText: title });
const titles = (page: Page) => page.locator('.cards h2').allInnerTexts();

describe('experiment list', () => {
  it('is complete without a script (ROUTE-04, LIST-01, LIST-02, LIST-03, LIST-06, LIST-09, STATE-08)', async () => {
    const page = await openPage(browser, { ...PHONE, javaScriptEnabled: false });
    await page.goto('/case-studies');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/Mad\s+Experiments/);
    expect(await page.getByRole('link', { name: 'Add Experiment' }).getAttribute('href')).toBe('/case-study-upload');
    const chips = await page.getByRole('navigation', { name: 'Categories' }).getByRole('link').allInnerTexts();
    expect(chips.map((chip) => chip.replace(/\s+\d+$/, ''))).toEqual([
      'All',
      'Branding',
      'Video Production',
      'AI Solutions',
      'Social Media',
      'Strategy & Consulting',
    ]);
    const cards = await page.locator('.cards > li').count();
    expect(cards).toBeGreaterThan(5);
    expect(chips[0]!.split(/\s+/)).toEqual(['All', String(cards)]);
    expect(await page.locator('.list-result').innerText()).toBe(`${cards} experiments`);
    expect(await page.getByRole('link', { name: 'Start Your Project' }).getAttribute('href')).toBe('/#contact');
  });

  it('shows a new experiment first, with its client, category and budget (LIST-10, LIST-11, LIST-12, LIST-13, LIST-16, LIST-17)', async () => {
    const title = `Parrot Post ${Date.now()}`;
    const id = await publish(admin, { title, client: null, status: 'completed', budget: 0 });
    const page = await openPage(browser);
    await page.goto('/case-studies');
    const first = page.locator('.cards > li').first();
    expect(await first.locator('h2').innerText()).toBe(`Project: ${title}`);
    const text = await first.innerText();
    expect(text).toContain('Client confidential');
    expect(text).toContain('Budget: $0');
    expect(await first.locator('.badge').innerText()).toBe('completed');
    expect(await first.locator('img').getAttribute('src')).toBe('/house-cover.svg');
    expect(await first.getByRole('link').getAttribute('href')).toBe(
      `/case-studies/${id}/${title.toLowerCase().replaceAll(' ', '-')}`,
    );
    expect(await page.locator('.cards').evaluate((cards) => getComputedStyle(cards).display)).toBe('grid');
    expectQuiet(page);
  });

  it('shows cover, client and text on each card, or a placeholder for a missing one (LIST-11, LIST-13, LIST-14, LIST-15, LIST-17, LIST-18, LIST-19)', async () => {
    const name = `Toucan & “Co.” ${Date.now()}`;
    const described = await publish(admin, {
      title: `${name} told`,
      client: 'Ghats Trust',
      description: `<p>Hands &amp; <em>machines</em> ${'x'.repeat(133)}</p>`,
      budget: 12500,
    });
    await publish(admin, { title: `${name} endless`, description: `<p>${'y'.repeat(151)}</p>`, budget: null });
    await publish(admin, { title: `${name} bare`, description: null });
    const picture = `${seeded.base}/work/chai-atlas.svg`;
    await addMedia(
      admin,
      [
        { type: 'video', url: `${seeded.base}/film.png` },
        { type: 'image', url: `${seeded.base}/about` },
        { type: 'image', url: picture },
        { type: 'image', url: `${seeded.base}/work/monsoon-radio.svg` },
      ].map((media, order) => ({ ...media, project_id: described, order })),
    );
    const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto('/case-studies');
    const linesOf = (which: string) => cardTitled(page, `${name} ${which}`).locator('p').allInnerTexts();
    const card = cardTitled(page, `${name} told`);
    expect.soft(await card.locator('img').getAttribute('src')).toBe(picture);
    expect
      .soft(await card.getByRole('link').getAttribute('href'))
      .toBe(`/case-studies/${described}/toucan-co-${name.split(' ').at(-1)}-told`);
    const [, client, text, facts] = await linesOf('told');
    expect.soft([client, text]).toEqual(['Ghats Trust', `Hands & machines ${'x'.repeat(133)}`]);
    expect.soft(facts).toContain('Budget: $12,500');
    const [, , cut, unpriced] = await linesOf('endless');
    expect.soft(cut).toBe(`${'y'.repeat(147)}...`);
    expect.soft(unpriced).not.toMatch(/budget|\$/i);
    expect.soft((await linesOf('bare')).slice(1, 3)).toEqual(['Client confidential', 'No description available']);
  });

  it('is ordered by creation date, whatever was changed since (LIST-10)', async () => {
    const data = await dataAs(admin);
    const listed = async () => {
      const { data: rows } = await data
        .from('projects')
        .select('id,title')
        .in('status', ['active', 'completed'])
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(24)
        .overrideTypes<{ id: string; title: string }[], { merge: false }>();
      return rows!;
    };
    const last = (await listed()).at(-1)!;
    const { error } = await data.from('projects').update({ client: 'Changed today' }).eq('id', last.id);
    expect(error).toBeNull();
    const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto('/case-studies');
    expect(await titles(page)).toEqual((await listed()).map(({ title }) => `Project: ${title}`));
    expect((await titles(page)).at(-1)).toBe(`Project: ${last.title}`);
  });

  it('never shows a draft or an archived experiment (LIST-29, LIST-33)', async () => {
    await draft('Draft that is hidden', { account: creator });
    await publish(admin, { title: 'Archived and out of the list', status: 'archived' });
    const page = await openPage(browser);
    await page.goto('/case-studies');
    expect(await page.locator('main').innerText()).not.toMatch(/Draft that is hidden|Archived and out of the list/);
  });

  it('filters by a category chip, also when it is clicked twice (LIST-30, LIST-31)', async () => {
    await publish(admin, { title: 'A BRAND new parrot' });
    await file(admin, await publish(admin, { title: 'An unrelated parrot' }), { category: 'social' });
    const page = await openPage(browser);
    await page.goto('/case-studies');
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
    expect((await page.locator('[aria-label=Categories] [aria-current]').innerText()).split(/\s+/)).toEqual([
      'Branding',
      String(once.length),
    ]);
    expect(await page.locator('.list-result').innerText()).toBe(`${once.length} experiments in Branding`);
    await page.getByRole('link', { name: /^All/ }).click();
    await page.waitForURL('**/case-studies');
    expect(await titles(page)).toEqual(all);
  });

  it('shows an empty category with links to others (LIST-07, LIST-08, LIST-32, STATE-08)', async () => {
    const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto('/case-studies?category=other');
    expect(await page.getByText('No experiments found. Be the first to add one!').isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Submit an Experiment' }).getAttribute('href')).toBe(
      '/case-study-upload',
    );
    expect(await page.getByRole('link', { name: 'Show all experiments' }).getAttribute('href')).toBe('/case-studies');
    expect(await page.getByRole('link', { name: 'Start Your Project' }).count()).toBe(0);
  });

  it('shows a labelled spinner while the next list loads (LIST-04, STATE-08)', async () => {
    const page = await openPage(browser);
    await page.goto('/case-studies');
    const spinner = page.getByText('Loading experiments');
    expect(await spinner.isVisible()).toBe(false);
    // A response without content (204) keeps the browser on the page, in its loading state.
    await page.route('**/case-studies?category=video', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('link', { name: 'Video Production' }).click();
    await spinner.waitFor({ state: 'visible' });
    expect(await page.getByRole('status').innerText()).toContain('Loading experiments');
    expect(await page.locator('.cards').isVisible()).toBe(false);
  });
});

describe('deleting from the list', () => {
  it('is offered to admins for all experiments, to creators for their own, and to no other user (LIST-20)', async () => {
    const title = `Only the admin’s ${Date.now()}`;
    await publish(admin, { title });
    const own = `Also the creator’s ${Date.now()}`;
    await publishOf(creator, own);
    const buttonsFor = async (account?: typeof admin) => {
      const page = await openPage(browser);
      if (account) await signIn(page, account);
      await page.goto('/case-studies');
      // The buttons are rendered with the list.
      if (account) await page.locator('.account-menu').waitFor();
      const counts = {
        cards: await page.locator('.cards > li').count(),
        buttons: await page.locator('.cards .delete-button').count(),
        onIt: await cardTitled(page, title).locator('.delete-button').count(),
        onOwn: await cardTitled(page, own).locator('.delete-button').count(),
      };
      expectQuiet(page);
      await page.context().close();
      return counts;
    };
    expect(await buttonsFor()).toMatchObject({ buttons: 0 });
    const toAdmin = await buttonsFor(admin);
    expect(toAdmin.buttons).toBe(toAdmin.cards);
    expect(await buttonsFor(creator)).toMatchObject({ onIt: 0, onOwn: 1 });
    expect(await buttonsFor(member)).toMatchObject({ onIt: 0, onOwn: 0 });
  });

  it('asks for confirmation for the chosen experiment (LIST-21, LIST-22, LIST-23, LIST-26, LIST-28)', async () => {
    const title = `Keep this one ${Date.now()}`;
    const id = await publish(admin, { title });
    const other = `But not that one ${Date.now()}`;
    const another = await publish(admin, { title: other });
    const page = await openPage(browser, PHONE);
    await signIn(page, admin);
    await page.goto('/case-studies');
    await expectAsksToDelete(page, cardTitled(page, title).getByRole('button'));
    expect(await exists(admin, id)).toBe(true);
    // The message for another choice names only that one.
    await cardTitled(page, other).getByRole('button').click();
    expect(await page.locator('dialog[open]').count()).toBe(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Permanently' }).click();
    await cardTitled(page, other).waitFor({ state: 'detached' });
    expect([await exists(admin, id), await exists(admin, another)]).toEqual([true, false]);
    expect(await cardTitled(page, title).isVisible()).toBe(true);
  });

  it('shows “Deleting...”, runs once, closes, and removes the card from the list (LIST-24, LIST-25)', async () => {
    const title = `Gone for good ${Date.now()}`;
    const id = await publish(admin, { title });
    const page = await openPage(browser);
    await signIn(page, admin);
    let deletes = 0;
    page.on('request', (request) => {
      if (request.method() === 'DELETE') deletes += 1;
    });
    const letGo = await hold(page, '**/rest/v1/projects?**');
    await page.goto('/case-studies');
    await cardTitled(page, title).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    const busy = dialog.getByRole('button', { name: 'Deleting...' });
    await busy.waitFor();
    await busy.click({ force: true });
    await page.keyboard.press('Escape');
    expect(await busy.isDisabled()).toBe(true);
    letGo();
    await dialog.waitFor({ state: 'hidden' });
    await cardTitled(page, title).waitFor({ state: 'detached' });
    expect(deletes).toBe(1);
    expect(await exists(admin, id)).toBe(false);
    expectQuiet(page);
  });

  it('shows the reason for a failure, and keeps the experiment (LIST-27)', async () => {
    const title = `Hard to delete ${Date.now()}`;
    const id = await publish(admin, { title });
    const page = await openPage(browser);
    await signIn(page, admin);
    await page.route('**/rest/v1/projects?**', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 500, json: { message: 'the press is jammed', code: 'X' } })
        : route.continue(),
    );
    await page.goto('/case-studies');
    await cardTitled(page, title).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    const box = dialog.getByRole('alert');
    expect(await box.innerText()).toContain('API Error: the press is jammed');
    // Also for the box of the list, which has the same colours: red on pale red.
    const { color, backgroundColor } = await box.evaluate((element) => ({ ...getComputedStyle(element) }));
    for (const paint of [color, backgroundColor]) {
      const [red, green, blue] = paint!.match(/\d+/g)!.map(Number);
      expect(red! - Math.max(green!, blue!), paint).toBeGreaterThan(20);
    }
    await page.unroute('**/rest/v1/projects?**');
    await page.route('**/rest/v1/projects?**', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 200, json: [] }) : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
    await dialog.getByText('Failed to delete experiment').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await cardTitled(page, title).isVisible()).toBe(true);
    expect(await exists(admin, id)).toBe(true);
    // An earlier error is not shown after another choice.
    await cardTitled(page, title).getByRole('button').click();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });
});

it('is at most 6,500 px high on a phone with 13 experiments, and splits no word of a title', async () => {
  const page = await openPage(browser, PHONE);
  await page.goto('/case-studies');
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
  const covers: Record<string, unknown>[] = [];
  for (let n = 0; n < 24; n++) {
    const id = await publish(admin, {
      title: `Experiment of a decent length ${n}`,
      client: 'A client with a name',
      description: `<p>${words.repeat(4)} The part that no card shows.</p>`,
      budget: 25000,
    });
    const url = `${seeded.base}/storage/v1/object/public/case-studies/images/${id}.webp`;
    covers.push({ project_id: id, type: 'image', url, order: 0 });
  }
  await addMedia(admin, covers);
  const answer = await fetch(`${seeded.base}/case-studies`, { headers: { 'accept-encoding': 'br' } });
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(Number(answer.headers.get('content-length'))).toBeLessThanOrEqual(13_000);
  const html = (await answer.text()).replace(/<style>.*?<\/style>/s, '');
  expect(html.match(/<li><img[^>]* srcSet=/g)?.length).toBe(24);
  expect(html).toContain('Load more');
  expect(html.length).toBeLessThanOrEqual(28_500);
  expect(html).not.toContain('The part that no card shows');
});

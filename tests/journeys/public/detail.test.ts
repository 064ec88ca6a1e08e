import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { newSecret } from '../../../app/lib/data/ids.ts';
import { hold, mayComplain, SCRIPTLESS } from '../../browser.ts';
import { addMedia, draft, exists, expectAsksToDelete, publish, publishOf } from '../experiments.ts';
import { mockError, openSignedIn, requestsOf } from '../hands.ts';
import { creator, member, openAt, openPage, seeded, startSeeded } from '../seeded.ts';

startSeeded();

/** A complete experiment: three media, four texts, one of them with an injection. */
let id: string;
const TITLE = 'The Parrot, Unboxed & Untold';
const SLUG = 'the-parrot-unboxed-untold';

beforeAll(async () => {
  id = await publish({
    title: TITLE,
    client: 'Aviary Trust',
    budget: 48000,
    description: '<p>Teach a <strong>parrot</strong> to print.</p><p><img src="x" onerror="alert(1)"></p>',
    understanding:
      '<ul><li>Parrots bite</li></ul><iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ" title="A bite"></iframe>',
    actions: '<h2>We fed it ink</h2>',
    impact: '<p>It has a waiting list</p>',
  });
  const media = [
    { type: 'image', url: `${seeded.base}/house-cover.svg`, title: 'The parrot' },
    { type: 'video', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42', title: 'The film' },
    { type: 'demo', url: 'https://demo.example/parrot', title: null },
  ].map((one, order) => ({ ...one, project_id: id, order }));
  await addMedia(media);
});

it('experiment page has one address, and other addresses redirect to it without a history entry (ROUTE-05, DETAIL-02, DETAIL-03)', async () => {
  const page = await openPage();
  for (const path of [`/case-studies/${id}`, `/case-studies/${id}/wrong`]) {
    await page.goto('/case-studies');
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe(`/case-studies/${id}/${SLUG}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(TITLE);
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/case-studies');
  }
});

it('experiment page has four parts, the facts, and links onwards, also without a script (DETAIL-04, DETAIL-05, DETAIL-06, DETAIL-07, DETAIL-09)', async () => {
  const page = await openAt(`/case-studies/${id}/${SLUG}`, SCRIPTLESS);
  const parts = page.locator('.story-section');
  const titles = await parts.locator('h2').allInnerTexts();
  expect(titles).toEqual(['The Brief', 'Our Understanding', 'What We Did', 'The Impact']);
  for (const [part, words] of [
    ['The Brief', 'Teach a parrot to print.'],
    ['Our Understanding', 'Parrots bite'],
    ['What We Did', 'We fed it ink'],
    ['The Impact', 'It has a waiting list'],
  ] as const) {
    const section = parts.filter({ has: page.getByRole('heading', { name: part, exact: true }) });
    expect(await section.getByText(words).isVisible(), part).toBe(true);
  }
  expect(await page.locator('.prose strong').innerText()).toBe('parrot');
  expect(await page.locator('.prose li').innerText()).toBe('Parrots bite');
  expect(await page.locator('[onerror]').count()).toBe(0);
  expect(await page.locator('.facts').innerText()).toContain('$48,000');
  const more = page.getByRole('region', { name: 'Explore More' }).getByRole('link');
  const targets = await more.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(targets).toEqual(['/case-study-upload', '/case-studies', '/#contact']);
});

it('experiment page shows its media in order, and requests nothing from the video host before a click (DETAIL-08, DETAIL-16, ENT-12)', async () => {
  const page = mayComplain(await openPage());
  const foreign = requestsOf(page, (request) => request.url().startsWith('https:'));
  await page.route(/^https:/, (route) => route.abort());
  await page.goto(`/case-studies/${id}/${SLUG}`);
  const gallery = page.getByRole('region', { name: 'Project Gallery' });
  expect(await page.locator('.detail-cover img').getAttribute('src')).toContain('house-cover.svg');
  expect(await page.locator('.detail img[src*=house-cover]:not([alt=""])').count()).toBe(1);
  expect(await gallery.locator('figure').count()).toBe(2);
  const film = gallery.locator('figure').nth(0).getByRole('link', { name: /Play/ });
  const demo = gallery.locator('figure').nth(1).getByRole('link');
  expect(await demo.getAttribute('href')).toBe('https://demo.example/parrot');
  const playLink = page.locator('.prose').getByRole('link', { name: 'Play “A bite”' });
  for (const door of [playLink, film]) await door.scrollIntoViewIfNeeded();
  expect(foreign).toEqual([]);
  await film.click();
  const player = gallery.locator('iframe');
  const src = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&start=42';
  expect(await player.getAttribute('src')).toBe(src);
  expect(await player.getAttribute('title')).toBe('The film');
  await playLink.click();
  expect(await page.locator('.prose iframe').getAttribute('title')).toBe('A bite');
  const hostnames = () => foreign.map((url) => new URL(url).hostname);
  await expect.poll(hostnames).toEqual(['www.youtube-nocookie.com', 'www.youtube-nocookie.com']);
});

it('experiment page has no gallery for a single picture (DETAIL-08)', async () => {
  const lonely = await publish({ title: 'One picture' });
  await addMedia([{ type: 'image', url: `${seeded.base}/house-cover.svg`, project_id: lonely, order: 0 }]);
  const page = await openAt(`/case-studies/${lonely}`);
  expect(await page.getByText('Project Gallery').count()).toBe(0);
  expect(await page.getByText('This part is not written yet.').count()).toBe(3);
  expect(await page.locator('.section-index').count(), 'an index of a short page').toBe(0);
  await page.locator('.detail-cover a').click();
  const alone = page.getByRole('dialog', { name: 'Pictures of One picture' });
  await alone.getByRole('img', { name: 'One picture' }).waitFor();
  expect(await alone.getByRole('button').count()).toBe(1);
});

it('experiment page opens the share dialog of the device, or copies the address and says so (DETAIL-10, DETAIL-11)', async () => {
  const page = await openPage();
  await page.addInitScript(() => {
    Object.assign(navigator, { share: async (what: object) => Object.assign(window, { shared: what }) });
  });
  await page.goto(`/case-studies/${id}/${SLUG}`);
  await page.getByRole('button', { name: 'Share' }).click();
  expect(await page.evaluate(() => (window as { shared?: object }).shared)).toEqual({ title: TITLE, url: page.url() });
  // After a cancelled share nothing is copied, and no dialog is shown.
  const messages: string[] = [];
  page.on('dialog', (dialog) => {
    messages.push(dialog.message());
    void dialog.dismiss();
  });
  await page.evaluate(() => {
    Object.assign(navigator, { share: () => Promise.reject(new DOMException('Share canceled', 'AbortError')) });
  });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.evaluate(() => new Promise((settled) => setTimeout(settled)));
  expect(messages).toEqual([]);

  page.removeAllListeners('dialog');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => Object.assign(navigator, { share: undefined }));
  const alert = page.waitForEvent('dialog');
  await page.getByRole('button', { name: 'Share' }).click({ noWaitAfter: true });
  const dialog = await alert;
  expect(dialog.message()).toBe('URL copied to clipboard!');
  await dialog.accept();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

it('experiment page stays readable when archived, with a notice, and is not indexed (LIST-33)', async () => {
  const archived = await publish({ title: 'Old parrot', status: 'archived', end_date: '2026-03-31' });
  const page = await openPage();
  const answer = await page.goto(`/case-studies/${archived}`);
  expect(answer?.status()).toBe(200);
  expect(await page.getByText(/^Archived/).isVisible()).toBe(true);
  expect(await page.getByText(/^Until .*31/).count()).toBe(1);
  expect(await page.locator('.next').count()).toBe(0);
  expect(answer?.headers()['x-robots-tag']).toBe('noindex');
});

it('missing experiment shows a message with a link to the list (DETAIL-13, DETAIL-14)', async () => {
  const page = await openPage(SCRIPTLESS);
  for (const missing of [randomUUID(), 'nonsense', '%00', "1'--"]) {
    const answer = await page.goto(`/case-studies/${missing}`);
    expect(answer?.status(), missing).toBe(404);
    expect(await page.getByRole('heading', { name: 'Error Loading Experiment' }).isVisible()).toBe(true);
    expect(await page.getByText('Experiment not found').isVisible()).toBe(true);
  }
  await page.getByRole('link', { name: 'Back to Mad Experiments' }).click();
  await page.waitForURL('**/case-studies');
});

it('draft page opens by its secret link, keeps access after the secret leaves the address, and states that it is a draft (DETAIL-17, DETAIL-18)', async () => {
  const secret = newSecret();
  const mine = await draft('A guest’s draft', { secret });
  const page = await openPage();
  const answer = await page.goto(`/case-studies/${mine}?draft=${secret}`);
  expect(page.url()).toBe(`${seeded.base}/case-studies/${mine}/a-guests-draft`);
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' };
  expect(answer?.headers()).toMatchObject(headers);
  expect(await page.getByText('This is a draft awaiting review.').isVisible()).toBe(true);
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex');
  expect(await page.evaluate(() => document.cookie)).toBe('');
  await page.reload();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('A guest’s draft');
});

it('draft page responds to other visitors as for an unknown id (DETAIL-17)', async () => {
  const hidden = await draft('Not for you', { secret: newSecret() });
  const bodyOf = async (path: string) => {
    const answer = await fetch(seeded.base + path);
    return [answer.status, (await answer.text()).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')];
  };
  expect(await bodyOf(`/case-studies/${hidden}`)).toEqual(await bodyOf(`/case-studies/${randomUUID()}`));
  const page = await openAt(`/case-studies/${hidden}?draft=${newSecret()}`);
  expect(await page.getByText('Experiment not found').isVisible()).toBe(true);
  expect((await page.goto(`/case-studies/${hidden}?draft=short`))?.status()).toBe(400);
  // No part of the path is copied into a header.
  const injection = `${seeded.base}/case-studies/x%3B%20Domain%3Devil.example?draft=${newSecret()}`;
  const bent = await fetch(injection, { redirect: 'manual' });
  expect([bent.status, bent.headers.get('set-cookie')]).toEqual([400, null]);
});

it('draft page opens for its signed-in creator, and for no other user (DETAIL-17)', async () => {
  const own = await draft('A creator’s draft', { account: creator });
  const page = await openSignedIn(creator, '/about');
  const steps = await page.evaluate(() => history.length);
  await page.goto(`/case-studies/${own}`);
  await page.getByRole('heading', { name: 'A creator’s draft' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/case-studies/${own}/a-creators-draft`);
  expect(await page.evaluate(() => history.length), 'one step, not two').toBe(steps + 1);
  expect(await page.title()).toMatch(/^A creator’s draft \|/);
  expect(await page.getByText('This is a draft awaiting review.').isVisible()).toBe(true);
  await page.getByRole('button', { name: /Delete/ }).waitFor();
  const other = await openSignedIn(member, `/case-studies/${own}`);
  await other.locator('.account-menu').waitFor();
  expect(await other.getByText('Experiment not found').isVisible()).toBe(true);
});

it('its creator, and no other user, deletes an experiment once after a confirmation; Cancel and a failure keep it (DETAIL-12)', async () => {
  const doomed = await publishOf(creator, 'A parrot too far');
  const other = await openSignedIn(member, `/case-studies/${doomed}`);
  await other.locator('.account-menu').waitFor();
  expect(await other.getByRole('button', { name: /Delete/ }).count()).toBe(0);

  const page = await openSignedIn(creator, `/case-studies/${doomed}`);
  const button = page.getByRole('button', { name: /Delete/ });
  const dialog = page.getByRole('dialog');
  await expectAsksToDelete(page, button);
  expect(await exists(doomed)).toBe(true);

  await button.click();
  const deletes = requestsOf(page, (request) => request.url().includes('/rest/v1/projects?'));
  await mockError(page, '**/rest/v1/projects?**', 500, 'the press is jammed', { code: 'X' });
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
  await dialog.getByRole('alert').getByText('API Error: the press is jammed').waitFor();
  await page.unroute('**/rest/v1/projects?**');
  expect([deletes.length, await exists(doomed)]).toEqual([1, true]);
  const letGo = await hold(page, '**/rest/v1/projects?**');
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click();
  expect(await dialog.getByRole('button', { name: 'Deleting...' }).isDisabled()).toBe(true);
  letGo();
  await page.waitForURL('**/case-studies');
  expect(await exists(doomed)).toBe(false);
});

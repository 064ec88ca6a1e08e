import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { draftWords } from '../../../app/features/reviews/words/review.ts';
import { DESKTOP, expectAccessible, expectFocus, hold, mayComplain, PHONE, stopClock } from '../../browser.ts';
import { answerDraft } from '../experiments.ts';
import { mockResponse, requestsOf } from '../hands.ts';
import { admin, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';
import { isInFirstScreen, visualFaults } from '../visual-faults.ts';
import { resize, WIDTHS } from '../walk-screens.ts';
import {
  choose,
  draftOf,
  editorOf,
  errorsOf,
  fillIn,
  fillInAndUpload,
  noise,
  openForm,
  openNewForm,
  picture,
  privateLink,
  saved,
  send,
  submitted,
  TEXTS,
  type Text,
  uploaded,
  write,
} from './form.ts';

startSeeded();

/** Waits until the form has searched the device for a draft: before that it stores nothing. */
async function lookedForDraft(page: Page): Promise<void> {
  await page.locator('button[type=submit]:enabled').waitFor();
  await page.getByLabel('Client Name').fill('Someone');
  await saved(page);
}

/** The temporary URLs that the page has released so far. */
const released = (page: Page) => page.evaluate(() => (window as unknown as { released: string[] }).released);
const watchReleases = (page: Page) =>
  page.addInitScript(() => {
    const gone: string[] = [];
    const release = URL.revokeObjectURL.bind(URL);
    URL.revokeObjectURL = (address) => {
      gone.push(address);
      release(address);
    };
    Object.assign(window, { released: gone });
  });

it('submit page opens without signing in and shows every control; adds tags and media items by Enter and button, trims tags and addresses, skips other files than pictures, and removes them by name (ROUTE-06, SUBMIT-01..14, SUBMIT-17, SUBMIT-28, SUBMIT-29, SUBMIT-31, SUBMIT-32, SUBMIT-33, SUBMIT-51, ENT-34)', async () => {
  const page = await openNewForm();
  for (const name of ['Back to Mad Experiments', 'View all mad experiments'])
    expect.soft(await page.getByRole('link', { name, exact: true }).getAttribute('href'), name).toBe('/case-studies');
  expect.soft(await page.locator('main a').last().textContent()).toBe('View all mad experiments');
  expect.soft(await page.getByRole('navigation', { name: 'Quick links' }).count()).toBe(1);
  const sheet = (name: string) => page.getByRole('region', { name, exact: true });
  const [basics, media] = [sheet('Experiment Basics'), sheet('Experiment Media')];
  expect.soft(await basics.getByLabel('Project Title').getAttribute('required')).toBe('');
  expect.soft(await basics.getByLabel('Client Name').getAttribute('required')).toBeNull();
  const category = basics.getByLabel('Category');
  const options = category.locator('option');
  const choices = await options.evaluateAll((all) => all.map((one) => [one.getAttribute('value'), one.textContent]));
  expect.soft(choices).toEqual([
    ['', 'None'],
    ['branding', 'Branding'],
    ['video', 'Video Production'],
    ['ai', 'AI Solutions'],
    ['social', 'Social Media'],
    ['strategy', 'Strategy & Consulting'],
    ['other', 'Other'],
  ]);
  expect.soft(await category.inputValue()).toBe('');
  expect.soft(await media.locator('input[type=file][multiple]').count()).toBe(1);
  expect.soft(await media.getByText('JPG, PNG, GIF up to 10MB', { exact: true }).count()).toBe(1);
  const types = await media.getByLabel('Type').locator('option').allTextContents();
  expect.soft(types).toEqual(['Image URL', 'YouTube Embed']);
  expect.soft(await media.getByLabel('URL', { exact: true }).getAttribute('type')).toBe('url');
  expect.soft(await media.getByLabel('Caption (optional)').count()).toBe(1);
  for (const text of Object.keys(TEXTS) as Text[]) {
    await editorOf(page, text);
    const box = sheet('Experiment Content').getByRole('textbox', { name: TEXTS[text], exact: true });
    expect.soft(await box.getAttribute('aria-required'), text).toBe('true');
  }

  const field = page.getByLabel('Tags');
  const chips = () => page.locator('.tag').allTextContents();
  await field.fill('  neon ');
  await field.press('Enter');
  expect(await chips()).toEqual(['neon']);
  await field.fill('glass');
  await page.getByRole('button', { name: 'Add tag' }).click();
  for (const tag of ['neon', '   ']) {
    expect(await field.inputValue()).toBe('');
    await field.fill(tag);
    await field.press('Enter');
  }
  expect([await chips(), await field.inputValue()]).toEqual([['neon', 'glass'], '']);
  await page.getByRole('button', { name: 'Remove tag neon' }).click();
  expect(await chips()).toEqual(['glass']);

  await choose(page, [
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
    { name: 'huge.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024, 1) },
    { name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload=alert(1)>') },
    await picture('good.png'),
  ]);
  await page.getByText('huge.jpg was not added: it is 11.0 MB, and a file may have 10 MB at most.').waitFor();
  await page.getByText('Skipped 1 file that is not a picture.').waitFor();
  await page.getByText('lie.png was not added').waitFor();
  // Neither a tag nor a skipped file submits the form.
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.locator('.submit-tile').count()).toBe(1);

  const add = page.getByRole('button', { name: 'Add Media via URL' });
  expect(await add.isDisabled()).toBe(true);
  await page.getByLabel('URL').fill('   ');
  expect(await add.isDisabled()).toBe(true);
  await page.getByLabel('Type').selectOption({ label: 'YouTube Embed' });
  const film = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  await page.getByLabel('URL').fill(`  ${film} `);
  await add.click();
  await page.getByRole('button', { name: `Remove ${film}` }).waitFor();
  // Reads the value from the page, because spaces at the ends may not be visible.
  const captions = () =>
    page.getByLabel(`Caption (${film})`).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(await page.locator('.submit-tile-video span').allTextContents()).toEqual([film]);
  expect(await captions()).toEqual(['']);
  expect(await page.getByLabel('URL').inputValue()).toBe('');
  await page.getByLabel('URL').fill(film);
  await page.getByLabel('Caption (optional)').fill(' How it was made ');
  await add.click();
  await expect.poll(captions).toEqual(['', 'How it was made']);
  expect(await page.getByLabel('Caption (optional)').inputValue()).toBe('');
  await page.getByLabel('URL').fill('javascript:alert(1)');
  await add.click();
  await page.getByText('An address starts with https:// or http://.').waitFor();
  expect(await page.locator('.submit-tile').count()).toBe(3);

  for (const reason of ['The file is gone', '']) {
    await page.evaluate((why) => {
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException(why, 'NotReadableError'));
    }, reason);
    await choose(page, [await picture('gone.png')]);
    await page.getByText(`gone.png was not added: ${reason || 'Failed to process uploaded files'}`).waitFor();
  }
});

it('submit page shows contact details when scripts are off', async () => {
  const page = await openAt('/case-study-upload', { ...DESKTOP, javaScriptEnabled: false });
  expect(await page.locator('main noscript').innerText()).toContain('This form needs JavaScript');
  expect(await page.locator('main a[href^="mailto:"]').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Submit Experiment' }).isVisible()).toBe(false);
});

it('missing required fields are reported one by one at the top, without a request, until they are corrected (SUBMIT-20, SUBMIT-21, SUBMIT-22, SUBMIT-23, SUBMIT-24, SUBMIT-25, SUBMIT-26, SUBMIT-27)', async () => {
  const page = mayComplain(await openNewForm(PHONE));
  for (const text of Object.keys(TEXTS) as Text[]) await editorOf(page, text);
  const calls = requestsOf(page, () => true);
  const expectReport = async (message: string) => {
    await page.locator('button[type=submit]').focus();
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(500);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('submit-failure');
    expect(await page.locator('.submit-failure').getByRole('alert').textContent()).toBe(`${message} Go there`);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(calls).toEqual([]);
  };
  const expectNone = () => expect.poll(() => errorsOf(page)).toBe(0);

  // A second attempt reports the same error again.
  for (const title of ['', '', '   ']) {
    await page.getByLabel('Project Title').fill(title);
    await expectReport('Project title is required');
  }
  expect(await page.getByLabel('Project Title').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Project Title').fill('A lamp');
  await expectNone();
  await expectReport('At least one media item is required');
  await page.getByLabel('URL').fill('pictures.invalid/a.jpg');
  await send(page);
  await page.getByText('An address starts with https:// or http://.').waitFor();
  await expectFocus(page.getByLabel('URL'));
  await page.getByLabel('URL').fill('https:pictures.invalid/a b.jpg');
  await page.route('https://pictures.invalid/**', (route) => route.abort());
  const previewed = page.waitForRequest('https://pictures.invalid/a%20b.jpg');
  await send(page);
  await page.getByRole('button', { name: 'Remove https://pictures.invalid/a%20b.jpg' }).waitFor();
  await previewed;
  calls.length = 0;
  await page.getByText('At least one media item is required').waitFor({ state: 'detached' });
  // A paragraph with only a space counts as empty.
  await write(page, 'brief', ' ');
  for (const [text, message] of [
    ['brief', 'Brief is required'],
    ['understanding', 'Understanding is required'],
    ['actions', 'Actions taken are required'],
    ['impact', 'Impact description is required'],
  ] as const) {
    await expectReport(message);
    expect(await page.locator(`#submit-${text}`).getAttribute('aria-invalid')).toBe('true');
    if (text === 'impact') {
      await page.getByRole('link', { name: 'Go there' }).click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('submit-impact');
    }
    await write(page, text, 'a');
    await expectNone();
  }
  expect(page.complaints.filter((text) => !text.includes('pictures.invalid'))).toEqual([]);
});

it('tags and media items show several files immediately with their progress, and release a removed preview (ENT-35, SUBMIT-10, SUBMIT-15, SUBMIT-16, SUBMIT-54, SUBMIT-55)', async () => {
  const page = await openPage();
  await watchReleases(page);
  const release = await hold(page, '**/storage/v1/object/**');
  await openForm(page);
  await choose(page, [await picture('a.png'), await picture('b.png'), await picture('c.png')]);
  await expect.poll(() => page.getByText('Processing...').count()).toBe(3);
  expect(await page.getByRole('progressbar').count()).toBe(3);
  const shown = page.locator('.submit-tile img');
  const previews = await shown.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));
  expect(previews).toEqual(previews.map(() => expect.stringMatching(/^blob:/)));
  expect(new Set(previews).size).toBe(3);
  const widths = () => shown.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).toEqual([320, 320, 320]);
  for (const name of ['a.png', 'b.png', 'c.png'])
    expect(await page.getByRole('button', { name: `Remove ${name}` }).count(), name).toBe(1);
  release();
  await expect.poll(() => page.getByText('Processing...').count()).toBe(0);
  await page.getByRole('button', { name: 'Remove a.png' }).click();
  expect(await page.locator('.submit-tile').count()).toBe(2);
  expect(await released(page)).toEqual([previews[0]]);
  // Another page of the site can read them as long as the form is open, and no longer.
  const other = await page.context().newPage();
  await other.goto('/icon.svg');
  const readable = () =>
    other.evaluate(async (all) => {
      const answers = await Promise.allSettled(all.map((one) => fetch(one)));
      return answers.map(({ status }) => status === 'fulfilled');
    }, previews);
  expect(await readable()).toEqual([false, true, true]);
  await page.goto('/case-studies');
  await expect.poll(readable).toEqual([false, false, false]);
});

it('tags and media items that are large are uploaded in chunks and resume after a lost connection; one that fails is offered again, then logged and left out (SUBMIT-37, SUBMIT-52)', async () => {
  const page = mayComplain(await openPage());
  const warnings: string[] = [];
  page.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()));
  let chunks = 0;
  await page.route('**/storage/v1/upload/resumable**', (route) =>
    route.request().method() === 'PATCH' && chunks++ === 0 ? route.abort() : route.continue(),
  );
  const json = { statusCode: '500', error: 'Internal', message: 'Cannot be read' };
  await mockResponse(page, '**/storage/v1/object/**', { status: 500, json });
  await openForm(page);
  await choose(page, [await picture('bad.png')]);
  await page.getByText('Not uploaded. Cannot be read').waitFor();
  await page.getByRole('button', { name: 'Try bad.png again' }).click();
  await expect.poll(() => warnings.length).toBe(2);
  const large = await noise('large.png', 1600);
  expect(large.buffer.length).toBeGreaterThan(6 * 1024 * 1024);
  await fillInAndUpload(page, 'One of two pictures', [large]);
  expect(chunks).toBeGreaterThan(1);
  await send(page);
  const draft = await draftOf(await privateLink(page));
  expect(draft.project_media).toHaveLength(1);
  expect((await fetch(draft.project_media[0]!.url)).headers.get('content-type')).toMatch(/^image\//);
  expect(await page.getByText('1 of 2 media items').count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(warnings).toEqual(Array.from({ length: 3 }, () => 'bad.png was not uploaded: Cannot be read'));
});

it('submission arrives complete, and only its secret opens it (SUBMIT-05, SUBMIT-44, SUBMIT-45, SUBMIT-46, SUBMIT-38, SUBMIT-39, SUBMIT-40, SUBMIT-49, SUBMIT-54)', async () => {
  const page = await openNewForm(PHONE);
  await fillIn(page, 'A lamp that listens', [await picture('a.png'), await picture('b.png', '#2a44f5')]);
  await page.getByLabel('Client Name').fill('Acme');
  await page.getByLabel('Category').selectOption('ai');
  await page.getByLabel('Tags').fill('light');
  await uploaded(page);
  await page.clock.install();
  await send(page);
  // It stays on the success screen, because the focus moves to the link.
  const sent = await privateLink(page);
  await page.clock.fastForward(2_500);
  const said = 'Your experiment has been submitted and will be available in our portfolio soon.';
  await page.getByText(said, { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'View All Experiments' }).getAttribute('href')).toBe('/case-studies');
  await expectAccessible(page);
  const draft = await draftOf(sent);
  expect(draft).toMatchObject({
    title: 'A lamp that listens',
    description: '<p>Words about The Brief.</p>',
    client: 'Acme',
    status: 'draft',
    case_study_metadata: {
      brief: '<p>Words about The Brief.</p>',
      understanding: '<p>Words about Our Understanding.</p>',
      actions: '<p>Words about What We Did.</p>',
      impact: '<p>Words about The Impact.</p>',
      category: 'ai',
      tags: ['light'],
    },
  });
  expect(draft.project_media.flatMap(({ type, order }) => [type, order])).toEqual(['image', 0, 'image', 1]);
  for (const { url } of draft.project_media) {
    expect(url).toMatch(new RegExp(`^${seeded.base}/storage/v1/object/public/case-studies/`));
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
  }

  await page.goto(sent.link);
  await page.getByRole('heading', { name: 'A lamp that listens' }).waitFor();
  await page.goBack();
  await page.locator('button[type=submit]:enabled').waitFor();
  expect(await page.getByLabel('Category').inputValue()).toBe('');
  await page.goForward();
  await page.getByRole('heading', { name: 'A lamp that listens' }).waitFor();
  expect(page.url()).not.toContain(sent.secret);
  const otherUser = await openPage();
  expect((await otherUser.goto(`/case-studies/${sent.id}`))?.status()).toBe(404);
  expect(await otherUser.content()).not.toContain('A lamp that listens');
});

it('submission shows the reason for each failure and keeps the form; a retry shows a spinner, ignores a second click, creates it once, and starts a new empty form within two seconds (SUBMIT-19, SUBMIT-47, SUBMIT-49, SUBMIT-50, SUBMIT-53, SUBMIT-55)', async () => {
  const title = 'Second time lucky';
  const page = mayComplain(await openPage());
  await watchReleases(page);
  let answer: (route: Route) => Promise<void> = (route) => route.abort();
  await page.route(/\/rest\/v1\/(rpc\/create_case_study|projects)/, (route) => answer(route));
  await openForm(page);
  await fillIn(page, title);
  await page.getByLabel('Tags').fill('kept');
  await page.getByLabel('Tags').press('Enter');
  await uploaded(page);
  const refused = async (message: string | RegExp, reply: typeof answer) => {
    answer = reply;
    await send(page);
    await page.locator('.submit-failure').getByText(message, { exact: true }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.getByLabel('Project Title').inputValue()).toBe(title);
    await page.getByRole('button', { name: 'Submit Experiment' }).waitFor();
  };
  const saying = (message: string) => (route: Route) =>
    route.fulfill({ status: 400, json: { code: 'PT400', details: null, hint: null, message } });
  await refused(/Failed to submit experiment/, (route) => route.abort());
  expect(await (await editorOf(page, 'impact')).textContent()).toBe('Words about The Impact.');
  expect(await page.locator('.submit-tile').count()).toBe(1);
  await refused('API Error: No room for it today', saying('No room for it today'));
  await refused('Failed to submit experiment', saying(''));
  const tooLong = 'x'.repeat(201);
  // As sent by a form that does not know the limit.
  await refused(/^API Error: .*200/, (route) =>
    route.request().method() === 'POST'
      ? route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), title: tooLong }) })
      : route.continue(),
  );
  const projects = (await dataAs(admin)).from('projects');
  const titled = async (words: string) => (await projects.select('title').eq('title', words).throwOnError()).data;
  expect(await titled(tooLong)).toEqual([]);

  const created = requestsOf(page, (request) => request.url().endsWith('/create_case_study'));
  answer = (route) => route.continue();
  const go = await hold(page, '**/rpc/create_case_study');
  await send(page);
  const busy = page.getByRole('button', { name: 'Submitting...', exact: true });
  await busy.click({ force: true });
  await busy.press('Enter');
  const spinner = busy.locator('.spinner-plates');
  const { width, height } = (await spinner.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThan(8);
  expect(await spinner.evaluate((plates) => getComputedStyle(plates).visibility)).toBe('visible');
  expect(await busy.getAttribute('aria-busy')).toBe('true');
  await stopClock(page);
  go();
  await submitted(page).waitFor();
  expect(created).toHaveLength(1);
  const link = new URL(await page.getByLabel('Your private link to the draft').inputValue());
  const sent = { id: link.pathname.split('/').at(-1)!, secret: link.searchParams.get('draft')! };
  expect(await draftOf(sent)).toMatchObject({ title, case_study_metadata: { category: null } });
  expect(await titled(title)).toHaveLength(1);
  await page.clock.runFor(1_900);
  await page.getByText('Taking you to your draft.').waitFor();

  await page.getByRole('button', { name: 'Submit Another' }).click();
  expect(await released(page)).toHaveLength(1);
  const left = requestsOf(page, (request) => request.isNavigationRequest());
  await page.clock.runFor(2_500);
  // A request takes longer than the start of a navigation.
  await page.evaluate(() => fetch('/icon.svg').then((answer) => answer.text()));
  expect(left).toEqual([]);
  expect(await page.getByRole('button', { name: 'Submit Experiment' }).count()).toBe(1);
  expect(await page.getByLabel('Project Title').inputValue()).toBe('');
  expect(await page.locator('.tag').count()).toBe(0);
  expect(await page.locator('.submit-tile').count()).toBe(0);
  expect((await (await editorOf(page, 'brief')).textContent())?.trim()).toBe('');
  await page.clock.resume();
  await page.reload();
  await lookedForDraft(page);
  expect(await page.getByText('Continue your draft?').count()).toBe(0);
});

it('submitted draft returns from the server into its form with its indents; leaving the form releases its memory (RTE-03, SUBMIT-55, D26)', async () => {
  const page = await openPage();
  await watchReleases(page);
  await openForm(page);
  await fillIn(page, 'Deep inside');
  await (await editorOf(page, 'brief')).click();
  for (let level = 0; level < 8; level++) await page.keyboard.press('ControlOrMeta+]');
  await (await editorOf(page, 'impact')).click();
  await page.keyboard.press('ControlOrMeta+]');
  await uploaded(page);
  await send(page);
  const sent = await privateLink(page);
  await answerDraft(sent.id, 'ask', 'One word more.');
  await page.goto(sent.link);
  await page.getByRole('link', { name: draftWords.edit }).click();
  await page.locator('button[type=submit]:enabled').first().waitFor();

  await (await editorOf(page, 'brief')).click();
  expect(await page.locator('#submit-brief .indent-8').allTextContents()).toEqual(['Words about The Brief.']);
  await page.keyboard.press('End');
  await page.keyboard.type(' Word.');
  await page.keyboard.press('ControlOrMeta+[');
  await choose(page, [await picture('later.png', '#2a44f5')]);
  await expect.poll(() => page.locator('.submit-tile img').count()).toBe(2);
  await uploaded(page);
  const preview = (await page.locator('.submit-tile img').last().getAttribute('src'))!;
  expect(preview).toMatch(/^blob:/);
  expect(await released(page)).not.toContain(preview);
  await page.getByRole('button', { name: 'Send back' }).click();
  await page.getByText(draftWords.sentBack(0)).waitFor();
  await page.getByRole('button', { name: 'Send back' }).waitFor({ state: 'detached' });
  await expect.poll(() => released(page)).toContain(preview);
  expect(await draftOf(sent)).toMatchObject({
    case_study_metadata: {
      brief: '<p class="indent-7">Words about The Brief. Word.</p>',
      impact: '<p class="indent-1">Words about The Impact.</p>',
    },
  });

  await page.getByRole('link', { name: 'Back to your draft' }).click();
  await page.waitForURL((url) => url.pathname.startsWith(`/case-studies/${sent.id}`));
  await page.locator('main .indent-7').getByText('Word.').waitFor();
});

it('draft stored on the device is deleted by Start over; continued after a reload, it has its texts and files, and leads to its page two seconds after sending (SUBMIT-48, CONST-08)', async () => {
  const page = mayComplain(await openNewForm());
  const title = page.getByLabel('Project Title');
  await title.fill('Not wanted');
  await saved(page);
  await page.reload();
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Start over' }).evaluate((button: HTMLButtonElement) => {
      button.click();
      location.reload();
    }),
  ]);
  await lookedForDraft(page);
  expect(await title.inputValue()).toBe('');

  await page.route('**/storage/v1/object/**', (route) => route.abort());
  await fillIn(page, 'Kept on the device', [await picture('kept.png')]);
  await page.getByLabel('Tags').fill('kept');
  await page.getByLabel('Tags').press('Enter');
  await saved(page);
  await page.unroute('**/storage/v1/object/**');
  await page.reload();
  await page.getByRole('heading', { name: 'Continue your draft?' }).waitFor();
  expect(await page.getByText('You’re signed out').count()).toBe(0);
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await title.inputValue()).toBe('Kept on the device');
  expect(await (await editorOf(page, 'impact')).textContent()).toBe('Words about The Impact.');
  expect(await page.locator('.tag').allTextContents()).toEqual(['kept']);
  await uploaded(page);
  await stopClock(page);
  await send(page);
  await submitted(page).waitFor();
  await page.clock.runFor(1_900);
  await page.getByText('Taking you to your draft.').waitFor();
  await page.clock.runFor(200);
  await page.waitForURL(/\/case-studies\/[0-9a-f-]{36}\/kept-on-the-device$/);
  await page.getByRole('heading', { name: 'Kept on the device' }).waitFor();
  expect(await page.locator('.detail-cover img').count()).toBe(1);
});

it('draft stored on the device is saved within a second of a change, also during continuous typing', async () => {
  const page = await openNewForm();
  await lookedForDraft(page);
  await stopClock(page);
  await page.getByLabel('Project Title').focus();
  for (let letter = 0; letter < 12; letter++) {
    await page.keyboard.type('x');
    await page.clock.runFor(100);
  }
  // No time goes by any more: what was to be written later never is.
  await saved(page);
  await page.close({ runBeforeUnload: false });
  const next = await page.context().newPage();
  await openForm(next);
  await expect.poll(() => next.getByLabel('Project Title').inputValue()).toMatch(/^x{5,12}$/);
});

it('draft stored on the device is completed after a crash, as a second draft when the server accepts no more changes to the first', async () => {
  const page = mayComplain(await openNewForm());
  const reached = Promise.withResolvers<string>();
  await page.route('**/rest/v1/project_media**', (route) =>
    reached.resolve(route.request().headers()['x-draft-secret']!),
  );
  await fillInAndUpload(page, 'Begun too long ago');
  await send(page);
  const first = await reached.promise;
  await page.close();
  const next = await page.context().newPage();
  await next.route(/\/rest\/v1\/(project_media|case_study_metadata|rpc\/save_case_study_metadata)/, (route) =>
    route.request().headers()['x-draft-secret'] === first
      ? route.fulfill({ status: 401, contentType: 'application/json', body: '{"code":"42501","message":"no"}' })
      : route.continue(),
  );
  await openForm(next);
  await next.getByRole('heading', { name: 'Finish sending your draft?' }).waitFor();
  await next.getByRole('button', { name: 'Continue' }).click();
  const sent = await privateLink(next);
  expect(sent.secret).not.toBe(first);
  expect(await draftOf(sent)).toMatchObject({
    title: 'Begun too long ago',
    case_study_metadata: { understanding: '<p>Words about Our Understanding.</p>' },
  });
});

it('can be continued by keyboard, and shows a submitted experiment with its private link and next steps without scrolling', async () => {
  const page = await openNewForm();
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 60; presses++) {
      // The plain field is replaced by the editor, which takes over its focus.
      await expect.poll(() => page.evaluate(() => document.activeElement?.matches('.editor-stand-in'))).toBe(false);
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches ${selector}`);
  };
  await tabTo('[name=title]');
  await page.keyboard.type('By keyboard');
  await tabTo('[type=url]');
  await page.keyboard.type('https://vimeo.com/123456789');
  for (const key of ['Shift+Tab', 'ArrowDown', 'Tab', 'Enter']) await page.keyboard.press(key);
  await page.locator('.submit-tile').waitFor();
  for (const text of Object.keys(TEXTS) as Text[]) {
    await tabTo(`#submit-${text}.editor-text`);
    await page.keyboard.type(`Keys for ${text}`);
  }
  await tabTo('button[type=submit]');
  await page.keyboard.press('Enter');
  expect(await draftOf(await privateLink(page))).toMatchObject({
    title: 'By keyboard',
    description: '<p>Keys for brief</p>',
    project_media: [{ type: 'video', url: 'https://vimeo.com/123456789' }],
  });
  for (const width of WIDTHS) {
    await resize(page, width);
    expect(await visualFaults(page), `at ${width}`).toEqual([]);
    for (const purpose of ['.submitted h1', '.submitted-link button', '.submitted a[href="/case-studies"]'])
      expect(await isInFirstScreen(page.locator(purpose).first()), `${purpose} at ${width}`).toBe(true);
  }
});

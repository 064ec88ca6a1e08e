import { PostgrestClient } from '@supabase/postgrest-js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, expectQuiet, openBrowser, PHONE, stopClock } from '../browser.ts';
import { openPage, seeded } from './seeded.ts';
import {
  banner,
  choose,
  editorOf,
  fillIn,
  noise,
  openForm,
  picture,
  privateLink,
  saved,
  send,
  stay,
  submitted,
  TEXTS,
  type Text,
  uploaded,
  write,
} from './submit-form.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

/** The data service as the page finds it. */
async function data(page: Page, headers: Record<string, string> = {}) {
  const meta = page.locator('meta[name=supabase]');
  return new PostgrestClient(`${seeded.base}/rest/v1`, {
    headers: { apikey: (await meta.getAttribute('data-key')) ?? '', ...headers },
  });
}

/** Waits until the form has looked on the device for a draft, whether it found one or not: before that it keeps nothing. */
async function lookedForDraft(page: Page): Promise<void> {
  await page.locator('button[type=submit]:enabled').waitFor();
  await page.getByLabel('Client Name').fill('Somebody');
  await saved(page);
}

async function draftOf(page: Page, { id, secret }: { id: string; secret: string }) {
  const client = await data(page, { 'x-draft-secret': secret });
  const { data: row, error } = await client
    .from('projects')
    .select('*, project_media(*), case_study_metadata(*)')
    .eq('id', id)
    .single();
  if (error) throw new Error(error.message);
  return row as unknown as {
    title: string;
    description: string;
    status: string;
    project_media: { type: string; url: string; title: string | null; order: number }[];
    case_study_metadata: { brief: string; understanding: string; tags: string[]; category: string | null };
  };
}

describe('the submit page', () => {
  it('opens without signing in and shows every control (ROUTE-06, SUBMIT-01, SUBMIT-02, SUBMIT-03, SUBMIT-04, SUBMIT-05, SUBMIT-06, SUBMIT-09, SUBMIT-10, SUBMIT-11, SUBMIT-12, SUBMIT-13, SUBMIT-17)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    expect(await page.getByRole('link', { name: 'Back to Mad Experiments' }).getAttribute('href')).toBe(
      '/case-studies',
    );
    expect(await page.getByRole('link', { name: 'View all mad experiments' }).getAttribute('href')).toBe(
      '/case-studies',
    );
    for (const name of ['Experiment Basics', 'Experiment Media', 'Experiment Content']) {
      await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    expect(await page.getByLabel('Project Title').getAttribute('required')).not.toBeNull();
    expect(await page.getByLabel('Client Name').getAttribute('required')).toBeNull();
    expect(await page.getByLabel('Category').locator('option').allTextContents()).toEqual([
      'None',
      'Branding',
      'Video Production',
      'AI Solutions',
      'Social Media',
      'Strategy & Consulting',
      'Other',
    ]);
    expect(await page.getByLabel('Category').inputValue()).toBe('');
    expect(await page.locator('input[type=file]').getAttribute('multiple')).not.toBeNull();
    await page.getByText('JPG, PNG, GIF up to 10MB').waitFor();
    expect(await page.getByLabel('Type').locator('option').allTextContents()).toEqual(['Image URL', 'YouTube Embed']);
    for (const text of Object.keys(TEXTS) as Text[]) {
      await editorOf(page, text);
      const box = page.getByRole('textbox', { name: TEXTS[text], exact: true });
      expect(await box.getAttribute('aria-required'), text).toBe('true');
    }
    expectQuiet(page);
  });

  it.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('is accessible and fits on a %s, also with an error', async (_, device) => {
    const page = await openPage(browser, device);
    await openForm(page);
    await choose(page, [await picture('a.png'), await picture('b.png', '#2a44f5')]);
    for (const text of Object.keys(TEXTS) as Text[]) await editorOf(page, text);
    await expectAccessible(page);
    await send(page);
    await banner(page).waitFor();
    await expectAccessible(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expectQuiet(page);
  });

  it('tells how to reach us where scripts are off', async () => {
    const page = await openPage(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto('/case-study-upload');
    expect(await page.locator('main noscript').innerText()).toContain('This form needs JavaScript');
    expect(await page.locator('main a[href^="mailto:"]').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Submit Experiment' }).isVisible()).toBe(false);
  });
});

describe('what is missing', () => {
  it('is told one by one, at the top, without a call (SUBMIT-20, SUBMIT-21, SUBMIT-22, SUBMIT-23, SUBMIT-24, SUBMIT-25, SUBMIT-26, SUBMIT-27)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    for (const text of Object.keys(TEXTS) as Text[]) await editorOf(page, text);
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    const told = async (message: string) => {
      await send(page);
      await page.getByRole('alert').filter({ hasText: message }).first().waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.className)).toBe('submit-failure');
      expect(calls).toEqual([]);
    };

    await page.getByLabel('Project Title').fill('   ');
    await told('Project title is required');
    expect(await page.getByLabel('Project Title').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Project Title').fill('A lamp');
    await told('At least one media item is required');
    await page.getByLabel('URL').fill('https://pictures.invalid/a.jpg');
    await page.route('https://pictures.invalid/**', (route) => route.abort());
    const previewed = page.waitForRequest('https://pictures.invalid/a.jpg');
    await page.getByRole('button', { name: 'Add Media via URL' }).click();
    await page.getByRole('button', { name: 'Remove https://pictures.invalid/a.jpg' }).waitFor();
    // We may be told of it after the picture has its place.
    await previewed;
    calls.length = 0;
    // A paragraph with nothing but a space in it is still empty.
    await write(page, 'brief', ' ');
    await told('Brief is required');
    await write(page, 'brief', 'a');
    await told('Understanding is required');
    await write(page, 'understanding', 'b');
    await told('Actions taken are required');
    await write(page, 'actions', 'c');
    await told('Impact description is required');
    expect(await page.locator('#submit-impact').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('link', { name: 'Go there' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('submit-impact');
  });
});

describe('tags', () => {
  it('are added by Enter and button, removed by name, and never send the form (SUBMIT-07, SUBMIT-08, SUBMIT-28, SUBMIT-29)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    const field = page.getByLabel('Tags');
    const chips = () => page.locator('.tag').allTextContents();
    await field.fill('  neon ');
    await field.press('Enter');
    expect(await chips()).toEqual(['neon']);
    expect(await field.inputValue()).toBe('');
    await field.fill('glass');
    await page.getByRole('button', { name: 'Add tag' }).click();
    await field.fill('neon');
    await field.press('Enter');
    await field.fill('   ');
    await field.press('Enter');
    expect(await chips()).toEqual(['neon', 'glass']);
    expect(await field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Remove tag neon' }).click();
    expect(await chips()).toEqual(['glass']);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('tags past what is kept', () => {
  it('C13: are told before anything is sent, lose nothing else, and go through at five hundred', {
    timeout: 120_000,
  }, async () => {
    const page = await openPage(browser);
    const written: string[] = [];
    await page.route('**/rest/v1/**', (route) => {
      if (route.request().method() === 'POST') written.push(route.request().url());
      return route.fallback();
    });
    await openForm(page);
    await fillIn(page, 'A lamp with many names');
    await page.getByLabel('Category').selectOption('ai');
    await uploaded(page);
    const field = page.getByLabel('Tags');
    const add = async (tag: string) => {
      await field.fill(tag);
      await field.press('Enter');
    };
    await add('x'.repeat(61));
    const told = (words: string) => page.getByText(words).first().waitFor();
    await told('has 61 characters; a tag has at most 60');
    await page.locator('button[type=submit]').click();
    await page.getByRole('alert').getByText('has 61 characters').first().waitFor();
    expect(written).toEqual([]);
    expect(await page.getByLabel('Project Title').inputValue()).toBe('A lamp with many names');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Remove tag x/ }).click();

    for (let n = 0; n < 501; n++) await add(`tag ${n}`);
    await told('501 tags are more than the 500 that are kept. Remove 1');
    await page.locator('button[type=submit]').click();
    await page.getByRole('alert').getByText('501 tags are more').first().waitFor();
    expect(written).toEqual([]);
    await page.getByRole('button', { name: 'Remove tag tag 7', exact: true }).click();
    await send(page);
    const draft = await draftOf(page, await privateLink(page));
    expect(draft).toMatchObject({
      title: 'A lamp with many names',
      case_study_metadata: { category: 'ai', brief: '<p>Words about The Brief.</p>' },
    });
    expect((draft as unknown as { case_study_metadata: { tags: string[] } }).case_study_metadata.tags).toHaveLength(
      500,
    );
  });
});

describe('media', () => {
  it('by address needs an address (SUBMIT-14, SUBMIT-33)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    const add = page.getByRole('button', { name: 'Add Media via URL' });
    expect(await add.isDisabled()).toBe(true);
    await page.getByLabel('URL').fill('   ');
    expect(await add.isDisabled()).toBe(true);
    await page.getByLabel('Type').selectOption({ label: 'YouTube Embed' });
    await page.getByLabel('URL').fill('  https://www.youtube.com/watch?v=dQw4w9WgXcQ ');
    await add.click();
    await page.getByRole('button', { name: 'Remove https://www.youtube.com/watch?v=dQw4w9WgXcQ' }).waitFor();
    expect(await page.getByLabel('URL').inputValue()).toBe('');
    await page.getByLabel('URL').fill('javascript:alert(1)');
    await add.click();
    expect(await page.locator('.submit-tile').count()).toBe(1);
    expectQuiet(page);
  });

  it('shows several files at once, each under way, then done; a removed preview is released (ENT-35, SUBMIT-10, SUBMIT-15, SUBMIT-16, SUBMIT-54, SUBMIT-55)', async () => {
    const page = await openPage(browser);
    await page.addInitScript(() => {
      const released: string[] = [];
      const release = URL.revokeObjectURL.bind(URL);
      URL.revokeObjectURL = (address) => {
        released.push(address);
        release(address);
      };
      Object.assign(window, { released });
    });
    const gate = Promise.withResolvers<void>();
    await page.route('**/storage/v1/object/**', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await openForm(page);
    await choose(page, [await picture('a.png'), await picture('b.png'), await picture('c.png')]);
    await expect.poll(() => page.getByText('Processing...').count()).toBe(3);
    expect(await page.getByRole('progressbar').count()).toBe(3);
    const preview = (await page.locator('.submit-tile img').first().getAttribute('src')) ?? '';
    expect(preview).toMatch(/^blob:/);
    gate.resolve();
    await expect.poll(() => page.getByText('Processing...').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove a.png' }).click();
    expect(await page.locator('.submit-tile').count()).toBe(2);
    expect(await page.evaluate(() => (window as unknown as { released: string[] }).released)).toContain(preview);
    expectQuiet(page);
  });

  it('skips what is no picture quietly and refuses what is too large with its name and size (SUBMIT-31, SUBMIT-32)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    await choose(page, [
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
      { name: 'huge.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(11 * 1024 * 1024, 1) },
      { name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload=alert(1)>') },
      await picture('good.png'),
    ]);
    await page.getByText('huge.jpg was not added: it is 11.0 MB, and a file may have 10 MB at most.').waitFor();
    await page.getByText('Skipped 1 file that is not a picture.').waitFor();
    await page.getByText('lie.png was not added').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.submit-tile').count()).toBe(1);
  });

  it.each([
    ['The file is gone', 'The file is gone'],
    ['', 'Failed to process uploaded files'],
  ])('tells why a file cannot be read: %j (SUBMIT-51)', async (reason, told) => {
    const page = await openPage(browser);
    await openForm(page);
    await page.evaluate((message) => {
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException(message, 'NotReadableError'));
    }, reason);
    await choose(page, [await picture('gone.png')]);
    await page.getByRole('alert').filter({ hasText: told }).waitFor();
  });

  it('sends large files in pieces, and goes on when the line breaks', async () => {
    const page = await openPage(browser);
    const pieces: string[] = [];
    let broken = 0;
    await page.route('**/storage/v1/upload/resumable**', (route) => {
      pieces.push(route.request().method());
      return route.request().method() === 'PATCH' && broken++ === 0 ? route.abort() : route.continue();
    });
    await openForm(page);
    const large = await noise('large.png', 1600);
    expect(large.buffer.length).toBeGreaterThan(6 * 1024 * 1024);
    await fillIn(page, 'A very large picture', [large]);
    await uploaded(page);
    expect(pieces).toContain('POST');
    expect(broken).toBeGreaterThan(1);
    await send(page);
    const draft = await draftOf(page, await privateLink(page));
    expect(draft.project_media).toHaveLength(1);
    expect((await fetch(draft.project_media[0]!.url)).headers.get('content-type')).toMatch(/^image\//);
  });

  it('offers another try for a file that did not arrive, and sends without it otherwise (SUBMIT-37)', async () => {
    const page = await openPage(browser);
    let refuse = true;
    await page.route('**/storage/v1/object/**', (route) =>
      refuse
        ? route.fulfill({
            status: 400,
            contentType: 'application/json',
            body: JSON.stringify({ statusCode: '400', error: 'InvalidRequest', message: 'Cannot be read' }),
          })
        : route.continue(),
    );
    await openForm(page);
    await choose(page, [await picture('bad.png')]);
    await page.getByText('Not uploaded. Cannot be read').waitFor();
    refuse = false;
    await fillIn(page, 'One of two pictures', [await picture('good.png')]);
    await uploaded(page);
    await send(page);
    const draft = await draftOf(page, await privateLink(page));
    expect(draft.project_media).toHaveLength(1);
    expect(await page.getByText('1 of 2 media items').count()).toBe(1);
  });
});

describe('a submission', () => {
  it('arrives whole, and only its secret opens it (SUBMIT-44, SUBMIT-45, SUBMIT-46, SUBMIT-38, SUBMIT-39, SUBMIT-40)', async () => {
    const page = await openPage(browser, PHONE);
    await openForm(page);
    await fillIn(page, 'A lamp that listens', [await picture('a.png'), await picture('b.png', '#2a44f5')]);
    await page.getByLabel('Category').selectOption('ai');
    await page.getByLabel('Tags').fill('light');
    await page.getByLabel('Tags').press('Enter');
    await uploaded(page);
    await send(page);
    const sent = await privateLink(page);
    await page.getByText('Your experiment has been submitted and will be available in our portfolio soon.').waitFor();
    expect(await page.getByRole('link', { name: 'View All Experiments' }).getAttribute('href')).toBe('/case-studies');
    await expectAccessible(page);
    const draft = await draftOf(page, sent);
    expect(draft).toMatchObject({
      title: 'A lamp that listens',
      description: '<p>Words about The Brief.</p>',
      status: 'draft',
      case_study_metadata: {
        brief: '<p>Words about The Brief.</p>',
        understanding: '<p>Words about Our Understanding.</p>',
        category: 'ai',
        tags: ['light'],
      },
    });
    expect(draft.project_media.map(({ type, order }) => [type, order])).toEqual([
      ['image', 0],
      ['image', 1],
    ]);

    await page.goto(sent.link);
    await page.getByRole('heading', { name: 'A lamp that listens' }).waitFor();
    await page.goBack();
    await page.locator('button[type=submit]:enabled').waitFor();
    expect(await page.getByLabel('Category').inputValue()).toBe('');
    await page.goForward();
    await page.getByRole('heading', { name: 'A lamp that listens' }).waitFor();
    expect(page.url()).not.toContain(sent.secret);
    const stranger = await openPage(browser);
    const answer = await stranger.goto(`/case-studies/${sent.id}`);
    expect(answer?.status()).toBe(404);
    expect(await stranger.content()).not.toContain('A lamp that listens');
    expectQuiet(page);
  });

  it('moves on to its draft after two seconds (SUBMIT-48, CONST-08)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    await fillIn(page, 'Moves on by itself');
    await uploaded(page);
    await stopClock(page);
    await send(page);
    await submitted(page).waitFor();
    await page.clock.runFor(1_900);
    await page.getByText('Taking you to your draft.').waitFor();
    await page.clock.runFor(200);
    await page.waitForURL(/\/case-studies\/[0-9a-f-]{36}\/moves-on-by-itself$/);
    await page.getByRole('heading', { name: 'Moves on by itself' }).waitFor();
  });

  it('stays where it is once somebody acts, and starts another empty (SUBMIT-47, SUBMIT-49, SUBMIT-53)', async () => {
    const page = await openPage(browser);
    await openForm(page);
    await fillIn(page, 'Stays here');
    await uploaded(page);
    await stopClock(page);
    await send(page);
    await submitted(page).waitFor();
    await page.keyboard.press('Tab');
    await page.clock.runFor(2_500);
    await page.getByRole('link', { name: 'Open your draft' }).waitFor();
    await page.getByRole('button', { name: 'Submit Another' }).click();
    await page.clock.runFor(2_500);
    expect(await page.getByLabel('Project Title').inputValue()).toBe('');
    expect(new URL(page.url()).pathname).toBe('/case-study-upload');
    expect(await page.locator('.submit-tile').count()).toBe(0);
    expect((await (await editorOf(page, 'brief')).textContent())?.trim()).toBe('');
    await page.clock.resume();
    await page.reload();
    await lookedForDraft(page);
    expect(await page.getByText('Continue your draft?').count()).toBe(0);
  });

  it('cannot be pressed twice (SUBMIT-19)', async () => {
    const page = await openPage(browser);
    let created = 0;
    const gate = Promise.withResolvers<void>();
    await page.route('**/rest/v1/rpc/create_case_study', async (route) => {
      created++;
      await gate.promise;
      await route.continue();
    });
    await openForm(page);
    await fillIn(page, 'Pressed twice');
    await uploaded(page);
    await send(page);
    const busy = page.getByRole('button', { name: 'Submitting...' });
    await busy.click({ force: true });
    await busy.press('Enter');
    gate.resolve();
    await submitted(page).waitFor();
    expect(created).toBe(1);
  });

  it('that fails says why and keeps the form; another try makes it once (SUBMIT-50, SUBMIT-53)', async () => {
    const page = await openPage(browser);
    let down = true;
    await page.route(/\/rest\/v1\/(rpc\/create_case_study|projects)/, (route) =>
      down ? route.abort() : route.continue(),
    );
    await openForm(page);
    await fillIn(page, 'Second time lucky');
    await uploaded(page);
    await send(page);
    await page.getByRole('alert').filter({ hasText: 'Failed to submit experiment' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.getByLabel('Project Title').inputValue()).toBe('Second time lucky');
    expect(await (await editorOf(page, 'impact')).textContent()).toBe('Words about The Impact.');
    expect(await page.locator('.submit-tile').count()).toBe(1);
    down = false;
    await send(page);
    expect(await draftOf(page, await privateLink(page))).toMatchObject({ title: 'Second time lucky' });
  });

  it('goes through when only media and metadata fail, without a banner (SUBMIT-52)', async () => {
    const page = await openPage(browser);
    await page.route(/\/rest\/v1\/(project_media|case_study_metadata|rpc\/save_case_study_metadata)/, (route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"42501","message":"no"}' }),
    );
    await openForm(page);
    await fillIn(page, 'Only the brief');
    await uploaded(page);
    await send(page);
    await stay(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByText('Stored: the brief, 0 of 1 media item, not all texts').waitFor();
  });
});

describe('the draft on this device', () => {
  it('survives a reload with texts and files, and can be continued', async () => {
    const page = await openPage(browser);
    await page.route('**/storage/v1/object/**', (route) => route.abort());
    await openForm(page);
    await fillIn(page, 'Kept on the device', [await picture('kept.png')]);
    await page.getByLabel('Tags').fill('kept');
    await page.getByLabel('Tags').press('Enter');
    await saved(page);
    await page.unroute('**/storage/v1/object/**');
    await page.reload();
    await page.getByRole('heading', { name: 'Continue your draft?' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByLabel('Project Title').inputValue()).toBe('Kept on the device');
    expect(await (await editorOf(page, 'impact')).textContent()).toBe('Words about The Impact.');
    expect(await page.locator('.tag').allTextContents()).toEqual(['kept']);
    await uploaded(page);
    await send(page);
    expect((await draftOf(page, await privateLink(page))).project_media).toHaveLength(1);
  });

  it('is gone after Start over', async () => {
    const page = await openPage(browser);
    await openForm(page);
    await page.getByLabel('Project Title').fill('Not wanted');
    await saved(page);
    await page.reload();
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => page.getByLabel('Project Title').inputValue()).toBe('');
    await page.reload();
    await lookedForDraft(page);
    expect(await page.getByLabel('Project Title').inputValue()).toBe('');
  });

  it('is saved within a second of a change, also while somebody keeps typing', async () => {
    const page = await openPage(browser);
    await openForm(page);
    await lookedForDraft(page);
    await stopClock(page);
    await page.getByLabel('Project Title').focus();
    for (let letter = 0; letter < 12; letter++) {
      await page.keyboard.type('x');
      await page.clock.runFor(100);
    }
    // No time goes by any more: what was to be written later never is.
    await saved(page);
    // No pause and no goodbye: the tab simply ends.
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    const next = await context.newPage();
    await openForm(next);
    await expect.poll(() => next.getByLabel('Project Title').inputValue()).toMatch(/^x{5,12}$/);
  });

  it('finishes a submission that a crash cut off, once', async () => {
    const page = await openPage(browser);
    const reached = Promise.withResolvers<void>();
    await page.route('**/rest/v1/project_media**', () => reached.resolve());
    await openForm(page);
    await fillIn(page, 'Cut off in the middle');
    await uploaded(page);
    const created = page.waitForResponse('**/rest/v1/rpc/create_case_study');
    await send(page);
    const id = (await (await created).json()) as string;
    await reached.promise;
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await openForm(next);
    await next.getByRole('heading', { name: 'Finish sending your draft?' }).waitFor();
    await next.getByRole('button', { name: 'Continue' }).click();
    const sent = await privateLink(next);
    expect(sent.id).toBe(id);
    expect((await draftOf(next, sent)).project_media).toHaveLength(1);
  });

  it('begins a second draft rather than lose a text when the first takes nothing more', async () => {
    const page = await openPage(browser);
    const reached = Promise.withResolvers<string>();
    await page.route('**/rest/v1/project_media**', (route) =>
      reached.resolve(route.request().headers()['x-draft-secret']!),
    );
    await openForm(page);
    await fillIn(page, 'Begun too long ago');
    await uploaded(page);
    await send(page);
    const first = await reached.promise;
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await next.route(/\/rest\/v1\/(project_media|case_study_metadata|rpc\/save_case_study_metadata)/, (route) =>
      route.request().headers()['x-draft-secret'] === first
        ? route.fulfill({ status: 401, contentType: 'application/json', body: '{"code":"42501","message":"no"}' })
        : route.continue(),
    );
    await openForm(next);
    await next.getByRole('button', { name: 'Continue' }).click();
    const sent = await privateLink(next);
    expect(sent.secret).not.toBe(first);
    expect(await draftOf(next, sent)).toMatchObject({
      title: 'Begun too long ago',
      case_study_metadata: { understanding: '<p>Words about Our Understanding.</p>' },
    });
  });
});

it('can be done with the keyboard alone', async () => {
  const page = await openPage(browser);
  await openForm(page);
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 60; presses++) {
      // A plain field is about to become the editor, which takes the focus over from it.
      const inPlainField = () => page.evaluate(() => document.activeElement?.matches('.editor-stand-in'));
      await expect.poll(inPlainField).toBe(false);
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches ${selector}`);
  };
  await tabTo('[name=title]');
  await page.keyboard.type('By keyboard');
  await tabTo('[type=url]');
  await page.keyboard.type('https://vimeo.com/123456789');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.submit-tile').waitFor();
  for (const text of Object.keys(TEXTS) as Text[]) {
    await tabTo(`#submit-${text}.editor-text`);
    await page.keyboard.type(`Keys for ${text}`);
  }
  await tabTo('button[type=submit]');
  await page.keyboard.press('Enter');
  expect(await draftOf(page, await privateLink(page))).toMatchObject({
    title: 'By keyboard',
    description: '<p>Keys for brief</p>',
    project_media: [{ type: 'video', url: 'https://vimeo.com/123456789' }],
  });
});

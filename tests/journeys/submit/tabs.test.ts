import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deviceWords as words } from '../../../app/features/submissions/words/device.ts';
import { DESKTOP, expectAccessible, hold, mayComplain, openBrowser, openPage, PHONE } from '../../browser.ts';
import { lookOnPhoneAndDesktop } from '../hands.ts';
import { seeded, startSeeded } from '../seeded.ts';
import {
  choose,
  editorOf,
  fillInAndUpload,
  openForm,
  picture,
  privateLink,
  saved,
  send,
  storedDrafts,
  uploaded,
  write,
} from './form.ts';

startSeeded();

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser([]);
});
afterAll(() => browser?.close());

const visit = (device: BrowserContextOptions = DESKTOP) => openPage(browser, device, seeded.base);

const title = (page: Page) => page.getByLabel('Project Title');
const client = (page: Page) => page.getByLabel('Client Name');
const tabs = (page: Page) => page.locator('.submit-tabs');
const isShown = (page: Page, text: string) => tabs(page).getByText(text).waitFor();

/** A tab with the start of a draft. */
async function openFirstTab(device?: BrowserContextOptions): Promise<Page & { complaints: string[] }> {
  const one = await visit(device);
  await openForm(one);
  await title(one).fill('First tab');
  await saved(one);
  return one;
}

/** A second tab of the same browser, with an empty form. */
async function openSecondTab(page: Page): Promise<Page> {
  const next = await page.context().newPage();
  await openForm(next);
  await isShown(next, 'Another draft is open in another tab.');
  expect(await title(next).inputValue()).toBe('');
  return next;
}

/** What a browser reports to a tab that the user switches to. */
const show = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

const offered = (page: Page, text: string) =>
  page.getByRole('button', { name: 'Open it here' }).filter({ hasText: text });

const freeDrafts = (page: Page) => page.getByRole('heading', { name: words.freeDrafts(1) });

/** The dialogs before the page is left, all accepted. */
function dialogsOf(page: Page): string[] {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
  return dialogs;
}

/** Ends a tab without any event. */
async function crash(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  devtools.send('Page.crash').catch(() => {});
  await crashed;
}

it('second tab with the submit form writes a separate draft and reports the other tab; each restores its own after a reload (D4)', async () => {
  const one = await openFirstTab(PHONE);
  await choose(one, [await picture('lamp.png')]);
  await uploaded(one);
  await saved(one);
  const two = await openSecondTab(one);
  const box = (await tabs(two).boundingBox())!;
  expect(box.y + box.height).toBeLessThan(PHONE.viewport.height);
  await lookOnPhoneAndDesktop(two);
  await title(two).fill('Second tab');
  await saved(two);
  expect(await title(one).inputValue()).toBe('First tab');
  expect(await freeDrafts(two).count()).toBe(0);
  for (const [page, text] of [
    [one, 'First tab'],
    [two, 'Second tab'],
    [one, 'First tab'],
  ] as const) {
    await page.reload();
    await page.getByRole('heading', { name: 'Continue your draft?' }).waitFor();
    expect(await title(page).inputValue()).toBe(text);
    expect(await freeDrafts(page).count()).toBe(0);
  }
});

it('second tab with the submit form offers the draft of a closed tab when something was typed before hydration (D4)', async () => {
  await (await openFirstTab()).close();
  const two = await browser.contexts()[0]!.newPage();
  const release = await hold(two, '**/assets/submit-*.js');
  await two.goto('/case-study-upload', { waitUntil: 'commit' });
  await title(two).fill('Typed before the script');
  release();
  await freeDrafts(two).waitFor();
  expect(await title(two).inputValue()).toBe('Typed before the script');
  await offered(two, 'First tab').click();
  await expect.poll(() => title(two).inputValue()).toBe('First tab');
  await offered(two, 'Typed before the script').waitFor();
});

it('second tab with the submit form is offered the first tab’s draft when that crashes, keeps its own input, and deletes the other (D4)', async () => {
  const one = await openFirstTab();
  await write(one, 'brief', 'Why');
  await saved(one);
  const two = await openSecondTab(one);
  await client(two).fill('Second tab');
  await saved(two);
  await crash(one);
  await show(two);
  await freeDrafts(two).waitFor();
  await expectAccessible(two);
  expect(await client(two).inputValue()).toBe('Second tab');
  await two.getByRole('button', { name: 'Open it here' }).click();
  await expect.poll(() => title(two).inputValue()).toBe('First tab');
  expect(await client(two).inputValue()).toBe('');
  expect(await (await editorOf(two, 'brief')).textContent()).toBe('Why');
  await two.reload();
  await expect.poll(() => title(two).inputValue()).toBe('First tab');
  await two.getByRole('button', { name: 'Open it here' }).click();
  await expect.poll(() => client(two).inputValue()).toBe('Second tab');
  expect(await title(two).inputValue()).toBe('');
  await two.getByRole('button', { name: words.deleteDraft }).click();
  await two.getByRole('dialog').getByText('“First tab” is saved on this device only.').waitFor();
  await two.getByRole('dialog').getByRole('button', { name: words.deleteDraft }).click();
  await freeDrafts(two).waitFor({ state: 'detached' });
  expect(await client(two).inputValue()).toBe('Second tab');
});

it('second tab with the submit form is closed, and the first tab offers its draft when it becomes visible again, and keeps the focus in the list when one of two is deleted (D4)', async () => {
  const one = await openFirstTab();
  const [two, three] = [await openSecondTab(one), await openSecondTab(one)];
  await title(two).fill('Second tab');
  await title(three).fill('Third tab');
  for (const page of [two, three]) {
    await saved(page);
    await page.close();
  }
  await show(one);
  await one.getByRole('heading', { name: words.freeDrafts(2) }).waitFor();
  await one.getByText('Second tab').first().waitFor();
  expect(await title(one).inputValue()).toBe('First tab');
  await one.getByRole('button', { name: `${words.deleteDraft} (Second tab)` }).click();
  await one.getByRole('dialog').getByRole('button', { name: words.deleteDraft }).click();
  await freeDrafts(one).waitFor();
  await expect.poll(() => one.evaluate(() => document.activeElement?.tagName)).toBe('UL');
});

it('second tab with the submit form continues its own draft when the first tab has submitted (D4)', async () => {
  const one = await visit();
  await openForm(one);
  await fillInAndUpload(one, 'Sent by the first');
  const two = await openSecondTab(one);
  await title(two).fill('Another experiment');
  await saved(two);
  await send(one);
  await privateLink(one);
  await show(two);
  await tabs(two).getByText('Another draft is open in another tab.').waitFor({ state: 'detached' });
  expect(await title(two).inputValue()).toBe('Another experiment');
  expect(await freeDrafts(two).count()).toBe(0);
  await two.reload();
  await two.getByRole('heading', { name: 'Continue your draft?' }).waitFor();
  expect(await title(two).inputValue()).toBe('Another experiment');
});

it('single tab with the submit form shows nothing about other tabs, also on a slow device (D3)', async () => {
  const page = await visit();
  // The page is busy for seconds after it has requested its lock.
  await page.addInitScript(() => {
    const request = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(navigator.locks, {
      request: (...args: unknown[]) => {
        setTimeout(() => {
          const end = performance.now() + 2500;
          while (performance.now() < end);
        });
        return new Promise((resolve) => setTimeout(resolve, 1500)).then(() => request(...args));
      },
    });
  });
  const texts: string[] = [];
  await page.exposeFunction('onText', (text: string) => texts.push(text));
  await openForm(page);
  await page.evaluate(() => {
    const target = document.querySelector('.submit-tabs')!;
    new MutationObserver(() =>
      (window as unknown as { onText: (text: string) => void }).onText(target.textContent),
    ).observe(target, { childList: true, subtree: true });
  });
  await title(page).fill('Slow');
  await saved(page);
  expect(texts).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { name: 'Continue your draft?' }).waitFor();
  expect(texts).toEqual([]);
});

it.each([
  [
    'refuses Web Locks',
    () => {
      Object.assign(navigator.locks, { request: () => Promise.reject(new DOMException('No', 'SecurityError')) });
    },
  ],
  ['has no Web Locks', () => Object.defineProperty(navigator, 'locks', { value: undefined })],
])(
  'single tab with the submit form saves drafts in a browser that %s, and shows that it cannot detect other tabs (D3)',
  async (_, refuse) => {
    const page = mayComplain(await visit());
    await page.context().addInitScript(refuse);
    await openForm(page);
    await title(page).fill('Saved all the same');
    await saved(page);
    await page.locator('.submit-saved').getByText(words.tabsUnknown).waitFor();
    expect(await tabs(page).innerText()).toBe('');
    // Two tabs that cannot see each other lose nothing either.
    const two = await page.context().newPage();
    await openForm(two);
    await expect.poll(() => title(two).inputValue()).toBe('Saved all the same');
    await title(two).fill('Changed by the second');
    await saved(two);
    await client(page).fill('Changed by the first');
    await saved(page);
    await Promise.all([page.close(), crash(two)]);
    const next = await two.context().newPage();
    await openForm(next);
    await freeDrafts(next).waitFor();
  },
);

it('single tab with the submit form asks before leaving only when the input cannot be stored (D4)', async () => {
  const page = mayComplain(await visit());
  const dialogs = dialogsOf(page);
  await openForm(page);
  await title(page).fill('First');
  await saved(page);
  await title(page).fill('Saved');
  await page.reload();
  await expect.poll(() => title(page).inputValue()).toBe('Saved');
  expect(dialogs).toEqual([]);

  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('No', 'SecurityError');
    };
  });
  for (const left of ['', 'Not saved']) {
    await page.reload();
    await title(page).fill('Not saved');
    await page.locator('.submit-saved').getByText(words.saved.impossible).waitFor();
    await title(page).fill(left);
  }
  await page.reload();
  expect(dialogs).toEqual(['beforeunload']);
});

it('single tab with the submit form stores input while saving waits for a lock, and asks before leaving while storage fails (D4)', async () => {
  const page = mayComplain(await visit());
  const dialogs = dialogsOf(page);
  // The lock is never granted: everything queued behind it waits.
  await page.addInitScript(() => {
    navigator.locks.request = () => new Promise(() => {});
  });
  await openForm(page);
  const storedTitles = async () => (await storedDrafts(page)).map((draft) => draft.title);
  expect(await storedTitles()).toEqual([]);
  for (const [words, pause] of [
    ['Saved', 0],
    ['Saved while a save waits', 400],
  ] as const) {
    // Without time for it, a busy browser ends the page before its last task.
    const leave = async () => {
      await title(page).fill(words);
      await page.evaluate((ms) => new Promise((then) => setTimeout(then, ms)), pause);
      await page.reload();
      return storedTitles();
    };
    await expect.poll(leave).toContain(words);
    expect(dialogs).toEqual([]);
  }

  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.reload();
  await title(page).fill('No place yet');
  await page.locator('[data-saved=saving]').waitFor();
  await page.reload();
  expect(dialogs.at(-1)).toBe('beforeunload');
});

it('file that the device cannot store is named, and all other files are stored as bytes (X3)', async () => {
  const page = mayComplain(await visit());
  await page.route('**/storage/v1/object/**', (route) => route.abort());
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value: { name?: string }, key) {
      if (value instanceof Blob) throw new DOMException('No files here', 'DataCloneError');
      if (value.name === 'huge.png') throw new DOMException('Full', 'QuotaExceededError');
      return put.call(this, value, key);
    };
  });
  await openForm(page);
  await title(page).fill('Half saved');
  await choose(page, [await picture('small.png'), await picture('huge.png', '#2a44f5')]);
  const partly = 'Saved on this device, but not huge.png: keep this page open until it is uploaded.';
  await page.locator('.submit-saved').getByText(partly).waitFor();
  await expectAccessible(page);
  await page.reload();
  await page.unroute('**/storage/v1/object/**');
  await page.getByRole('button', { name: 'Remove small.png' }).waitFor();
  expect(await title(page).inputValue()).toBe('Half saved');
  await uploaded(page);
  expect(await page.locator('.submit-tile').count()).toBe(1);
  await page.getByText('huge.png could not be saved on this device. Please choose it again.').waitFor();
});

import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { DESKTOP, expectAccessible, mayComplain, PHONE } from '../../browser.ts';
import { addMedia, publish } from '../experiments.ts';
import { admin, openAt, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

const LONG = `<p>${'Parrots were asked, at length, what they think of print. '.repeat(20)}</p>`;

let album: string;
beforeAll(async () => {
  album = await publish({ title: 'An album', description: LONG, impact: LONG });
  const pictures = ['Beak', 'Before: the cage', 'After: the door', 'Wing'].map((title, order) => ({
    type: 'image',
    url: `${seeded.base}/house-cover.svg?${order}`,
    title,
    description: order === 1 ? 'With a caption.' : null,
    project_id: album,
    order,
  }));
  await addMedia(pictures);
});

it('pictures of an experiment open large one at a time by key and button, and return to their position when closed; print small, with the text and the address, and without controls', async () => {
  const page = await openAt(`/case-studies/${album}`);
  const links = page.locator('.enlarge');
  const dialog = page.getByRole('dialog', { name: 'Pictures of An album' });
  const shows = async (place: string, words: string) => {
    await dialog.getByText(place, { exact: true }).waitFor();
    expect(await dialog.getByRole('img').getAttribute('alt')).toBe(words);
    const left = () => dialog.getByRole('img').evaluate((image) => image.getBoundingClientRect().left);
    await expect.poll(left).toBeGreaterThan(0);
  };
  await links.nth(1).press('Enter');
  await shows('2 of 4', 'Before: the cage');
  expect(await dialog.getByText('Before: the cage. With a caption.').isVisible()).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await shows('3 of 4', 'After: the door');
  await page.keyboard.press('End');
  await shows('4 of 4', 'Wing');
  await dialog.getByRole('button', { name: 'Next picture' }).click({ force: true });
  await page.keyboard.press('ArrowRight');
  await shows('4 of 4', 'Wing');
  await dialog.getByRole('button', { name: 'Previous picture' }).click();
  await shows('3 of 4', 'After: the door');
  await page.keyboard.press('Home');
  await shows('1 of 4', 'Beak');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await links.nth(1).evaluate((link) => link === document.activeElement)).toBe(true);
  const here = page.url();
  await links.nth(3).click();
  await shows('4 of 4', 'Wing');
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  expect([page.url(), await links.nth(3).evaluate((link) => link === document.activeElement)]).toEqual([here, true]);

  await page.emulateMedia({ media: 'print' });
  for (const shown of ['h1', '.detail-head .slip', '.detail-cover img', '.facts', '.story-section', '.gallery img'])
    expect(await page.locator(shown).first().isVisible(), shown).toBe(true);
  expect(await page.locator('.detail-address').innerText()).toBe(page.url());
  for (const hidden of ['.top-bar', '.footer', '.section-index', '.detail button', '.next', '.explore-more'])
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
});

it('pictures of an experiment follow a swipe, on the narrowest screen and with large text', async () => {
  const page = await openAt(`/case-studies/${album}`, { ...PHONE, viewport: { width: 320, height: 568 } });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.locator('.detail-cover .enlarge').tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 of 4', { exact: true }).waitFor();
  const touch = await page.context().newCDPSession(page);
  const drag = async (from: number, to: number) => {
    const at = (type: 'touchStart' | 'touchMove', x: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y: 150 }] });
    await at('touchStart', from);
    for (let step = 1; step <= 10; step++) await at('touchMove', from + ((to - from) * step) / 10);
  };
  const letGo = () => touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await drag(260, 60);
  // The scroll event follows with the next frame.
  await expect.poll(() => dialog.getByRole('group').evaluate((track) => track.scrollLeft)).toBeGreaterThan(100);
  await letGo();
  await dialog.getByText('2 of 4', { exact: true }).waitFor();
  expect(await dialog.getByRole('img').getAttribute('alt')).toBe('Before: the cage');
  await drag(60, 260);
  await letGo();
  await dialog.getByText('1 of 4', { exact: true }).waitFor();
  expect(await dialog.evaluate((element) => element.scrollWidth)).toBe(320);
  for (const button of await dialog.getByRole('button').all()) {
    const box = (await button.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  }
  await dialog.getByRole('button', { name: 'Close' }).tap();
  await dialog.waitFor({ state: 'detached' });
});

it('pictures of an experiment link to the original picture without a script', async () => {
  const page = mayComplain(await openAt(`/case-studies/${album}`, { ...DESKTOP, javaScriptEnabled: false }));
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(true);
  await page.locator('.gallery .enlarge').nth(2).click();
  await page.waitForURL(`${seeded.base}/house-cover.svg?3`);
});

it('pictures of an experiment come with an index that marks the section in view', async () => {
  const page = await openAt(`/case-studies/${album}`, PHONE);
  const index = page.getByRole('navigation', { name: 'Sections' });
  const sections = await index.getByRole('link').allTextContents();
  expect(sections).toEqual(['1 The Brief', '2 Our Understanding', '3 What We Did', '4 The Impact', '5 Gallery']);
  const marked = () => index.locator('[aria-current="location"]').allTextContents();
  expect(await index.locator('[aria-current]').count()).toBe(0);
  for (const section of ['The Impact', 'The Brief', 'Gallery']) {
    await index.getByRole('link', { name: section }).click();
    await expect.poll(marked).toEqual([expect.stringContaining(section)]);
    const link = index.getByRole('link', { name: section });
    const isInView = async () => {
      const { x, width, height } = (await link.boundingBox())!;
      return x >= 0 && x + width <= PHONE.viewport.width && height >= 44;
    };
    await expect.poll(isInView).toBe(true);
    // The requested section is visible below both bars.
    const bars = await index.boundingBox();
    const heading = await page.getByRole('heading', { level: 2, name: section }).boundingBox();
    expect(heading!.y).toBeGreaterThanOrEqual(bars!.y + bars!.height);
    expect(heading!.y).toBeLessThan(400);
  }
});

it('link to the next experiment follows the order of the list, wraps around to the newest, and animates the cover', async () => {
  const older = await publish({ title: 'Older', client: 'Aviary Trust' });
  const own = await publish({ title: 'Own' });
  onTestFinished(async () => void (await (await dataAs(admin)).from('projects').delete().in('id', [older, own])));
  const page = await openPage({ ...DESKTOP, reducedMotion: 'no-preference' });
  await page.addInitScript(() =>
    addEventListener('pagereveal', ({ viewTransition }) => {
      const tell = (joined: boolean) => sessionStorage.setItem('joined', String(joined));
      if (!viewTransition) return tell(false);
      viewTransition.ready.then(
        () => {
          const parts = document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).pseudoElement);
          tell(parts.includes('::view-transition-group(cover)'));
        },
        () => tell(false),
      );
    }),
  );
  const joined = async () => {
    await page.waitForFunction(() => sessionStorage.getItem('joined') !== null);
    return page.evaluate(() => {
      const came = sessionStorage.getItem('joined') === 'true';
      sessionStorage.clear();
      return came;
    });
  };
  await page.goto(`/case-studies/${own}`);
  // The first page has no referrer.
  expect(await joined()).toBe(false);
  const next = page.getByRole('region', { name: 'Next experiment' });
  expect(await next.innerText()).toMatch(/^NEXT: EXP \d{4} ·\s\d{4}\n+Older\n+Aviary Trust$/);
  // On a busy machine the browser may skip a transition, so a few navigations are tried.
  let [there, back] = [false, false];
  for (let way = 0; way < 4 && !(there && back); way++) {
    await next.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(`**/${older}/older`);
    there = (await joined()) || there;
    await page.goBack();
    await page.waitForURL(`**/${own}/own`);
    back = (await joined()) || back;
  }
  expect({ there, back }).toEqual({ there: true, back: true });
});

it('hides the blurred placeholder when the picture has loaded, and on paper', async () => {
  const page = await openAt('/case-studies');
  await page.locator('.cards a').first().click();
  await page.waitForURL(/case-studies\/./);
  const pictures = page.locator('.detail img');
  const standIns = () =>
    pictures.evaluateAll((all) => {
      const loaded = (all as HTMLImageElement[]).filter(({ complete, naturalWidth }) => complete && naturalWidth > 0);
      return loaded.filter((picture) => getComputedStyle(picture).backgroundImage !== 'none').length;
    });
  await pictures.and(page.locator('[style*=background], [loading=lazy]')).first().waitFor();
  await pictures.evaluateAll((all) => {
    for (const picture of all as HTMLImageElement[]) picture.loading = 'eager';
  });
  const unloaded = () =>
    pictures.evaluateAll((all) => all.filter((one) => !(one as HTMLImageElement).naturalWidth).length);
  await expect.poll(unloaded).toBe(0);
  await expect.poll(standIns).toBe(0);

  const unread = await openAt(new URL(page.url()).pathname, { ...DESKTOP, javaScriptEnabled: false });
  const picture = unread.locator('.detail img[style*=background]').first();
  const shown = () => picture.evaluate((one) => getComputedStyle(one).backgroundImage);
  expect(await shown()).toContain('url(');
  await unread.emulateMedia({ media: 'print' });
  expect(await shown()).toBe('none');
});

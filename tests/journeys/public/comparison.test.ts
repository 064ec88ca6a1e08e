import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, expectAccessible, PHONE } from '../../browser.ts';
import { openAt, startSeeded } from '../seeded.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded({ readOnly: true });

const FADING = '/case-studies/e0000000-0000-4000-8000-000000000015';

const figures = (page: Page) => page.locator('.comparison figure');
const slider = (page: Page) => page.getByRole('slider', { name: 'Before and after' });

/** Left and right edge of the visible part of each of the two pictures, in percent of the comparison's width. */
const shown = (page: Page) =>
  page.locator('.comparison').evaluate((comparison) => {
    const { left, width } = comparison.getBoundingClientRect();
    return [...comparison.querySelectorAll('.enlarge')].flatMap((link) => {
      const box = link.getBoundingClientRect();
      return [box.left, box.right].map((edge) => Math.round((100 * (edge - left)) / width));
    });
  });

it.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('comparison of two pictures has a slider for keyboard and pointer on %s', async (_, options) => {
  const page = await openAt(FADING, options);
  const scale = slider(page);
  await scale.scrollIntoViewIfNeeded();
  expect(await shown(page)).toEqual([0, 50, 50, 100]);
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight']) await scale.press(key);
  expect([await scale.inputValue(), ...(await shown(page))]).toEqual(['52', 0, 52, 52, 100]);
  await scale.press('Home');
  expect(await shown(page)).toEqual([0, 0, 0, 100]);
  await scale.press('End');
  expect(await shown(page)).toEqual([0, 100, 100, 100]);
  const box = (await scale.boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 16, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 16 + (box.width - 32) * 0.25, y, { steps: 5 });
  await page.mouse.up();
  expect(await shown(page)).toEqual([0, 25, 25, 100]);
});

it('comparison of two pictures causes no layout shift when the script or the pictures load, keeps the captions, descriptions and large views of both, and prints both side by side for any slider position', async () => {
  const page = await openAt(FADING);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const first = await height();
  await slider(page).scrollIntoViewIfNeeded();
  await page.locator('.detail img').evaluateAll((all) =>
    Promise.all(
      (all as HTMLImageElement[]).map((image) => {
        image.loading = 'eager';
        // A busy server may reject a width; the space is reserved nevertheless.
        return image.decode().catch(() => {});
      }),
    ),
  );
  expect(await height()).toBe(first);

  expect(await figures(page).locator('figcaption').allInnerTexts()).toEqual([
    expect.stringMatching(/^Before: week one/),
    expect.stringMatching(/^After: week four/),
  ]);
  const alts = await page.locator('.comparison img').evaluateAll((all) => all.map((one) => one.getAttribute('alt')));
  expect(alts).toEqual([expect.stringMatching(/^Four bright posters/), expect.stringMatching(/^The same wall/)]);
  expect(await visualFaults(page)).toEqual([]);
  await expectAccessible(page);
  const [before, after] = await figures(page).getByRole('img').all();
  const dialog = page.getByRole('dialog');
  for (const [picture, x, words] of [
    [before, 0.25, 'Before: week one'],
    [after, 0.75, 'After: week four'],
  ] as const) {
    const box = (await picture!.boundingBox())!;
    await page.mouse.click(box.x + box.width * x, box.y + box.height / 2);
    await dialog.getByText(words).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => navigation.canGoForward)).toBe(true);
  }
  expect(await page.locator('.gallery figure').count(), 'without the cover').toBe(3);

  await slider(page).press('Home');
  await page.emulateMedia({ media: 'print' });
  const [, middle, start] = await shown(page);
  expect([middle, start]).toEqual([expect.closeTo(50, -0.5), expect.closeTo(50, -0.5)]);
  expect(await slider(page).isVisible()).toBe(false);
});

it('comparison of two pictures shows both whole pictures without a script, side by side on a desktop and one below the other on a phone', async () => {
  const page = await openAt(FADING, { ...DESKTOP, javaScriptEnabled: false });
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    expect(await page.locator('.comparison input').isVisible()).toBe(false);
    const [before, after] = await Promise.all(
      (await figures(page).getByRole('img').all()).map((image) => image.boundingBox()),
    );
    expect(before!.width / before!.height).toBeCloseTo(4 / 3, 1);
    expect([after!.width, after!.height]).toEqual([before!.width, before!.height]);
    if (viewport === DESKTOP.viewport)
      expect([after!.y, after!.x > before!.x + before!.width]).toEqual([before!.y, true]);
    else expect(after!.y).toBeGreaterThan(before!.y + before!.height);
    for (const words of ['Before: week one', 'After: week four'])
      expect(await figures(page).getByText(words).isVisible()).toBe(true);
  }
});

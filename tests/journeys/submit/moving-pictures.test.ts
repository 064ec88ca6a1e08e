import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { animatedGif, fileOf, newPath } from '../../../packages/backend/tests/storage/files.ts';
import { DESKTOP, expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { clientOf } from '../../operator/client.ts';
import { addMedia, publish } from '../experiments.ts';
import { requestsOf } from '../hands.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { keepSession } from '../signing-in.ts';

startSeeded();

const { admin } = inject('accounts');
let id: string;
const [moving, made] = [newPath('gif'), newPath('jpg')];

async function upload(path: string, bytes: Uint8Array, type: string) {
  const stored = await clientOf(seeded).send(`/storage/v1/object/case-studies/${path}`, {
    method: 'POST',
    // As the form and the official client send it.
    headers: { 'cache-control': 'max-age=3600' },
    body: fileOf(bytes, type),
  });
  expect(stored.status).toBe(200);
  return `${seeded.base}/storage/v1/object/public/case-studies/${path}`;
}

beforeAll(async () => {
  const create = { width: 700, height: 500, channels: 3 as const, background: '#2b3bff' };
  const drawn = await sharp({ create }).jpeg().toBuffer();
  id = await publish(admin, { title: 'Frames' });
  const still = { type: 'image', project_id: id, description: null };
  const greys = await upload(moving, await animatedGif(12), 'image/gif');
  await addMedia(admin, [
    { ...still, url: await upload(made, drawn, 'image/jpeg'), title: 'Portrait', made: 'together', order: 0 },
    { ...still, url: greys, title: 'Twelve greys', made: null, order: 1 },
  ]);
});

/** URLs of complete animations that the page requested. */
const watched = (page: Page) =>
  requestsOf(page, (request) => request.url().includes(`/object/public/case-studies/${moving}`));

describe('animated picture', () => {
  it.each([
    ['without a script', false, DESKTOP],
    ['with scripts', true, PHONE],
  ] as const)(
    'shows its first frame until played by key or touch, and again afterwards: %s (D18)',
    async (_, javaScriptEnabled, device) => {
      const page = await openPage({ ...device, javaScriptEnabled });
      const asked = watched(page);
      await page.goto(`/case-studies/${id}`);
      const figure = page.locator('.gallery figure');
      await figure.scrollIntoViewIfNeeded();
      const still = figure.locator('.enlarge img');
      await expect.poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      expect(await still.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\/render\/image\/.*still=1/);
      // Without scripts browsers load lazy images immediately; this one is not shown.
      if (javaScriptEnabled) expect(asked).toEqual([]);
      expect(await figure.locator('details img').isVisible()).toBe(false);
      const button = figure.locator('summary');
      expect(await button.innerText()).toMatch(/^Play/);
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      await button.scrollIntoViewIfNeeded();
      const box = await figure.boundingBox();
      await button.press('Enter');
      await expect.poll(() => asked.length).toBe(1);
      expect(await button.innerText()).toMatch(/^Pause/);
      const whole = figure.locator('details img');
      expect(await whole.boundingBox()).toEqual(await still.boundingBox());
      expect(await figure.boundingBox()).toEqual(box);
      if (javaScriptEnabled) await expectAccessible(page);
      await button.click();
      await whole.waitFor({ state: 'hidden' });
      expectQuiet(page);
    },
  );

  it('plays in the large view; another picture is requested with its AI label, which the file contains (D18)', async () => {
    const page = await openPage();
    const asked = watched(page);
    await page.goto(`/case-studies/${id}`);
    const picture = page.locator('.detail-cover .enlarge');
    const shown = await picture.locator('img').evaluate((image: HTMLImageElement) => image.currentSrc || image.src);
    expect(shown).toContain('made=together');
    const response = await fetch(shown);
    expect(response.headers.get('cache-control')).not.toContain('no-cache');
    const { xmp } = await sharp(await response.arrayBuffer()).metadata();
    expect(xmp?.toString()).toContain('/compositeWithTrainedAlgorithmicMedia<');
    const original = await fetch(`${seeded.base}${await picture.getAttribute('href')}`);
    expect([original.status, original.headers.get('cache-control')]).toEqual([200, expect.stringContaining('max-age')]);

    await page.locator('.gallery .enlarge').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 of 2', { exact: true }).waitFor();
    const slide = dialog.locator('.lightbox-slide').nth(1);
    expect(asked).toEqual([]);
    await slide.locator('summary').click();
    await expect.poll(() => asked.length).toBe(1);
    await slide.locator('details img').waitFor();
    await expectAccessible(page);
    await slide.locator('summary').click();
    await slide.locator('details img').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expectQuiet(page);
  });

  it('shows its first frame in lists of the admin area (D18)', async () => {
    const page = await openPage();
    await keepSession(page, admin);
    const asked = watched(page);
    await page.goto('/admin');
    const drawn = page.getByRole('row').filter({ hasText: 'Frames' }).locator('.thumbnail img').nth(1);
    await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(asked).toEqual([]);
  });
});

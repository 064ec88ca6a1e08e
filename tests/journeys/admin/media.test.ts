import { afterEach, describe, expect, inject, it } from 'vitest';
import { expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { addMedia, draft, publish } from '../experiments.ts';
import { openPage, seeded, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';
import { picture } from '../submit/form.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const { admin, creator } = inject('accounts');
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

const pictureAt = (number: number, place: number) =>
  `${seeded.base}/storage/v1/object/public/case-studies/images/f0000000-0000-4000-8000-${`${number}`.padStart(6, '0')}${`${place}`.padStart(6, '0')}.png`;

describe('media of a project', () => {
  it('an admin sets cover, descriptions and a poster, and the public page has them (D12, D14)', async () => {
    const id = await publish(admin, { title: 'Chosen by an admin' });
    await addMedia(admin, [
      { project_id: id, type: 'image', url: pictureAt(8, 0), title: 'First', alt: null, order: 0 },
      { project_id: id, type: 'image', url: pictureAt(8, 1), title: 'Second', alt: 'Rings', order: 1 },
      { project_id: id, type: 'video', url: 'https://youtu.be/eRsGyueVLvQ', title: 'The film', alt: null, order: 2 },
    ]);
    const page = await openPage(browser);
    await enterAdmin(page, admin, `/admin/projects/${id}/edit`);
    const media = page.getByRole('region', { name: 'Media', exact: true });
    const coverOf = (name: string) => media.getByRole('button', { name: `Use as cover: Picture “${name}”` });
    expect(await coverOf('First').getAttribute('aria-pressed')).toBe('true');
    await coverOf('Second').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Picture “Second” is the cover.').waitFor();
    await expect.poll(() => coverOf('Second').getAttribute('aria-pressed')).toBe('true');
    expect(await coverOf('First').getAttribute('aria-pressed')).toBe('false');

    await media.getByRole('button', { name: 'Describe Picture “First”' }).click();
    const first = page.getByRole('form', { name: 'Describe Picture “First”' });
    expect(await first.getByLabel(/^What does it show/).evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    await first.getByLabel(/^What does it show/).fill('Bars that rise');
    await first.getByLabel(/^Decorative/).check();
    await first.getByLabel(/^Decorative/).uncheck();
    // The input is restored.
    expect(await first.getByLabel(/^What does it show/).inputValue()).toBe('Bars that rise');
    await first.getByLabel(/^Decorative/).check();
    await first.getByRole('button', { name: 'Save' }).click();
    await media.getByText('Decorative: skipped by screen readers').waitFor();

    await media.getByRole('button', { name: 'Describe Video “The film”' }).click();
    const film = page.getByRole('form', { name: 'Describe Video “The film”' });
    await film.getByLabel(/^Poster picture/).setInputFiles([await picture('poster.png', '#0a6638')]);
    await film.locator('.poster img').waitFor();
    expect(await visualFaults(page)).toEqual([]);
    await expectAccessible(page);
    await film.getByRole('button', { name: 'Save' }).click();
    await film.waitFor({ state: 'detached' });
    expectQuiet(page);

    const data = await dataAs(admin);
    const { data: stored } = await data
      .from('project_media')
      .select('title,alt,poster,is_cover')
      .eq('project_id', id)
      .order('order');
    expect(stored).toMatchObject([
      { title: 'First', alt: '', poster: null, is_cover: false },
      { title: 'Second', alt: 'Rings', poster: null, is_cover: true },
      { title: 'The film', poster: expect.stringContaining('/case-studies/images/') },
    ]);

    const reader = await openPage(browser, PHONE);
    await reader.goto(`/case-studies/${id}`);
    expect(await reader.locator('.detail-cover img').getAttribute('src')).toContain(
      'f0000000-0000-4000-8000-000008000001',
    );
    expect(await reader.locator('.detail-cover img').getAttribute('alt')).toBe('Rings');
    expect(
      await reader.locator('.gallery .enlarge img').evaluateAll((all) => all.map((each) => each.getAttribute('alt'))),
    ).toEqual(['']);
    const door = reader.locator('.gallery .media-postered');
    const { width, height } = (await door.locator('img').boundingBox())!;
    expect(width / height).toBeCloseTo(16 / 9, 1);
    expect(await door.locator('img').getAttribute('srcset')).toContain('/render/image/');
    expect(await visualFaults(reader)).toEqual([]);
    await expectAccessible(reader);
    await reader.goto('/case-studies');
    const card = reader.locator('.cards > li', { hasText: 'Chosen by an admin' }).locator('img').first();
    expect(await card.getAttribute('src')).toContain('f0000000-0000-4000-8000-000008000001');
    const image = await (await fetch(`${seeded.base}/case-studies/${id}/chosen-by-an-admin`)).text();
    expect(/"image":\[[^\]]*000008000001\.png/.test(image)).toBe(true);
    expectQuiet(reader);
  });
});

describe('content checks in the review queue', () => {
  it('lists improvements and fixes them in place (D14)', async () => {
    const id = await draft('A kettle that could be better', { account: creator });
    await addMedia(creator, [
      { project_id: id, type: 'image', url: pictureAt(9, 0), title: 'The kettle', alt: null, order: 0 },
    ]);
    const data = await dataAs(creator);
    expect(
      (
        await data
          .from('case_study_metadata')
          .upsert({ project_id: id, brief: '<h1>a</h1><p>b</p><h3>c</h3>' }, { onConflict: 'project_id' })
      ).error,
    ).toBeNull();
    const desk = await openPage(browser, PHONE);
    await enterAdmin(desk, admin, `/admin/review/${id}`);
    const list = desk.getByRole('region', { name: '2 things could be better' });
    await list.waitFor();
    await desk.getByText('What it shows: not said yet').waitFor();
    await list.getByRole('button', { name: 'Fix it: Picture 1 “The kettle” does not say what it shows.' }).click();
    await desk.getByLabel(/^What does it show/).fill('A kettle before a sun');
    expect(await visualFaults(desk)).toEqual([]);
    await expectAccessible(desk);
    await desk.getByLabel(/^What does it show/).press('Enter');
    await desk.getByRole('region', { name: '1 thing could be better' }).waitFor();
    await desk.getByText('What it shows: A kettle before a sun').waitFor();
    await expect.poll(() => desk.evaluate(() => document.activeElement?.id)).toBe('checklist');

    await desk.getByRole('link', { name: /^Fix it: In “The Brief” a heading 3/ }).click();
    // The heading in the project's form.
    await expect.poll(() => desk.evaluate(() => String(getSelection()))).toBe('c');
    expectQuiet(desk);
  });
});

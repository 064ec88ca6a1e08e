import { expect, inject, it } from 'vitest';
import { reviewWords } from '../../../app/features/reviews/words/review.ts';
import { expectAccessible, expectQuiet, PHONE } from '../../browser.ts';
import { draft, file, publish } from '../experiments.ts';
import { openPage, startSeeded } from '../seeded.ts';
import { browser } from '../shared-browser.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';
import { visualFaults } from '../visual-faults.ts';

startSeeded();

const { admin, member } = inject('accounts');

it('a project created in the admin area with category and tags is found by both on the public list (D7)', async () => {
  const page = await openPage(browser);
  await enterAdmin(page, admin, '/admin/projects/new');
  await page.getByLabel('Title').fill('A horn for foggy harbours');
  await page.getByLabel('Category').selectOption('Social Media');
  await page.getByLabel('Status').selectOption('active (public)');
  await page.getByLabel('Tags').fill('harbour');
  await page.getByLabel('Tags').press('Enter');
  await page.reload();
  await page.getByText('Your unsaved input is restored.').waitFor();
  await page.getByRole('button', { name: 'Remove tag harbour' }).waitFor();
  expect(await page.getByLabel('Category').inputValue()).toBe('social');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { level: 1, name: 'A horn for foggy harbours' }).waitFor();
  await page.getByText('harbour', { exact: true }).waitFor();

  const reader = await openPage(browser, PHONE);
  await reader.goto('/case-studies?category=social');
  await reader.getByText('A horn for foggy harbours').first().waitFor();
  await reader.goto('/case-studies?q=harbour');
  await reader.getByText('A horn for foggy harbours').first().waitFor();
  expectQuiet(page);
});

it('two admins who change category and tags concurrently keep their input and choose (D7)', async () => {
  const id = await publish(admin, { title: 'A lamp that leans' });
  await file(admin, id, { category: 'branding', tags: ['lamp'] });
  const page = await openPage(browser);
  await enterAdmin(page, admin, `/admin/projects/${id}/edit`);
  const category = page.getByLabel('Category');
  await category.selectOption('ai');
  await page.getByLabel('Client').fill('Lean & Sons');
  const data = await dataAs(admin);
  expect(
    (await data.rpc('file_project', { p_id: id, p_category: 'video', p_tags: ['lamp', 'film'] })).error,
  ).toBeNull();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const met = page.getByRole('region', { name: 'Someone saved this project while you were writing' });
  await met.getByText('You both changed: Category.').waitFor();
  await met.getByText('They also changed: Tags.').waitFor();
  await met.getByRole('button', { name: 'Compare field by field' }).click();
  await met.getByText('Theirs: Video Production').waitFor();
  await met.getByLabel('Theirs: Video Production').check();
  await expectAccessible(page);
  await met.getByRole('button', { name: 'Save this choice' }).click();
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  await page.getByText('Lean & Sons').first().waitFor();
  const { data: texts } = await data.from('case_study_metadata').select('category,tags').eq('project_id', id).single();
  expect(texts).toEqual({ category: 'video', tags: ['lamp', 'film'] });
});

it('an admin corrects the category and tags of a submission in the review queue, on a phone too, and versions and log record it (D7)', async () => {
  const id = await draft('A comb for cacti', { account: member });
  const desk = await openPage(browser, PHONE);
  await enterAdmin(desk, admin, `/admin/review/${id}`);
  await desk.getByRole('button', { name: reviewWords.file }).click();
  await desk.getByLabel('Category').selectOption('strategy');
  await desk.getByLabel('Tags').fill('cactus');
  await desk.getByRole('button', { name: 'Add tag' }).click();
  expect(await visualFaults(desk)).toEqual([]);
  await expectAccessible(desk);
  await desk.getByRole('button', { name: reviewWords.saveFiling }).click();
  await desk.getByText('Category and tags of “A comb for cacti” are saved.').waitFor();
  await desk.getByText('Strategy & Consulting').waitFor();
  await expect.poll(() => desk.evaluate(() => document.activeElement?.textContent)).toBe(reviewWords.file);

  await desk.goto(`/admin/projects/${id}`);
  await desk.getByRole('region', { name: 'Versions' }).getByText('Category, Tags').first().waitFor();
  await desk.goto('/admin/log');
  await desk
    .getByText('changed texts, category or tags of “A comb for cacti”')
    .or(desk.getByText('added texts, category or tags to “A comb for cacti”'))
    .first()
    .waitFor();
  // An answer refers to the version that was read; the correction does not block it.
  await desk.goto(`/admin/review/${id}`);
  await desk.getByRole('button', { name: reviewWords.publish, exact: true }).click();
  await desk.getByRole('dialog').getByRole('button', { name: reviewWords.publish, exact: true }).click();
  await desk.getByText('“A comb for cacti” is published.').waitFor();
  expectQuiet(desk);
});

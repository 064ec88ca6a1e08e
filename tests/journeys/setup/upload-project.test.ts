import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, expectFocus, fillSignIn, hold, mayComplain, stopClock } from '../../browser.ts';
import { openSignedIn, requestsOf } from '../hands.ts';
import { admin, htmlOf, member, openPage, startSeeded } from '../seeded.ts';
import { dataAs, keepSession } from '../signing-in.ts';

startSeeded();

const create = (page: Page) => page.getByRole('button', { name: 'Create project' }).click();
const title = (page: Page) => page.getByLabel('Title', { exact: true });
const added = (page: Page) => page.getByRole('list', { name: 'Media to add' }).getByRole('strong').allTextContents();

/** Returns what is stored under a title, as read by an admin. */
async function stored(name: string) {
  const columns =
    'title,description,client,status,budget,start_date,end_date,understanding,actions,impact,case_study_metadata(category,tags),project_media(type,url,title,alt,order)';
  const found = (await dataAs(admin)).from('projects').select(columns).eq('title', name);
  return (await found.order('order', { referencedTable: 'project_media' })).data;
}

it('Simple Project Upload stores a project with its media for an admin (ROUTE-13, UPLOAD-01, UPLOAD-02, UPLOAD-03, UPLOAD-04, UPLOAD-05, UPLOAD-06)', async () => {
  const page = await openSignedIn(admin, '/upload-project');
  await page.getByRole('heading', { level: 1, name: 'Simple Project Upload' }).waitFor();
  expect(await page.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
  const description = page.getByRole('textbox', { name: 'Description' });
  await page.locator('.ProseMirror').nth(3).waitFor();

  const sent = requestsOf(page, (request) => request.url().endsWith('/rpc/upload_project'));
  await page.getByLabel('Budget', { exact: true }).fill('-1');
  await create(page);
  await page.getByText('Title is required').waitFor();
  await page.getByText('Budget must be a number of 0 or more').waitFor();
  await expectFocus(title(page));

  await title(page).fill('Uploaded Umbrella');
  await page.getByLabel('Client').fill('Rain & Co');
  await description.fill('Rain, but on purpose.');
  await page.getByRole('textbox', { name: 'Our Understanding' }).fill('Everybody runs.');
  await page.getByRole('textbox', { name: 'What We Did' }).fill('We held it up.');
  await page.getByRole('textbox', { name: 'The Impact' }).fill('No one ran for cover.');
  await page.getByLabel('Category').selectOption('social');
  expect(await page.getByLabel('Status').inputValue()).toBe('draft');
  await page.getByLabel('Status').selectOption('active');
  await page.getByLabel('Start date').fill('2026-02-03');
  await page.getByLabel('End date').fill('2026-03-04');
  await page.getByLabel('Budget', { exact: true }).fill('99.95');
  for (const tag of ['rain', 'rain', 'street']) {
    await page.getByLabel('Tags').fill(tag);
    await page.getByLabel('Tags').press('Enter');
  }

  const url = page.getByLabel('Media URL');
  const mediaTitle = page.getByLabel('Media title');
  const add = page.getByRole('button', { name: 'Add Media' });
  expect(await page.getByLabel('Media type').inputValue()).toBe('image');
  for (const [address, name] of [
    ['', ''],
    ['https://pictures.example/1.png', ' '],
    ['', 'First'],
    ['javascript:alert(1)', 'First'],
  ] as const) {
    await url.fill(address);
    await mediaTitle.fill(name);
    expect(await add.isDisabled(), `${address} ${name}`).toBe(true);
    await mediaTitle.press('Enter');
  }
  expect(await added(page)).toEqual([]);
  await url.fill('https://pictures.example/1.png');
  await page.getByLabel('What does it show?').fill('An umbrella in the rain');
  await add.click();
  await url.fill('https://youtu.be/dQw4w9WgXcQ');
  await mediaTitle.fill('Second');
  await page.getByLabel('Media type').selectOption('video');
  await mediaTitle.press('Enter');
  expect([await url.inputValue(), await page.getByLabel('Media type').inputValue()]).toEqual(['', 'image']);
  await url.fill('https://pictures.example/3.png');
  await mediaTitle.fill('Third');
  await page.getByLabel('Decorative (no description needed)').check();
  await create(page);
  await page.getByText('This media item is not on the list yet').waitFor();
  await add.click();
  expect(await added(page)).toEqual(['First', 'Second', 'Third']);
  await page.getByRole('button', { name: 'Move Second up' }).click();
  await page.getByRole('button', { name: 'Remove Third' }).click();
  expect(await added(page)).toEqual(['Second', 'First']);
  await expectAccessible(page);
  expect(sent.length).toBe(0);

  await stopClock(page);
  await create(page);
  const said = page.locator('[aria-live=polite]').getByText('Project created successfully!', { exact: true });
  await said.waitFor();
  await page.clock.runFor(2_900);
  expect(await said.count()).toBe(1);
  await page.clock.runFor(200);
  await said.waitFor({ state: 'detached' });
  for (const field of [title(page), page.getByLabel('Client'), page.getByLabel('Category'), url])
    expect(await field.inputValue()).toBe('');
  expect(await page.getByLabel('Status').inputValue()).toBe('draft');
  expect((await description.textContent())?.trim()).toBe('');
  expect([await added(page), await page.locator('.tag').count()]).toEqual([[], 0]);

  expect(await htmlOf('/case-studies')).toContain('Uploaded Umbrella');
  expect(await stored('Uploaded Umbrella')).toMatchObject([
    {
      ...{ description: '<p>Rain, but on purpose.</p>', client: 'Rain & Co', status: 'active', budget: 99.95 },
      ...{ start_date: '2026-02-03', end_date: '2026-03-04' },
      ...{ understanding: '<p>Everybody runs.</p>', actions: '<p>We held it up.</p>' },
      impact: '<p>No one ran for cover.</p>',
      case_study_metadata: { category: 'social', tags: ['rain', 'street'] },
      project_media: [
        { type: 'video', url: 'https://youtu.be/dQw4w9WgXcQ', title: 'Second', order: 0 },
        {
          type: 'image',
          url: 'https://pictures.example/1.png',
          title: 'First',
          alt: 'An umbrella in the rain',
          order: 1,
        },
      ],
    },
  ]);
});

it('Simple Project Upload refuses a guest and an ordinary user, offers sign-in, and keeps the input (UPLOAD-07, UPLOAD-08, UPLOAD-09)', async () => {
  const page = mayComplain(await openPage({ viewport: { width: 320, height: 700 } }));
  const calls = requestsOf(page, (request) => /\/(auth|rest|functions)\/v1\//.test(request.url()));
  await page.goto('/upload-project');
  await page.getByText('You are not signed in').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await title(page).fill('Forbidden Fountain');
  await page.getByLabel('Media URL').fill('https://pictures.example/1.png');
  await page.getByLabel('Media title').fill('First');
  await page.getByRole('button', { name: 'Add Media' }).click();
  const refusal = page.getByRole('alert').getByText('Could not authenticate to create project', { exact: true });
  await create(page);
  await refusal.waitFor();
  // Neither by sign-in nor by sign-up nor otherwise.
  expect(calls.map((url) => new URL(url).pathname)).toEqual(['/rest/v1/rpc/upload_project']);
  const kept = async () => [await title(page).inputValue(), await added(page)];
  expect(await kept()).toEqual(['Forbidden Fountain', ['First']]);

  await fillSignIn(page, member);
  await page.getByText('who is neither an admin nor an editor').waitFor();
  await create(page);
  await refusal.waitFor();
  expect(await stored('Forbidden Fountain')).toEqual([]);

  await fillSignIn(page, admin);
  await page.getByRole('heading', { name: 'Sign in as an admin' }).waitFor({ state: 'detached' });
  const loseAnswer = (route: Route) => route.fetch().then(() => route.abort());
  await page.route('**/rpc/upload_project', loseAnswer, { times: 1 });
  await create(page);
  await page.getByRole('alert').getByText('Failed to create project').waitFor();
  expect(await kept()).toEqual(['Forbidden Fountain', ['First']]);
  await create(page);
  await page.getByText('Project created successfully!').waitFor();
  expect(await stored('Forbidden Fountain')).toMatchObject([{ project_media: [{ title: 'First' }] }]);
});

it('Simple Project Upload keeps input typed, chosen and ticked before hydration', async () => {
  const page = await openPage();
  await keepSession(page, admin);
  const go = await hold(page, '**/assets/entry.client*');
  await page.goto('/upload-project', { waitUntil: 'domcontentloaded' });
  await title(page).pressSequentially('Early Otter');
  await page.getByRole('textbox', { name: 'Description' }).fill('Up before the page.');
  await page.getByLabel('Category').selectOption('video');
  await page.getByLabel('Status').selectOption('archived');
  await page.getByLabel('Tags').fill('dawn');
  await page.getByLabel('Start date').fill('2026-02-03');
  await page.getByLabel('Budget', { exact: true }).fill('7.5');
  const budgetShown = page.getByLabel('Show the budget publicly');
  const ticked = await budgetShown.isChecked();
  await budgetShown.click();
  await page.getByLabel('Media URL').fill('https://pictures.example/1.png');
  await page.getByLabel('Media title').fill('First');
  await page.getByLabel('Media type').selectOption('demo');
  for (const key of ['End', 'ArrowLeft']) await title(page).press(key);
  go();
  await page.getByRole('button', { name: 'Add tag' }).waitFor();
  await page.locator('button[type=submit]:enabled').waitFor();
  expect(await title(page).evaluate((field: HTMLInputElement) => field.selectionStart)).toBe('Early Otte'.length);
  expect(await budgetShown.isChecked()).toBe(!ticked);
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByRole('button', { name: 'Add Media' }).click();
  await create(page);
  await page.getByText('Project created successfully!').waitFor();
  expect(await stored('Early Otter')).toMatchObject([
    {
      ...{ description: '<p>Up before the page.</p>', status: 'archived', start_date: '2026-02-03' },
      // Unchecked: the project is visible to admins only.
      budget: null,
      case_study_metadata: { category: 'video', tags: ['dawn'] },
      project_media: [{ type: 'demo', url: 'https://pictures.example/1.png', title: 'First' }],
    },
  ]);
});

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { editing } from '../../../app/features/projects/words.ts';
import { newId, newSecret } from '../../../app/lib/data/ids.ts';
import { admin as words } from '../../../app/lib/words/admin.ts';
import { png } from '../../../packages/backend/tests/storage/files.ts';
import { expectAccessible, hold, keptInTab, mayComplain } from '../../browser.ts';
import { draft, publish } from '../experiments.ts';
import { expectFaultlessOnDesktopAndPhone, openAsAdmin, requestsOf } from '../hands.ts';
import { admin, creator, htmlOf, openPage, seeded, startSeeded } from '../seeded.ts';
import { dataAs, dataWith, keepSession } from '../signing-in.ts';

startSeeded();

const picture = (n: number) => `${seeded.base}/work/chai-atlas.svg?${n}`;
const media = (page: Page) => page.getByRole('group', { name: 'Media' });
const team = (page: Page) => page.getByRole('region', { name: 'Project Team' });
const create = (page: Page) => page.getByRole('button', { name: 'Create project' }).click();

async function addMedia(page: Page, url: string, title: string) {
  await media(page).getByLabel('Media URL').fill(url);
  await media(page).getByLabel('Media title').fill(title);
  await media(page).getByRole('button', { name: 'Add Media' }).click();
  const remove = media(page).getByRole('button', { name: `Remove ${title}` });
  await remove.waitFor();
}
async function addMember(page: Page, name: string, role: string, share: string) {
  await team(page).getByLabel('Name or email').fill(name);
  await team(page).getByLabel('Role').fill(role);
  await team(page).getByLabel('Share in percent').fill(share);
  await team(page).getByRole('button', { name: 'Add to the team' }).click();
  const remove = team(page).getByRole('button', { name: `Remove ${name} from the team` });
  await remove.waitFor();
}

it('new project is created with its media, picture files and team in one request (M8)', async () => {
  const title = `Tide clock ${newId().slice(0, 8)}`;
  const page = await openAsAdmin('/admin/projects/new');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Add media by address' }).click();
  await addMedia(page, picture(1), 'First');
  await addMedia(page, picture(2), 'Second');
  await media(page).getByRole('button', { name: 'Move Second up' }).click();
  const fourth = media(page).getByRole('button', { name: 'Remove fourth-tide' });
  const [third, other] = [await png(64, 64), await png()];
  await page.route('**/storage/v1/object/**', async (route) => {
    if (route.request().postDataBuffer()?.includes(third)) await fourth.waitFor();
    await route.continue();
  });
  await page.getByLabel('Or picture files').setInputFiles([
    { name: 'third-tide.png', mimeType: 'image/png', buffer: third },
    { name: 'fourth-tide.png', mimeType: 'image/png', buffer: other },
    { name: 'no-picture.png', mimeType: 'image/png', buffer: Buffer.from('text') },
  ]);
  await page.getByRole('alert').getByText('no-picture.png is not a picture we can show.').waitFor();
  await page.getByRole('button', { name: 'Remove no-picture.png' }).click();
  await media(page).getByRole('button', { name: 'Remove third-tide' }).waitFor();
  await addMember(page, 'Asha Rao', 'Director', '60.5');
  await addMember(page, 'Ben', '', '39.5');
  await team(page).getByText('All 100% are given').waitFor();
  await team(page).getByLabel('Name or email').fill('Cleo');
  await expectFaultlessOnDesktopAndPhone(page);
  await expectAccessible(page);

  // A member who is typed but not added stops the form.
  await create(page);
  await page.getByRole('alert').getByText(editing.memberNotAdded).waitFor();
  await team(page).getByLabel('Name or email').fill('');

  // Media and team survive a reload, like the fields.
  await keptInTab(page, 'Second');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText('Your unsaved input is restored.').waitFor();
  await media(page).getByRole('button', { name: 'Remove Second' }).waitFor();

  const sent = requestsOf(page, (request) => request.method() === 'POST' && request.url().includes('/rest/v1/'));
  await create(page);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  const paths = sent.map((url) => new URL(url).pathname);
  expect(paths.filter((path) => !path.endsWith('/is_admin'))).toEqual(['/rest/v1/rpc/upload_project']);
  const columns = 'project_media(title,url),project_members(name,role,contribution_percentage)';
  const rows = (await dataAs(admin)).from('projects').select(columns).eq('title', title);
  const sorted = rows.order('order', { referencedTable: 'project_media' });
  const stored = { url: expect.stringMatching(/\/case-studies\/images\/[-0-9a-f]{36}\.png$/) };
  expect((await sorted.order('name', { referencedTable: 'project_members' }).single()).data).toEqual({
    project_media: [
      { title: 'Second', url: picture(2) },
      { title: 'First', url: picture(1) },
      { title: 'third-tide', ...stored },
      { title: 'fourth-tide', ...stored },
    ],
    project_members: [
      { name: 'Asha Rao', role: 'Director', contribution_percentage: 60.5 },
      { name: 'Ben', role: null, contribution_percentage: 39.5 },
    ],
  });
  await page.goto('/admin/projects/new');
  expect(await page.getByLabel('Title').inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Remove First' }).count()).toBe(0);
});

it('new project takes no input while it is created, reports a failure with the next step, and creates no duplicate after a lost response (U29)', async () => {
  const title = `Tide table ${newId().slice(0, 8)}`;
  const page = mayComplain(await openAsAdmin('/admin/projects/new'));
  const field = page.getByLabel('Title');
  await field.fill(title);
  await page.route('**/rpc/upload_project', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, json: { message: 'the line is down', code: 'XX000' } });
  });
  const go = await hold(page, '**/rpc/upload_project');
  await create(page);
  await page.getByRole('button', { name: 'Creating...' }).waitFor();
  await field.focus();
  await page.keyboard.type(' with more');
  expect(await field.inputValue()).toBe(title);
  go();
  const alert = page.getByRole('alert');
  await alert.getByText('API Error: the line is down', { exact: true }).waitFor();
  await alert.getByText(editing.createAgain).waitFor();
  await page.unroute('**/rpc/upload_project');
  await create(page);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  const { data } = await (await dataAs(admin)).from('projects').select('id').eq('title', title);
  expect(data).toHaveLength(1);
});

it('a project created in the admin area with category and tags is found by both on the public list (D7)', async () => {
  const page = await openAsAdmin('/admin/projects/new');
  await page.getByLabel('Title').fill('A horn for foggy harbours');
  await page.getByLabel('Category').selectOption('Social Media');
  await page.getByLabel('Status').selectOption('active (public)');
  await page.getByLabel('Tags').fill('harbour');
  await page.getByLabel('Tags').press('Enter');
  await page.reload();
  await page.getByText('Your unsaved input is restored.').waitFor();
  await page.getByRole('button', { name: 'Remove tag harbour' }).waitFor();
  expect(await page.getByLabel('Category').inputValue()).toBe('social');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { level: 1, name: 'A horn for foggy harbours' }).waitFor();
  await page.getByText('harbour', { exact: true }).waitFor();

  for (const search of ['category=social', 'q=harbour'])
    expect(await htmlOf(`/case-studies?${search}`)).toContain('A horn for foggy harbours');
});

it('the author of a project is shown with the email address of the submitter (M7)', async () => {
  const secret = newSecret();
  const guests = await draft('A fan of a guest', { secret });
  const contact = { p_project: guests, p_email: 'asha@example.com' };
  await dataWith({ 'x-draft-secret': secret }).rpc('leave_contact', contact).throwOnError();
  const page = await openPage();
  await keepSession(page, admin);
  const region = page.getByRole('region', { name: 'Details' });
  for (const [id, author, submitter] of [
    [await draft('A fan of a member', { account: creator }), expect.stringContaining(creator.email), creator.email],
    [await publish({ title: 'A fan of an admin', status: 'draft' }), expect.stringContaining(admin.email), null],
    [await draft('A fan without an address', { secret: newSecret() }), words.guest, words.noAddress],
    [guests, words.guest, 'asha@example.com'],
  ]) {
    await page.goto(`/admin/projects/${id}`);
    // The value is loaded separately from the project.
    const value = (name: string) => region.locator(`dt:has-text("${name}") + dd`);
    await expect.poll(() => value('Created by').innerText()).toMatch(/\S/);
    expect(await value('Created by').innerText()).toEqual(author);
    expect(await value('Submitted by').allInnerTexts()).toEqual(submitter === null ? [] : [submitter]);
  }
  const letter = region.getByRole('link', { name: 'asha@example.com' });
  expect(await letter.getAttribute('href')).toBe('mailto:asha%40example.com');
});

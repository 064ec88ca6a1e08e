import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, keptInTab } from '../../browser.ts';
import { file, publish } from '../experiments.ts';
import { creditsOn, openAsAdmin } from '../hands.ts';
import { admin, startSeeded } from '../seeded.ts';
import { dataAs } from '../signing-in.ts';

startSeeded();

async function projectWith(title: string, credits: object[]): Promise<string> {
  const id = await publish({ title });
  await file(id, { credits });
  const members = (await dataAs(admin)).from('project_members');
  await members.insert({ project_id: id, name: 'Zarina Ghadiali' }).throwOnError();
  return id;
}

const IDEA = { part: 'Idea', made: 'hand', people: ['Asha Rao'] };
const row = (page: Page, name: string) => page.locator('.credits-editor').getByRole('group', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();
const openEdit = async (id: string) => {
  const opened = await openAsAdmin(`/admin/projects/${id}/edit`);
  await opened.locator('.credits-editor').waitFor();
  return opened;
};

it('credits in the admin area are edited in the form with suggestions from the team, survive a reload, and appear in version differences', async () => {
  const id = await projectWith('Credited by us', [IDEA]);
  const page = await openEdit(id);
  const editor = page.locator('.credits-editor');
  await editor.getByRole('button', { name: 'Add Film' }).click();
  await save(page);
  await editor.getByText('Choose how this part was made, or remove it.').waitFor();
  await row(page, 'Film').getByRole('radio', { name: 'By machine' }).check();
  await row(page, 'Film').getByText('People and tools').click();
  const offered = await row(page, 'Film').getByLabel('People').getAttribute('list');
  expect(await page.locator(`datalist[id="${offered}"] option`).getAttribute('value')).toBe('Zarina Ghadiali');
  await row(page, 'Film').getByLabel('People').fill('Zarina Ghadiali');
  await expectAccessible(page);
  await keptInTab(page, 'Zarina Ghadiali');
  await page.reload();
  await page.getByText('Discard').waitFor();
  expect(await row(page, 'Film').locator('summary').innerText()).toContain('Zarina Ghadiali');
  await save(page);
  await page.getByRole('heading', { name: 'Credited by us' }).waitFor();
  expect(await creditsOn(page)).toEqual(['Idea By hand: Asha Rao', 'Film By machine: Zarina Ghadiali']);

  const { data: versions } = await (await dataAs(admin)).from('project_versions').select('number').eq('project_id', id);
  await page.goto(`/admin/projects/${id}/versions/${versions!.length}`);
  await page.getByText('Added').waitFor();
  const difference = page.locator('.differences > div', { hasText: 'Who made what' });
  expect(await difference.innerText()).toContain('Added Film, by machine: Zarina Ghadiali');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.locator('.credit-list', { hasText: 'Zarina' }).waitFor();
  await page.goto(`/case-studies/${id}`);
  expect(await page.locator('.credits').innerText()).toMatch(/hand\s50\smachine\s50/i);
});

it('credits in the admin area shows both values to two admins who change a credit concurrently, and overwrites neither', async () => {
  const id = await projectWith('Credited by two', [IDEA]);
  const page = await openEdit(id);
  await row(page, 'Idea').getByRole('radio', { name: 'Together' }).check();
  const credits = [{ ...IDEA, made: 'machine' }];
  const data = await dataAs(admin);
  await data.from('case_study_metadata').update({ credits }).eq('project_id', id).throwOnError();
  await data.from('projects').update({ client: 'Theirs' }).eq('id', id).throwOnError();
  await save(page);
  await page.getByRole('button', { name: /compare/i }).click();
  const choice = page.getByRole('group', { name: 'Who made what' });
  expect(await choice.innerText()).toContain('Theirs: Idea by machine: Asha Rao');
  expect(await choice.innerText()).toContain('Mine: Idea by hand and machine together: Asha Rao');
  await choice.getByLabel(/^Theirs/).check();
  await page.getByRole('button', { name: /save/i }).first().click();
  await page.getByRole('heading', { name: 'Credited by two' }).waitFor();
  expect(await page.locator('.credit-list').innerText()).toMatch(/by machine: Asha Rao/i);
});

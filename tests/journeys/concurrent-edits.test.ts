import { expect, it } from 'vitest';
import { hold, mayComplain } from '../browser.ts';
import { addMedia, publish } from './experiments.ts';
import { openAsAdmin, requestsOf } from './hands.ts';
import { button, dialog } from './page-editor.ts';
import { admin, startSeeded } from './seeded.ts';
import { dataAs } from './signing-in.ts';
import { fillInAndUpload, openNewForm, picture, privateLink, send } from './submit/form.ts';

startSeeded();

const CHANGED = 'Someone else changed this meanwhile';

it('a form of an open project does not overwrite what another admin saved, also when the list was loaded again', async () => {
  const id = await publish({ title: 'Two admins' });
  const data = await dataAs(admin);
  const demo = { project_id: id, type: 'demo' };
  await addMedia(['One', 'Two'].map((title, order) => ({ ...demo, url: `https://a.example/${order}`, title, order })));
  const ben = { project_id: id, name: 'Ben', contribution_percentage: 10 };
  await data.from('project_members').insert(ben).throwOnError();
  const page = await openAsAdmin(`/admin/projects/${id}/edit`);

  const team = page.getByRole('region', { name: 'Project Team' });
  await team.getByRole('button', { name: 'Change Ben' }).click();
  await data.from('project_members').update({ contribution_percentage: 40 }).eq('project_id', id).throwOnError();
  await team.getByLabel('Name or email').fill('Zoe');
  await team.getByRole('button', { name: 'Add to the team' }).click();
  await team.getByText('Zoe').first().waitFor();
  const member = team.locator('.member-form');
  await member.getByLabel('Name').fill('Benjamin');
  await member.getByRole('button', { name: 'Save' }).click();
  await team.getByText(CHANGED).waitFor();
  const rows = data.from('project_members').select('name, contribution_percentage').eq('project_id', id).order('name');
  expect((await rows).data).toMatchObject([{ name: 'Ben', contribution_percentage: 40 }, { name: 'Zoe' }]);

  const media = page.getByRole('region', { name: 'Media', exact: true });
  await media.getByRole('button', { name: 'Describe Demo “One”' }).click();
  const change = data.from('project_media').update({ description: 'Theirs' }).eq('project_id', id);
  await change.eq('title', 'One').throwOnError();
  await media.getByRole('button', { name: 'Move Demo “Two” up' }).click();
  await media.getByText('Theirs').first().waitFor();
  const form = page.getByRole('form', { name: /^Describe Demo/ });
  await form.getByLabel('Title').fill('One, mine');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText(CHANGED).waitFor();
  const described = data.from('project_media').select('title, description').eq('project_id', id).order('order');
  expect((await described).data).toEqual([
    { title: 'Two', description: null },
    { title: 'One', description: 'Theirs' },
  ]);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await described).data).toContainEqual({ title: 'One, mine', description: 'Theirs' });
});

it('a form of an open project adds it to the home page beside what another admin added, and reports that it cannot be deleted without a connection', async () => {
  const [one, two] = [await publish({ title: 'Featured one' }), await publish({ title: 'Featured two' })];
  const data = await dataAs(admin);
  const featured = async () =>
    (await data.from('featured_experiments').select('project_id').order('place').throwOnError()).data!.map(
      ({ project_id }) => project_id as string,
    );
  const before = await featured();
  const page = mayComplain(await openAsAdmin(`/admin/projects/${one}`));
  const add = page.getByRole('button', { name: 'Show on the home page' });
  await add.waitFor();
  await data.rpc('feature_experiments', { p_ids: [...before, two] }).throwOnError();
  await add.click();
  await expect.poll(featured).toEqual([...before, two, one]);
  expect(page.complaints).toEqual([]);

  await button(page, 'Delete').click();
  await dialog(page).waitFor();
  await page.context().setOffline(true);
  await dialog(page).getByRole('button', { name: 'Delete' }).last().click();
  await page.getByText('Failed to delete project').first().waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});

it('the page editor keeps what is typed while a picture is uploaded, and puts the picture where its section has moved to', async () => {
  const page = await openAsAdmin('/admin/pages');
  await button(page, 'New page').click();
  await dialog(page).getByLabel('Title').fill('Meanwhile');
  await button(page, 'Create page').click();
  await page.getByRole('heading', { level: 1, name: 'Meanwhile' }).waitFor();
  for (let count = 0; count < 2; count++) await button(page, 'Add picture').click();
  const section = (place: number) => page.getByRole('group', { name: `Section ${place}`, exact: true });
  await section(1).getByLabel('Caption (optional)').fill('Wants the door');
  await section(2).getByLabel('Caption (optional)').fill('Wants nothing');
  const release = await hold(page, '**/storage/v1/object/case-studies/**');
  const uploading = page.waitForRequest(/\/storage\/v1\/object\/case-studies\//);
  const door = await picture('Door.png', '#0a6638');
  await section(1).getByLabel('Or upload a picture').setInputFiles([door]);
  await uploading;
  await page.getByLabel('Lead (optional)').fill('Typed meanwhile');
  const down = page.getByRole('button', { name: /^Move .* down$/ });
  await down.first().click();
  release();
  await section(2).getByLabel('What does it show?').waitFor();
  expect(await section(2).getByLabel('Caption (optional)').inputValue()).toBe('Wants the door');
  expect(await section(1).getByLabel('What does it show?').count()).toBe(0);
  expect(await page.getByLabel('Lead (optional)').inputValue()).toBe('Typed meanwhile');
});

it('a reviewer does not publish what the submission became behind the open dialog', async () => {
  const guest = await openNewForm();
  await fillInAndUpload(guest, 'Read before');
  await send(guest);
  const { id } = await privateLink(guest);
  const page = await openAsAdmin(`/admin/review/${id}`);
  await page.getByRole('heading', { level: 2, name: 'Read before' }).waitFor();
  await button(page, 'Publish').click();
  await dialog(page).getByRole('heading', { name: 'Publish it?' }).waitFor();
  const data = await dataAs(admin);
  await data.from('projects').update({ title: 'Never read' }).eq('id', id).throwOnError();
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('heading', { level: 2, name: 'Never read', includeHidden: true }).waitFor({ state: 'attached' });
  await dialog(page).getByRole('textbox').fill('Lovely work');
  await dialog(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog(page).getByText('It was changed since you opened it.').waitFor();
  expect((await data.from('projects').select('status').eq('id', id)).data).toEqual([{ status: 'draft' }]);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await button(page, 'Publish').click();
  expect(await dialog(page).getByRole('textbox').inputValue()).toBe('Lovely work');
});

it('a reviewer keeps the screen while the session cannot be renewed', async () => {
  const page = mayComplain(await openAsAdmin('/admin/settings'));
  await page.clock.install();
  const email = page.getByLabel('Email', { exact: true });
  await email.fill('typed@but-not-saved.example');
  const attempts = requestsOf(page, (request) => request.url().includes('/auth/v1/token'));
  await page.route('**/auth/v1/token*', (route) => route.abort());
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => /^sb-.*-auth-token$/.test(one))!;
    const session = { ...JSON.parse(localStorage.getItem(key)!), expires_at: 1 };
    localStorage.setItem(key, JSON.stringify(session));
    new BroadcastChannel(key).postMessage({ event: 'TOKEN_REFRESHED', session });
  });
  // The client gives up after half a minute; asking for the caller again is a second attempt.
  await expect.poll(() => page.clock.runFor(31_000).then(() => attempts.length)).toBeGreaterThan(3);
  expect(await page.getByRole('heading', { name: 'Admin Login' }).count()).toBe(0);
  expect(await email.inputValue()).toBe('typed@but-not-saved.example');
});

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, expectFocus, hold, keptInTab, mayComplain, PHONE } from '../../browser.ts';
import { addMedia, file, publish } from '../experiments.ts';
import { mockError, openAsAdmin } from '../hands.ts';
import { admin, creator, htmlOf, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin, sessionOf } from '../signing-in.ts';
import { picture } from '../submit/form.ts';

startSeeded();

async function projectWith(title: string, ...films: string[]): Promise<string> {
  const id = await publish({ title, status: 'draft', description: '<p>Mirrors for everybody in town.</p>' });
  const demo = { project_id: id, type: 'demo' };
  const media = films.map((name, order) => ({ ...demo, url: `https://example.com/${order}`, title: name, order }));
  if (media.length > 0) await addMedia(media);
  return id;
}

const mediaOf = (page: Page) => page.getByRole('region', { name: 'Media' });
const orderOn = (page: Page) => mediaOf(page).locator('.media-row strong').allTextContents();
const saved = (page: Page) => page.waitForResponse(/rpc\/reorder_project_media/);
async function reopened(page: Page) {
  await page.reload();
  await mediaOf(page).locator('.media-row').first().waitFor();
  return orderOn(page);
}

it('media of a project are sorted by keyboard, buttons and pointer with announcements, and keep their order after a reload (PFORM-12)', async () => {
  const id = await projectWith('Sorted', 'One', 'Two', 'Three', 'Four');
  const page = await openAsAdmin(`/admin/projects/${id}/edit`);
  const handle = (name: string) => page.getByRole('button', { name: `Move Demo “${name}”`, exact: true });
  const said = (text: string | RegExp) => mediaOf(page).locator('[aria-live]', { hasText: text }).waitFor();

  await handle('Three').press('Space');
  await said('Demo “Three” picked up. Place 3 of 4.');
  for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowUp');
  await said('Demo “Three”: place 1 of 4.');
  await page.keyboard.press('Escape');
  await said('Demo “Three” put back at place 3.');
  expect(await orderOn(page)).toEqual(['One', 'Two', 'Three', 'Four']);

  let answer = saved(page);
  for (const key of ['Enter', 'ArrowUp', 'Space']) await page.keyboard.press(key);
  await said('Demo “Three” dropped at place 2 of 4.');
  expect((await answer).status()).toBe(204);
  await expectFocus(handle('Three'));
  expect(await reopened(page)).toEqual(['One', 'Three', 'Two', 'Four']);

  answer = saved(page);
  const down = page.getByRole('button', { name: 'Move Demo “One” down' });
  await down.click();
  await answer;
  await expectFocus(down);
  expect(await reopened(page)).toEqual(['Three', 'One', 'Two', 'Four']);

  answer = saved(page);
  // The texts above become taller when their editors load.
  await page.locator('.ProseMirror').nth(3).waitFor();
  await handle('Four').hover();
  await page.mouse.down();
  const top = (await handle('Three').boundingBox())!;
  await page.mouse.move(top.x + 5, top.y + 60, { steps: 4 });
  await page.mouse.move(top.x + 5, top.y - 5, { steps: 4 });
  await page.mouse.up();
  await answer;
  expect(await reopened(page)).toEqual(['Four', 'Three', 'One', 'Two']);

  await mockError(page, '**/rpc/reorder_project_media', 409, 'The press is jammed', { code: 'PT409' });
  await page.getByRole('button', { name: 'Move Demo “Two” up' }).click();
  await page.getByRole('alert').getByText('The press is jammed').waitFor();
  await mediaOf(page).locator('.media-row strong').last().getByText('Two').waitFor();
  expect(await orderOn(page)).toEqual(['Four', 'Three', 'One', 'Two']);
});

it('media of a project are uploaded as files on a phone with a retry, get descriptions in place, and are restored after a delete (ERR-11)', async () => {
  const id = await projectWith('On a phone', 'A film');
  const page = await openAsAdmin(`/admin/projects/${id}/edit`, PHONE);
  await page.route('**/storage/v1/object/**', (route) => route.fulfill({ status: 400, body: '' }));
  const files = page.getByLabel('Or picture files');
  await files.setInputFiles([await picture('first.png')]);
  await page.getByText('Not uploaded. Upload failed with no error').waitFor();
  await page.getByRole('button', { name: 'Remove first.png' }).click();
  await page.unroute('**/storage/v1/object/**');

  await mockError(page, '**/rest/v1/project_media*', 500, 'the press is jammed', { method: 'POST' });
  await files.setInputFiles([await picture('second.png')]);
  await page.getByText('Not uploaded. API Error: the press is jammed').waitFor();
  await page.unroute('**/rest/v1/project_media*');
  await page.getByRole('button', { name: 'Try second.png again' }).click();
  // The name of the file is its first title.
  await mediaOf(page).getByText('What it shows: not said yet').waitFor();
  await page.getByRole('button', { name: 'Describe Picture “second”' }).click();
  const describing = page.getByRole('form', { name: 'Describe Picture “second”' });
  await describing.getByLabel('Title').fill('A mirror');
  await describing.getByLabel('Caption').fill('Silver on glass');
  await page.getByLabel(/^What does it show/).fill('A hand mirror, face down');
  await page.getByLabel(/^Who made it/).selectOption('together');
  await expectAccessible(page);
  await mediaOf(page).getByRole('button', { name: 'Save' }).click();
  await mediaOf(page).getByText('Silver on glass').waitFor();
  await mediaOf(page).getByText('What it shows: A hand mirror, face down').waitFor();
  // The form, which shows the same text, may still be closing.
  await mediaOf(page).locator('.media-said', { hasText: 'Made by hand and machine together' }).waitFor();
  expect(await reopened(page)).toEqual(['A film', 'A mirror']);

  for (const name of ['Delete media A mirror', 'Delete Permanently', 'Undo: Media item deleted.'])
    await page.getByRole('button', { name }).click();
  await mediaOf(page).getByText('Silver on glass').waitFor();
  expect(await reopened(page)).toEqual(['A film', 'A mirror']);
});

it('media of a project that arrive while another is added or moved have places of their own, and are not left behind with a description or a member that is only typed', async () => {
  const id = await projectWith('Arriving', 'One', 'Two');
  const page = await openAsAdmin(`/admin/projects/${id}/edit`);
  const upload = async (name: string) => {
    const go = await hold(page, '**/storage/v1/object/**');
    await page.getByLabel('Or picture files').setInputFiles([await picture(`${name}.png`)]);
    await page.getByRole('progressbar', { name: `Upload of ${name}.png` }).waitFor();
    return go;
  };
  let go = await upload('Slow');
  const address = mediaOf(page).locator('.add-media-form');
  await address.getByLabel('Type').selectOption('demo');
  await address.getByLabel('Address').fill('https://example.com/fast');
  await address.getByLabel('Title').fill('Fast');
  await address.getByRole('button', { name: 'Add Media via URL' }).click();
  await mediaOf(page).locator('.media-row strong').getByText('Fast').waitFor();
  go();
  await mediaOf(page).locator('.media-row strong').getByText('Slow').waitFor();
  const data = await dataAs(admin);
  const { data: stored } = await data.from('project_media').select('order').eq('project_id', id).throwOnError();
  expect(new Set(stored!.map(({ order }) => order)).size).toBe(4);
  const before = await orderOn(page);
  expect(before.toSorted()).toEqual(['Fast', 'One', 'Slow', 'Two']);

  go = await upload('Later');
  const answer = saved(page);
  await page.getByRole('button', { name: 'Move Demo “Two”', exact: true }).press('Space');
  await page.keyboard.press('ArrowUp');
  go();
  await mediaOf(page).locator('.media-row strong').getByText('Later').waitFor();
  await page.keyboard.press('Space');
  expect((await answer).status()).toBe(204);
  expect(await reopened(page)).toEqual(['Two', 'One', ...before.slice(2), 'Later']);

  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const saveAndStay = async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'hidden' });
  };
  await page.getByRole('button', { name: 'Describe Demo “One”' }).click();
  const caption = page.getByRole('form', { name: 'Describe Demo “One”' }).getByLabel('Caption');
  await caption.fill('Silver on glass');
  await saveAndStay();
  expect(await caption.inputValue()).toBe('Silver on glass');
  await mediaOf(page).getByRole('button', { name: 'Save' }).click();
  await mediaOf(page).getByText('Silver on glass').waitFor();
  const member = page.getByRole('region', { name: 'Project Team' }).getByLabel('Name or email');
  await member.fill('Asha Rao');
  await saveAndStay();
  await member.fill('');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Arriving' }).waitFor();
});

it('an admin builds a team from accounts and names, and its shares never exceed 100 percent (ENT-15, ENT-16, PDET-05)', async () => {
  const id = await projectWith('A team of two');
  const page = await openAsAdmin(`/admin/projects/${id}`);
  const team = page.getByRole('region', { name: 'Project Team' });
  const member = (name: string) => team.getByRole('listitem').filter({ hasText: name });
  const add = async (who: string, role: string, share: string) => {
    await team.getByLabel('Role').fill(role);
    await team.getByLabel('Share in percent').fill(share);
    await team.getByLabel('Name or email').fill(who);
  };
  const send = () => team.getByRole('button', { name: 'Add to the team' }).click();

  await add(creator.email, 'Director', '70');
  const field = (name: string) => team.getByRole('textbox', { name });
  await team.getByRole('list', { name: 'Accounts' }).getByRole('button').first().press('Enter');
  await expectFocus(field('Role'));
  await team.getByRole('button', { name: 'Someone else' }).press('Enter');
  await expectFocus(field('Name or email'));
  await team.getByRole('list', { name: 'Accounts' }).getByRole('button').first().click();
  await send();
  for (const text of [creator.email, '70%']) await member('Director').getByText(text, { exact: true }).waitFor();
  await expectFocus(field('Name or email'));
  await team.getByText('70% given, 30% left').waitFor();

  await add('Asha without an account', 'Ink', '42');
  await send();
  await team.getByText('The shares together would make 112%; 12% too much').waitFor();
  await team.getByLabel('Share in percent').fill('30');
  // Another admin assigns a share between reading and adding.
  const data = await dataAs(admin);
  await data.from('project_members').insert({ project_id: id, name: 'Ben', contribution_percentage: 10 });
  await send();
  await team.getByRole('alert').getByText('The shares together would make 110%; 10% too much').waitFor();
  await team.getByText('80% given, 20% left').waitFor();
  await team.getByLabel('Share in percent').fill('20');
  await send();
  await team.getByText('All 100% are given').waitFor();
  // The list is reloaded before the form is cleared.
  await expectFocus(field('Name or email'));

  const director = member('Director');
  await director.getByRole('button', { name: /^Change/ }).click();
  await director.getByLabel('Role').fill('Director of ink');
  await director.getByLabel('Share in percent').fill('60.5');
  await page.keyboard.press('Enter');
  await team.getByText('90.5% given, 9.5% left').waitFor();
  // The form returns the focus when it closes.
  await director.getByLabel('Share in percent').waitFor({ state: 'detached' });
  await director.getByText('Director of ink', { exact: true }).waitFor();
  await team.getByRole('button', { name: 'Remove Ben from the team' }).press('Enter');
  await team.getByText('80.5% given, 19.5% left').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Project Team');
  await page.getByRole('button', { name: 'Undo: Ben removed from the team.' }).click();
  await team.getByText('90.5% given, 9.5% left').waitFor();
  await page.reload();
  await team.getByRole('listitem').nth(1).filter({ hasText: 'Ben' }).getByText('10%').waitFor();
});

it('two editors who save concurrently keep their input over a reload, see only changes saved since, and choose (D7, U27)', async () => {
  const id = await projectWith('Two pens', 'One', 'Two');
  const data = await dataAs(admin);
  await file(id, { category: 'branding', tags: ['lamp'] });
  // Saves that do not change the record itself, all before the window opens.
  for (const name of ['Asha', 'Ben', 'Cleo'])
    await data.from('project_members').insert({ project_id: id, name }).throwOnError();
  await data.from('project_media').update({ description: 'Earlier' }).eq('project_id', id).throwOnError();
  const page = await openAsAdmin(`/admin/projects/${id}/edit`);
  page.on('dialog', (dialog) => void dialog.accept());
  const title = page.getByRole('textbox', { name: 'Title' }).first();
  const met = page.getByRole('region', { name: 'Someone saved this project while you were writing' });
  const save = async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await met.waitFor();
    return met.locator('.conflict-saves li').allInnerTexts();
  };
  await title.fill('Two pens, mine');
  // As in another browser.
  const theirs = { title: 'Two pens, theirs', impact: '<p>Their impact</p>' };
  await data.from('projects').update(theirs).eq('id', id).throwOnError();
  expect(await save()).toEqual([expect.stringMatching(/: Title, The Impact$/)]);
  await met.getByText('You both changed: Title.').waitFor();
  await met.getByText('They also changed: The Impact.').waitFor();

  // The next conflict lists what was saved since, also after a reload.
  await met.getByRole('button', { name: 'Keep theirs' }).click();
  await title.fill('Two pens, mine again');
  await page.getByLabel('Category').selectOption('ai');
  await page.getByLabel('Client').fill('My client');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await keptInTab(page, 'My client');
  await page.reload();
  await page.getByText('Your unsaved input is restored.').waitFor();
  expect(await title.inputValue()).toBe('Two pens, mine again');
  await data.rpc('file_project', { p_id: id, p_category: 'video', p_tags: ['lamp', 'film'] }).throwOnError();
  expect(await save()).toEqual([expect.stringMatching(/: Category, Tags$/)]);
  await page.getByRole('textbox', { name: 'Tags' }).fill('late');
  await met.getByRole('button', { name: 'Compare field by field' }).click();
  await met.getByText('You both changed: Category, Tags.').waitFor();
  await met.getByText('Theirs: Video Production').waitFor();
  await expectAccessible(page);
  await met.getByLabel('Theirs: Video Production').check();
  await met.getByRole('button', { name: 'Save this choice' }).click();
  await page.getByRole('heading', { level: 1, name: 'Two pens, mine again' }).waitFor();
  await page.getByRole('region', { name: 'Details' }).getByText('My client').waitFor();
  await page.getByText('Their impact').waitFor();
  const { data: filed } = await data.from('case_study_metadata').select('category,tags').eq('project_id', id).single();
  expect(filed).toEqual({ category: 'video', tags: ['lamp', 'late'] });
});

it('signing out asks before unsaved input is lost, and the next user does not see it', async () => {
  const edit = `/admin/projects/${await projectWith('A quiet leave')}/edit`;
  const page = mayComplain(await openAsAdmin(edit));
  const title = page.getByRole('textbox', { name: 'Title' }).first();
  const signOut = page.getByRole('button', { name: 'Sign Out' });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await title.fill('Half a title');
  await signOut.click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await title.inputValue()).toBe('Half a title');

  // Another admin who signs in here, in the same tab.
  await keptInTab(page, 'Half a title');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.route('**/rest/v1/rpc/is_admin', (route) => route.fulfill({ json: true }));
  await page.route(/rest\/v1\/projects\?.*project_members/, async (route) => {
    const { access_token } = await sessionOf(admin);
    await route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${access_token}` } });
  });
  await enterAdmin(page, creator, edit);
  expect(await title.inputValue()).toBe('A quiet leave');
  expect(await page.getByText('Your unsaved input is restored.').count()).toBe(0);
  await enterAdmin(page, admin, edit);
  await page.getByText('Your unsaved input is restored.').waitFor();

  await page.route('**/auth/v1/logout*', (route) => route.fulfill({ status: 403, json: { msg: 'gone' } }));
  await signOut.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await enterAdmin(page, admin, edit);
  expect(await title.inputValue()).toBe('A quiet leave');
});

it('an admin reads, compares and restores a version, and every screen shows the same record (ENT-01)', async () => {
  const id = await projectWith('Kept from the start', 'The film');
  const data = await dataAs(admin);
  const change = { title: 'Changed since', description: '<p>Mirrors for nobody in town.</p>', status: 'active' };
  await data.from('projects').update(change).eq('id', id);
  await data.from('project_media').delete().eq('project_id', id);
  const page = await openAsAdmin(`/admin/projects/${id}`);
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByRole('link', { name: 'Version 4 (now)' }).waitFor();
  const listed = await versions.getByRole('link').allTextContents();
  expect(listed).toEqual(['Version 4 (now)', 'Version 3', 'Version 2', 'Version 1']);
  await versions.getByText('Title, Status, The Brief').waitFor();
  await versions.getByRole('link', { name: 'Version 3' }).click();
  await page.getByRole('heading', { level: 1, name: 'Version 3' }).waitFor();
  const panel = page.getByRole('tabpanel');
  const brief = panel.locator('.differences > div', { hasText: 'The Brief' });
  expect(await brief.locator('del').innerText()).toContain('everybody');
  expect(await brief.locator('ins').innerText()).toContain('nobody');
  await expectAccessible(page);

  await page.goto(`/admin/projects/${id}/versions/2`);
  await page.getByRole('tab', { name: 'Compared with now' }).click();
  await panel.getByText('Demo “The film”').waitFor();
  await page.getByRole('tab', { name: 'Preview' }).click();
  await panel.getByText('Mirrors for everybody in town.').waitFor();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  // Checked first, because the message disappears.
  await page.getByText('Version 2 is restored.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Kept from the start' }).waitFor();
  await versions.getByText(/^Version 2 restored: /).waitFor();
  await mediaOf(page).locator('strong', { hasText: 'The film' }).waitFor();

  // The project is shown as an experiment to readers and in the admin's table; it stayed published.
  const shown = await htmlOf(`/case-studies/${id}`);
  for (const text of ['Kept from the start', 'Mirrors for everybody in town.']) expect(shown).toContain(text);
  await page.goto('/admin/case-studies?search=Kept+from+the+start');
  const link = page.locator(`a[href="/admin/projects/${id}"]`, { hasText: 'Kept from the start' });
  await page.getByRole('row').filter({ has: link }).locator('.badge', { hasText: 'active' }).waitFor();
});

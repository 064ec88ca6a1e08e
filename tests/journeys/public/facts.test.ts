import type { Locator } from 'playwright-core';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { expectQuiet, PHONE } from '../../browser.ts';
import { draft, publish } from '../experiments.ts';
import { lookOnPhoneAndDesktop, openSignedIn, retype, said } from '../hands.ts';
import { htmlOf, openAt, openPage, startSeeded } from '../seeded.ts';
import { dataAs, enterAdmin } from '../signing-in.ts';

startSeeded();

const { admin, member } = inject('accounts');
const made: string[] = [];
afterEach(async () => {
  const data = await dataAs(admin);
  for (const id of made) await data.from('projects').delete().eq('id', id);
  await data.from('site_settings').delete().eq('name', 'project_facts');
});

describe('facts of projects', () => {
  it('are defined, filled in, shown, filtered, removed and put back by keyboard alone, at 390 and 1440 pixels', async () => {
    const title = 'A loom that counts';
    const id = await publish(admin, { title });
    made.push(id);
    const page = await openPage(PHONE);
    const choose = async (field: Locator, label: string) => {
      await field.focus();
      await page.keyboard.type(label);
    };
    const useButton = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
    const open = async () => {
      const group = page.locator('details#projects');
      if ((await group.getAttribute('open')) === null) await group.locator('> summary').press('Enter');
    };
    const fact = (number: number) => page.getByRole('group', { name: `Fact ${number}`, exact: true });

    await enterAdmin(page, admin, '/admin/settings#projects');
    await open();
    await useButton('Add choice');
    await retype(fact(1).getByLabel('Name'), 'Industry');
    await retype(fact(1).getByLabel('Choices'), 'Fashion\nFood');
    await choose(fact(1).getByLabel('Shown to readers'), 'On its page and card, and as a filter');
    await useButton('Add number');
    await useButton('Save Changes');
    await fact(2).getByText('Please write something here').waitFor();
    await retype(fact(2).getByLabel('Name'), 'Industry');
    await useButton('Save Changes');
    await page.getByText('Two facts have the same name').waitFor();
    await retype(fact(2).getByLabel('Name'), 'Year made');
    await retype(fact(2).getByLabel('Help text (optional)'), 'When the work was shown.');
    await fact(2).getByLabel('Required').press('Space');
    await useButton('Move “Year made” up'.replace('“', 'Number “'));
    await lookOnPhoneAndDesktop(page);
    await useButton('Save Changes');
    await said(page, 'Saved. The site shows it from now on.');
    await fact(1).getByText('Number').waitFor();

    await page.goto(`/admin/projects/${id}/edit`);
    const year = page.getByLabel('Year made');
    await page.getByText('When the work was shown. Published projects need it.').waitFor();
    await useButton('Save Changes');
    await page.getByText('Year made is required for a published project').waitFor();
    await retype(year, 'ten');
    await useButton('Save Changes');
    await page.getByText('Year made is a number, such as 1200 or 12.5').waitFor();
    await retype(year, '2026');
    await choose(page.getByLabel('Industry'), 'Food');
    await useButton('Save Changes');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => page.locator('dl.facts').innerText()).toMatch(/Year made\s+2026\s+Industry\s+Food/);
    const version = page.getByRole('main').getByRole('link', { name: /^Version 2/ });
    await version.press('Enter');
    await page.getByRole('term').filter({ hasText: 'Industry' }).waitFor();

    const visitor = await openAt('/case-studies', PHONE);
    const filter = visitor.getByRole('navigation', { name: 'Industry' });
    await filter.getByRole('link', { name: /^Industry: all/ }).waitFor();
    expect(await filter.getByRole('link').count()).toBe(2);
    await filter.getByRole('link', { name: 'Food 1' }).click();
    await visitor.getByText('1 experiment with Industry: Food').waitFor();
    const card = visitor.locator('.cards > li');
    expect(await card.innerText()).toContain('Industry: Food');
    await lookOnPhoneAndDesktop(visitor);
    await card.getByRole('link').click();
    await visitor.getByRole('complementary', { name: 'Facts' }).getByText('Food', { exact: true }).waitFor();
    expect(await htmlOf(`/case-studies/${id}`)).toContain('"name":"Industry","value":"Food"');
    expect(await htmlOf('/case-studies?q=food')).toContain(title);

    await page.goto('/admin/settings#projects');
    await open();
    await useButton('Remove Choice “Industry”');
    await useButton('Save Changes');
    await said(page, 'Saved. The site shows it from now on.');
    expect(await htmlOf(`/case-studies/${id}`)).not.toContain('"name":"Industry"');
    expect(await htmlOf('/case-studies?fact=industry%3AFood')).not.toContain('aria-label="Industry"');
    await page.locator('details#history > summary').press('Enter');
    const earlier = page.getByRole('button', { name: 'Put the earlier value into the form (Project facts)' });
    await earlier.first().press('Enter');
    await useButton('Save Changes');
    await expect.poll(() => htmlOf(`/case-studies/${id}`)).toContain('"name":"Industry","value":"Food"');
    expectQuiet(page);
    expectQuiet(visitor);
  });

  it('are on the page of a draft for the account that sent it', async () => {
    const data = await dataAs(admin);
    const setting = { name: 'project_facts', value: [{ name: 'Material', kind: 'text' }] };
    await data.from('site_settings').insert(setting).throwOnError();
    const id = await draft('A loom at home', { account: member });
    made.push(id);
    const felt = { facts: { material: 'Felt' }, impact: `<p>${'It hummed at night. '.repeat(60)}</p>` };
    await data.from('projects').update(felt).eq('id', id).throwOnError();
    const page = await openSignedIn(member, `/case-studies/${id}`);
    const facts = page.getByRole('complementary', { name: 'Facts' });
    await facts.waitFor();
    expect(await facts.innerText()).toMatch(/Material\s+Felt/i);
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'Impact' }).click();
    await sections.locator('[aria-current=location]').waitFor();
  });
});

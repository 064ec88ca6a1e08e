import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type PlanPerson, planFor } from '../../app/features/splits/model/plan.ts';
import { beginDraft, findSplit, issueSheet } from '../../app/features/splits/model/records.ts';
import { computeSheet } from '../../app/features/splits/model/sheet.ts';
import { expectFocus } from '../browser.ts';
import type { Account } from '../seeded-data.ts';
import { admin } from './seeded.ts';
import { dataAs, dataWith } from './signing-in.ts';

/** Fixtures of the list and detail journeys, created with the official clients. */

/** Settings in place of the built-in contact details, which are examples. */
export const CONTACTS = {
  email: 'us@bedlam.example',
  phone: '+91 22 4000 1234',
  chat_number: '912240001234',
  address: ['1 Real Street', 'Mumbai'],
  book_meeting: 'https://calendar.bedlam.example/meet',
  book_strategy_call: 'https://calendar.bedlam.example/call',
  application_form: 'https://forms.bedlam.example/apply',
  social: [],
};

/** Publishes an experiment as an admin. @returns its id */
export async function publish(project: { title: string } & Record<string, unknown>): Promise<string> {
  const all = { status: 'active', description: '<p>Made for a journey.</p>', ...project };
  const { data } = await (await dataAs(admin)).from('projects').insert(all).select('id').single().throwOnError();
  return data.id as string;
}

export const addMedia = async (media: Record<string, unknown>[], account: Account = admin): Promise<void> =>
  void (await (await dataAs(account)).from('project_media').insert(media).throwOnError());

export async function file(id: string, metadata: { category?: string; tags?: string[]; credits?: object[] }) {
  const rows = (await dataAs(admin)).from('case_study_metadata');
  await rows.insert({ project_id: id, ...metadata }).throwOnError();
}

/** Creates a draft of an account or, without one, of a guest with the secret. @returns its id */
export async function draft(title: string, by: { account: Account } | { secret: string }): Promise<string> {
  const client = 'secret' in by ? dataWith({ 'x-draft-secret': by.secret }) : await dataAs(by.account);
  const text = { title, description: '<p>Not yet for everybody.</p>', client: 'Nobody' };
  const project = { ...text, status: 'draft', submitter_id: null };
  const { data } = await client.rpc('create_case_study', project).throwOnError();
  return data as string;
}

/** Submits an experiment and publishes it as an admin. @returns its id */
export async function publishOf(account: Account, title: string): Promise<string> {
  const id = await draft(title, { account });
  await (await dataAs(admin)).from('projects').update({ status: 'active' }).eq('id', id).throwOnError();
  return id;
}

/** Answers a submission as an admin, without an e-mail. */
export async function answerDraft(id: string, answer: 'ask' | 'decline' | 'reopen', words: string): Promise<void> {
  const data = await dataAs(admin);
  const { data: p_seen } = await data.rpc('review_version', { p_project: id }).throwOnError();
  const review = { p_project: id, p_answer: answer, p_words: words, p_mail: false, p_seen };
  await data.rpc('answer_review', review).throwOnError();
}

/** Issues a split sheet of a project with a fee. @returns its id */
export async function issueSheetOf(id: string, amount: string, replaces: string | null, more: PlanPerson[] = []) {
  const data = await dataAs(admin);
  const begun = planFor((await findSplit(data, id))!.project, '2027-01-01');
  const people = begun.people.map((one) => ({ ...one, name: one.name || 'Someone', input: one.input || '1' }));
  const plan = { ...begun, amount, people: [...people, ...more] };
  const sheet = await beginDraft(data, id, plan, replaces);
  await issueSheet(data, sheet, computeSheet(plan, 'The hardship fund').result!);
  return sheet.id;
}

/** Chooses an item from the menu of a row in an admin list. */
export async function chooseInRow(page: Page, title: string, choice: string): Promise<void> {
  await page.getByLabel(`More actions for ${title}`, { exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: choice, exact: true }).click();
}

/** Whether the experiment still exists for an admin. */
export async function exists(id: string): Promise<boolean> {
  const { data } = await (await dataAs(admin)).from('projects').select('id').eq('id', id).throwOnError();
  return data.length === 1;
}

/** Clicks a delete button and checks the dialog: its text, and that Cancel and Escape change nothing and restore the focus. */
export async function expectAsksToDelete(page: Page, button: Locator): Promise<void> {
  const dialog = page.getByRole('dialog');
  await button.click();
  expect(await dialog.count()).toBe(1);
  expect(await dialog.getByRole('heading').innerText()).toBe('Delete Experiment?');
  expect(await dialog.innerText()).toContain(
    'Are you sure you want to delete this experiment? This action cannot be undone.',
  );
  await dialog.getByText('For 30 days an admin can restore it from the trash.').waitFor();
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Cancel', 'Delete Permanently']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await dialog.isVisible()).toBe(false);
  await button.click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expectFocus(button);
}

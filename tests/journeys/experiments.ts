import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { sessionKey } from '../../app/session/stored.ts';
import type { Account } from '../seeded-data.ts';
import { newAddress, publishableKeyOf } from '../server.ts';
import { seeded } from './seeded.ts';
import { dataAs, sessionOf } from './signing-in.ts';

/** Fixtures of the list and detail journeys, created with the official clients. */

async function call<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(seeded.base + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': newAddress(),
      apikey: await publishableKeyOf(seeded.base),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Adds a session to the browser before its pages load. */
export async function signIn(page: Page, account: Account): Promise<void> {
  const session = JSON.stringify(await sessionOf(account));
  const key = sessionKey(seeded.base);
  await page.addInitScript(([name, value]) => localStorage.setItem(name!, value!), [key, session]);
}

/** Publishes an experiment as an admin. @returns its id */
export async function publish(admin: Account, project: { title: string } & Record<string, unknown>): Promise<string> {
  const { access_token } = await sessionOf(admin);
  const [row] = await call<{ id: string }[]>(
    '/rest/v1/projects',
    { status: 'active', description: '<p>Made for a journey.</p>', ...project },
    { authorization: `Bearer ${access_token}`, prefer: 'return=representation' },
  );
  return row!.id;
}

export const addMedia = async (admin: Account, media: Record<string, unknown>[]): Promise<void> => {
  const { access_token } = await sessionOf(admin);
  await call<unknown>('/rest/v1/project_media?select=id', media, {
    authorization: `Bearer ${access_token}`,
    prefer: 'return=representation',
  });
};

export const file = async (
  admin: Account,
  id: string,
  metadata: { category?: string; tags?: string[]; credits?: object[] },
): Promise<void> => {
  const { access_token } = await sessionOf(admin);
  await call<unknown>(
    '/rest/v1/case_study_metadata?select=id',
    { project_id: id, ...metadata },
    { authorization: `Bearer ${access_token}`, prefer: 'return=representation' },
  );
};

/** Creates a draft of an account or, without one, of a guest with the secret. @returns its id */
export async function draft(title: string, by: { account: Account } | { secret: string }): Promise<string> {
  const headers: Record<string, string> =
    'secret' in by
      ? { 'x-draft-secret': by.secret }
      : { authorization: `Bearer ${(await sessionOf(by.account)).access_token}` };
  const id = await call<string>(
    '/rest/v1/rpc/create_case_study',
    { title, description: '<p>Not yet for everybody.</p>', client: 'Nobody', status: 'draft', submitter_id: null },
    headers,
  );
  return id;
}

/** Submits an experiment and publishes it as an admin. @returns its id */
export async function publishOf(account: Account, title: string): Promise<string> {
  const id = await draft(title, { account });
  const { error } = await (await dataAs(inject('accounts').admin))
    .from('projects')
    .update({ status: 'active' })
    .eq('id', id);
  if (error) throw error;
  return id;
}

/** Requests changes of a draft without an e-mail. */
export async function askForChanges(admin: Account, id: string, words: string): Promise<void> {
  const headers = { authorization: `Bearer ${(await sessionOf(admin)).access_token}` };
  const seen = await call<string>('/rest/v1/rpc/review_version', { p_project: id }, headers);
  await call(
    '/rest/v1/rpc/answer_review',
    { p_project: id, p_answer: 'ask', p_words: words, p_mail: false, p_seen: seen },
    headers,
  );
}

/** Chooses an item from the menu of a row in an admin list. */
export async function chooseInRow(page: Page, title: string, choice: string): Promise<void> {
  await page.getByLabel(`More actions for ${title}`, { exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: choice, exact: true }).click();
}

/** Whether the experiment still exists for an admin. */
export async function exists(admin: Account, id: string): Promise<boolean> {
  const { access_token } = await sessionOf(admin);
  const response = await fetch(`${seeded.base}/rest/v1/projects?select=id&id=eq.${id}`, {
    headers: { apikey: await publishableKeyOf(seeded.base), authorization: `Bearer ${access_token}` },
  });
  return ((await response.json()) as unknown[]).length === 1;
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
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
}

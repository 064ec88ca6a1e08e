import { randomUUID } from 'node:crypto';
import type { Session } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Page } from 'playwright-core';
import { sessionKey } from '../../app/session/stored.ts';
import { identityClient } from '../../packages/backend/tests/auth/identity-client.ts';
import { clientOf } from '../operator/client.ts';
import type { Account } from '../seeded-data.ts';
import { keysIn, newAddress, type RunningServer, setupKeyOf } from '../server.ts';
import { admin, seeded } from './seeded.ts';

// Sign-ins are limited to thirty per address in five minutes, and all journeys share one address.
const sessions = new Map<string, Promise<Session>>();

/** Opens a page of the admin area with a session in the browser. */
export async function enterAdmin(page: Page, account: Account, path = '/admin'): Promise<void> {
  await keepSession(page, account);
  await page.goto(path);
  const menu = page.getByRole('button', { name: 'Menu' });
  await page.getByRole('navigation', { name: 'Admin' }).or(menu).first().waitFor();
}

/** Adds a session to the profile of the page, as after an earlier sign-in: stored before the scripts of its next document. */
export async function keepSession(page: Page, account: Account, site = seeded): Promise<void> {
  const entry = [sessionKey(site.base), JSON.stringify(await sessionOf(account, site))] as const;
  const script = await page.addInitScript(([key, session]) => localStorage.setItem(key, session), entry);
  page.once('domcontentloaded', () => void script.dispose().catch(() => {}));
}

/** Ends the session on the server; the page is about to renew it. */
export const endSession = (page: Page): Promise<void> =>
  page.evaluate(async (key) => {
    const session = JSON.parse(localStorage.getItem(key)!);
    const { content: url, dataset } = document.querySelector<HTMLMetaElement>('meta[name=supabase]')!;
    const headers = { apikey: dataset['key']!, authorization: `Bearer ${session.access_token}` };
    await fetch(`${url}/auth/v1/logout?scope=global`, { method: 'POST', headers });
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1, expires_in: 0 }));
  }, sessionKey(page.url()));

/** A client of the data service, with the rights of an account. */
export async function dataAs(account: Account, site = seeded): Promise<PostgrestClient> {
  const { access_token } = await sessionOf(account, site);
  return dataWith({ authorization: `Bearer ${access_token}` }, site);
}

/** A client of the data service, with the rights that the headers give to a guest. */
export const dataWith = (headers: Record<string, string> = {}, { base, dataDir } = seeded): PostgrestClient =>
  new PostgrestClient(`${base}/rest/v1`, {
    headers: { apikey: keysIn(dataDir).publishable, 'x-forwarded-for': newAddress(), ...headers },
  });

/** Creates a confirmed account without a role. */
export async function newAccount(): Promise<Account & { id: string }> {
  const account = { email: `${randomUUID().slice(0, 8)}@madhouse.example`, password: randomUUID() };
  const { id } = await clientOf(seeded).createUser(account);
  return { ...account, id };
}

/** Makes an account the first admin of a new installation. */
export async function createFirstAdmin(server: RunningServer, account: Account): Promise<void> {
  const headers = { 'x-setup-key': setupKeyOf(server) };
  const answer = await clientOf(server).send('/functions/v1/admin-setup', { json: account, headers });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function newEditor(): Promise<Account & { id: string }> {
  const [account, data] = await Promise.all([newAccount(), dataAs(admin)]);
  const { data: role } = await data.from('roles').select('id').eq('name', 'editor').single().throwOnError();
  await data.from('user_roles').insert({ user_id: account.id, role_id: role!.id }).throwOnError();
  return account;
}

export async function rolesOf(id: string): Promise<string[]> {
  const held = (await dataAs(admin)).from('user_roles');
  const { data } = await held.select('roles(name)').eq('user_id', id).throwOnError();
  return (data as unknown as { roles: { name: string } }[]).map(({ roles }) => roles.name);
}

/** Sessions by account, so that each file signs in once per account. */
export function sessionOf(account: Account, site = seeded): Promise<Session> {
  const name = `${account.email} at ${site.base}`;
  const known = sessions.get(name) ?? signIn(account, site);
  sessions.set(name, known);
  // A refused sign-in may succeed later.
  known.catch(() => sessions.delete(name));
  return known;
}

async function signIn(account: Account, { base, dataDir }: typeof seeded): Promise<Session> {
  const auth = identityClient(`${base}/auth/v1`, keysIn(dataDir).publishable);
  const { data, error } = await auth.signInWithPassword(account);
  if (error) throw error;
  return data.session;
}

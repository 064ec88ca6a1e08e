import { randomUUID } from 'node:crypto';
import type { Session } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { sessionKey } from '../../app/session/stored.ts';
import { identityClient } from '../../packages/backend/tests/auth/identity-client.ts';
import { type Account, adminOf } from '../seeded-data.ts';
import { publishableKeyOf } from '../server.ts';
import { seeded } from './seeded.ts';

// Sign-ins are limited to thirty per address in five minutes, and all journeys share one address.
const sessions = new Map<string, Promise<Session>>();

/** Opens a page of the admin area with a session in the browser. */
export async function enterAdmin(page: Page, account: Account, path = '/admin'): Promise<void> {
  await keepSession(page, account);
  await page.goto(path);
  await page
    .getByRole('navigation', { name: 'Admin' })
    .or(page.getByRole('button', { name: 'Menu' }))
    .first()
    .waitFor();
}

/** Adds a session to the profile of the page, as after an earlier sign-in: stored before the scripts of its next document. */
export async function keepSession(page: Page, account: Account, base = seeded.base): Promise<void> {
  const entry = [sessionKey(base), JSON.stringify(await sessionOf(account, base))] as const;
  const script = await page.addInitScript(([key, session]) => localStorage.setItem(key, session), entry);
  page.once('domcontentloaded', () => void script.dispose().catch(() => {}));
}

/** Ends the session on the server; the page is about to renew it. */
export const endSession = (page: Page, base = seeded.base): Promise<void> =>
  page.evaluate(async (key) => {
    const session = JSON.parse(localStorage.getItem(key)!);
    const { content: url, dataset } = document.querySelector<HTMLMetaElement>('meta[name=supabase]')!;
    const headers = { apikey: dataset['key']!, authorization: `Bearer ${session.access_token}` };
    await fetch(`${url}/auth/v1/logout?scope=global`, { method: 'POST', headers });
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1, expires_in: 0 }));
  }, sessionKey(base));

/** A client of the seeded site's data service. */
export async function dataAs(account: Account): Promise<PostgrestClient> {
  const { access_token } = await sessionOf(account);
  return new PostgrestClient(`${seeded.base}/rest/v1`, {
    headers: { apikey: await publishableKeyOf(seeded.base), authorization: `Bearer ${access_token}` },
  });
}

/** Creates a confirmed account without a role. */
export async function newAccount(): Promise<Account & { id: string }> {
  const account = { email: `${randomUUID().slice(0, 8)}@madhouse.example`, password: randomUUID() };
  const { data, error } = await adminOf(seeded.base, seeded.dataDir).createUser({ ...account, email_confirm: true });
  if (error) throw error;
  return { ...account, id: data.user.id };
}

export async function newEditor(): Promise<Account & { id: string }> {
  const [account, data] = await Promise.all([newAccount(), dataAs(inject('accounts').admin)]);
  const { data: role } = await data.from('roles').select('id').eq('name', 'editor').single().throwOnError();
  await data.from('user_roles').insert({ user_id: account.id, role_id: role!.id }).throwOnError();
  return account;
}

export async function rolesOf(admin: Account, id: string): Promise<string[]> {
  const { data } = await (await dataAs(admin))
    .from('user_roles')
    .select('roles(name)')
    .eq('user_id', id)
    .throwOnError();
  return (data as unknown as { roles: { name: string } }[]).map(({ roles }) => roles.name);
}

/** Sessions by account, so that each file signs in once per account. */
export function sessionOf(account: Account, base = seeded.base): Promise<Session> {
  const name = `${account.email} at ${base}`;
  const known = sessions.get(name) ?? signIn(account, base);
  sessions.set(name, known);
  // A refused sign-in may succeed later.
  known.catch(() => sessions.delete(name));
  return known;
}

async function signIn(account: Account, base: string): Promise<Session> {
  const auth = identityClient(`${base}/auth/v1`, await publishableKeyOf(base));
  const { data, error } = await auth.signInWithPassword(account);
  if (error) throw error;
  return data.session;
}

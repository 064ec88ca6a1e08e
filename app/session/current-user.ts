import type { AuthChangeEvent } from '@supabase/auth-js';
import { findRole } from '#features/account/model/role.ts';
import type { AccountRole } from '#lib/account-role.ts';
import { type Clients, clients } from './browser.ts';
import { readStored, writeStored } from './stored.ts';

export type CurrentUser = { id: string; email: string; role: AccountRole | null };

/** In ms. The cached answer only decides what is shown: the database enforces rights. */
export const ROLE_LIFETIME = 300_000;
const ADMIN_KEY = 'madhouse-admin';

type RoleAnswer = { user: string; at: number; role: Promise<AccountRole | null> };

let answer: RoleAnswer | null = null;
let watched: Clients | null = null;

export async function currentUser(): Promise<CurrentUser | null> {
  const user = await signedIn();
  return user && { ...user, role: await ownRole() };
}

/** The signed-in user without roles: no network unless the token has to be refreshed. */
export async function signedIn(): Promise<{ id: string; email: string } | null> {
  const { data } = await watchedClients().auth.getSession();
  const user = data.session?.user;
  return user ? { id: user.id, email: user.email ?? '' } : null;
}

/** Cached for five minutes. @throws ApiError when neither the procedures nor the user's roles answer */
export async function ownRole(): Promise<AccountRole | null> {
  const user = await signedIn();
  if (!user) return null;
  answer ??= storedAnswer();
  if (answer?.user !== user.id || Date.now() - answer.at >= ROLE_LIFETIME) answer = requestAnswer(user.id);
  return answer.role;
}

export function forgetRole(): void {
  answer = null;
  writeStored('sessionStorage', ADMIN_KEY, null);
}

/** Ends this device's session, or all with `global`. A session that has already ended counts as success. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<void> {
  const { error } = await watchedClients().auth.signOut({ scope });
  forgetRole();
  if (error) throw error;
}

export function onSessionChange(listener: (event: AuthChangeEvent) => void): () => void {
  const { data } = watchedClients().auth.onAuthStateChange((event) => listener(event));
  return () => data.subscription.unsubscribe();
}

function requestAnswer(user: string): RoleAnswer {
  const entry = { user, at: Date.now(), role: findRole(watchedClients().data(), user) };
  entry.role.then(
    (role) => {
      // Only an admin's answer is stored, so that a new role only needs a reload.
      if (role === 'admin' && answer === entry)
        writeStored('sessionStorage', ADMIN_KEY, JSON.stringify({ ...entry, role }));
    },
    () => {
      if (answer === entry) answer = null;
    },
  );
  return entry;
}

function storedAnswer(): RoleAnswer | null {
  const stored = readStored('sessionStorage', ADMIN_KEY);
  return stored ? { ...(JSON.parse(stored) as RoleAnswer), role: Promise.resolve('admin') } : null;
}

function watchedClients(): Clients {
  const currentClients = clients();
  if (watched !== currentClients) {
    watched = currentClients;
    currentClients.auth.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT' || event === 'MFA_CHALLENGE_VERIFIED') forgetRole();
    });
  }
  return currentClients;
}

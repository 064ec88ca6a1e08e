import type { AuthChangeEvent } from '@supabase/auth-js';
import { askIsAdmin } from '#features/account/model/role.ts';
import { type Clients, clients } from './browser.ts';

export interface CurrentUser {
  id: string;
  email: string;
  isAdmin: boolean;
}

/** In ms. The cached answer only decides what is shown: the database enforces rights. */
export const ADMIN_ANSWER_LIFETIME = 300_000;
const KEPT_UNDER = 'madhouse-admin';

interface AdminAnswer {
  user: string;
  isAdmin: boolean;
  at: number;
}

let answer: AdminAnswer | null = null;
let asking: { user: string; promise: Promise<boolean> } | null = null;
let watched: Clients | null = null;

export async function currentUser(): Promise<CurrentUser | null> {
  const user = await signedIn();
  return user && { ...user, isAdmin: await isAdmin() };
}

/** The signed-in user without roles: no network unless the token has to be refreshed. */
export async function signedIn(): Promise<{ id: string; email: string } | null> {
  const { data } = await watchedClients().auth.getSession();
  const user = data.session?.user;
  return user ? { id: user.id, email: user.email ?? '' } : null;
}

/** Cached for five minutes. @throws ApiError when neither `is_admin` nor the user's roles can be read */
export async function isAdmin(): Promise<boolean> {
  const user = await signedIn();
  if (!user) return false;
  const known = answer ?? stored();
  if (known?.user === user.id && Date.now() - known.at < ADMIN_ANSWER_LIFETIME) return known.isAdmin;
  if (asking?.user !== user.id) asking = { user: user.id, promise: ask(user.id) };
  return asking.promise;
}

export function forgetAdmin(): void {
  answer = null;
  asking = null;
  try {
    sessionStorage.removeItem(KEPT_UNDER);
  } catch {}
}

/** Ends this device's session, or all with `global`. A session that has already ended counts as success. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<void> {
  const { error } = await watchedClients().auth.signOut({ scope });
  forgetAdmin();
  if (error) throw error;
}

export function onSessionChange(listener: (event: AuthChangeEvent) => void): () => void {
  const { data } = watchedClients().auth.onAuthStateChange((event) => listener(event));
  return () => data.subscription.unsubscribe();
}

async function ask(user: string): Promise<boolean> {
  const mine = { user, isAdmin: false, at: 0 };
  try {
    mine.isAdmin = await askIsAdmin(watchedClients().data(), user);
    mine.at = Date.now();
    // The user may have signed out or changed during the request.
    if (asking?.user === user) keep(mine);
    return mine.isAdmin;
  } finally {
    if (asking?.user === user) asking = null;
  }
}

function keep(mine: AdminAnswer) {
  answer = mine;
  // A negative answer is not stored, so that a new admin only has to reload.
  if (!mine.isAdmin) return;
  try {
    sessionStorage.setItem(KEPT_UNDER, JSON.stringify(mine));
  } catch {}
}

function stored(): AdminAnswer | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_UNDER) ?? 'null') as AdminAnswer | null;
    return kept && typeof kept.user === 'string' && typeof kept.at === 'number' ? kept : null;
  } catch {
    return null;
  }
}

function watchedClients(): Clients {
  const now = clients();
  if (watched !== now) {
    watched = now;
    now.auth.onAuthStateChange((event) => {
      // Roles can depend on the second factor.
      if (event === 'SIGNED_OUT' || event === 'MFA_CHALLENGE_VERIFIED') forgetAdmin();
    });
  }
  return now;
}

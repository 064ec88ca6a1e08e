import type { AuthChangeEvent } from '@supabase/auth-js';
import { askIsAdmin } from '../models/account/role.ts';
import { type Clients, clients } from './browser.ts';

/** Who is signed in, as far as the pages need to know. */
export interface CurrentUser {
  id: string;
  email: string;
  isAdmin: boolean;
}

/** How long the admin answer is believed, in ms. It only decides what is shown: the database decides what works. */
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

/** The signed-in user, or null. */
export async function currentUser(): Promise<CurrentUser | null> {
  const user = await signedIn();
  return user && { ...user, isAdmin: await isAdmin() };
}

/** The signed-in user without asking for roles: no network unless the token has to be refreshed. */
export async function signedIn(): Promise<{ id: string; email: string } | null> {
  const { data } = await watchedClients().auth.getSession();
  const user = data.session?.user;
  return user ? { id: user.id, email: user.email ?? '' } : null;
}

/**
 * Whether the signed-in user is an admin; the answer is kept for five minutes.
 * @throws ApiError when neither `is_admin` nor the user's roles can be read
 */
export async function isAdmin(): Promise<boolean> {
  const user = await signedIn();
  if (!user) return false;
  const known = answer ?? stored();
  if (known?.user === user.id && Date.now() - known.at < ADMIN_ANSWER_LIFETIME) return known.isAdmin;
  if (asking?.user !== user.id) asking = { user: user.id, promise: ask(user.id) };
  return asking.promise;
}

/** Drops the admin answer: after signing in or out, and when a role changed in this browser. */
export function forgetAdmin(): void {
  answer = null;
  asking = null;
  try {
    sessionStorage.removeItem(KEPT_UNDER);
  } catch {
    // Without storage there is nothing kept.
  }
}

/**
 * Ends this device's session, here and on the server; with `global` those on all other devices too. A session that was
 * over already counts as ended.
 */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<void> {
  const { error } = await watchedClients().auth.signOut({ scope });
  forgetAdmin();
  if (error) throw error;
}

/** Tells what happens to the session: signed in or out, token refreshed, user updated, password recovery. Returns a stop. */
export function onSessionChange(listener: (event: AuthChangeEvent) => void): () => void {
  const { data } = watchedClients().auth.onAuthStateChange((event) => listener(event));
  return () => data.subscription.unsubscribe();
}

async function ask(user: string): Promise<boolean> {
  const mine = { user, isAdmin: false, at: 0 };
  try {
    mine.isAdmin = await askIsAdmin(watchedClients().data(), user);
    mine.at = Date.now();
    // Somebody may have signed out, or in as another, while the question was under way.
    if (asking?.user === user) keep(mine);
    return mine.isAdmin;
  } finally {
    if (asking?.user === user) asking = null;
  }
}

function keep(mine: AdminAnswer) {
  answer = mine;
  // A "no" lives only as long as the document: whoever has just been made an admin gets in by reloading.
  if (!mine.isAdmin) return;
  try {
    sessionStorage.setItem(KEPT_UNDER, JSON.stringify(mine));
  } catch {
    // Without storage the answer lives as long as the document.
  }
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

import type { AuthChangeEvent } from '@supabase/auth-js';
import { askIsAdmin } from '#features/account/model/role.ts';
import { type Clients, clients } from './browser.ts';
import { readStored, writeStored } from './stored.ts';

export interface CurrentUser {
  id: string;
  email: string;
  isAdmin: boolean;
}

/** In ms. The cached answer only decides what is shown: the database enforces rights. */
export const ADMIN_ANSWER_LIFETIME = 300_000;
const ADMIN_KEY = 'madhouse-admin';

interface AdminAnswer {
  user: string;
  at: number;
  isAdmin: Promise<boolean>;
}

let answer: AdminAnswer | null = null;
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
  answer ??= storedAnswer();
  if (answer?.user !== user.id || Date.now() - answer.at >= ADMIN_ANSWER_LIFETIME) answer = requestAnswer(user.id);
  return answer.isAdmin;
}

export function forgetAdmin(): void {
  answer = null;
  writeStored('sessionStorage', ADMIN_KEY, null);
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

function requestAnswer(user: string): AdminAnswer {
  const entry = { user, at: Date.now(), isAdmin: askIsAdmin(watchedClients().data(), user) };
  entry.isAdmin.then(
    (isAdmin) => {
      // Only a positive answer is stored, so that a new admin only has to reload.
      if (isAdmin && answer === entry) writeStored('sessionStorage', ADMIN_KEY, JSON.stringify({ ...entry, isAdmin }));
    },
    () => {
      if (answer === entry) answer = null;
    },
  );
  return entry;
}

function storedAnswer(): AdminAnswer | null {
  const stored = readStored('sessionStorage', ADMIN_KEY);
  return stored ? { ...(JSON.parse(stored) as AdminAnswer), isAdmin: Promise.resolve(true) } : null;
}

function watchedClients(): Clients {
  const currentClients = clients();
  if (watched !== currentClients) {
    watched = currentClients;
    currentClients.auth.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT' || event === 'MFA_CHALLENGE_VERIFIED') forgetAdmin();
    });
  }
  return currentClients;
}

import { href } from 'react-router';
import { clients } from './browser.ts';
import { isAdmin } from './current-user.ts';
import { nextPath } from './next-path.ts';
import { forget, recall } from './remembered.ts';

const KEPT_UNDER = 'madhouse-next';
/** Where people find what is theirs. */
export const HOME = href('/my-experiments');
/** The same, with a word for a new account. */
const NEW_HOME = `${HOME}?confirmed`;

/** Keeps where somebody wanted to go while another site signs them in. */
export function rememberNext(next: string | null): void {
  try {
    if (next === null) sessionStorage.removeItem(KEPT_UNDER);
    else sessionStorage.setItem(KEPT_UNDER, next);
  } catch {
    // Without storage the way leads home.
  }
}

/** Where somebody wanted to go before another site signed them in; it is forgotten. */
export function takeNext(): string | null {
  try {
    const kept = sessionStorage.getItem(KEPT_UNDER);
    sessionStorage.removeItem(KEPT_UNDER);
    return kept;
  } catch {
    return null;
  }
}

/** True while the account has a second factor that this session has not shown yet. No network. */
export async function owesSecondFactor(): Promise<boolean> {
  const { data } = await clients().auth.mfa.getAuthenticatorAssuranceLevel();
  return data !== null && data.currentLevel === 'aal1' && data.nextLevel === 'aal2';
}

/**
 * Where to go after signing in, on our own origin.
 * @param next what the address asked for; behind the gate it is for the gate to explain
 */
export async function placeAfterSignIn(next: string | null): Promise<string> {
  const home = (await isAdmin().catch(() => false)) ? href('/admin') : HOME;
  return nextPath(next, location.origin, home);
}

/**
 * Where to go after a mail's link. Every sign-up names the admin area as its target; only admins are led there, and
 * everybody else to where they were going when they signed up in this browser.
 * @param isNew the link made the account
 */
export async function placeAfterLink(next: string | null, isNew = false): Promise<string> {
  const home = isNew ? NEW_HOME : HOME;
  const path = nextPath(next, location.origin, home);
  const behindGate = path === href('/admin') || path.startsWith(`${href('/admin')}/`);
  if (!behindGate || (await isAdmin().catch(() => false))) return path;
  const wanted = isNew ? recall('place') : null;
  forget('place');
  return nextPath(wanted, location.origin, home);
}

/** The page that signs in, or asks a session for its second factor, and goes on to `next`. */
export function signInPage(next: string | null, way?: string): string {
  const asked = new URLSearchParams({ ...(way && { way }), ...(next !== null && { next }) });
  return asked.size > 0 ? `${href('/sign-in')}?${asked}` : href('/sign-in');
}

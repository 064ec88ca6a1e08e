import { href } from 'react-router';
import { clients } from './browser.ts';
import { ownRole } from './current-user.ts';
import { nextPath } from './next-path.ts';
import { forget, readRemembered } from './remembered.ts';
import { readStored, writeStored } from './stored.ts';

const NEXT_KEY = 'madhouse-next';
export const HOME = href('/my-experiments');
const NEW_HOME = `${HOME}?confirmed`;

/** Stores the target while another site signs the user in. */
export const rememberNext = (next: string | null): void => writeStored('sessionStorage', NEXT_KEY, next);

export function consumeNext(): string | null {
  const next = readStored('sessionStorage', NEXT_KEY);
  rememberNext(null);
  return next;
}

/** Whether the account has a second factor that this session has not verified. No network. */
export async function owesSecondFactor(): Promise<boolean> {
  const { data } = await clients().auth.mfa.getAuthenticatorAssuranceLevel();
  return data !== null && data.currentLevel === 'aal1' && data.nextLevel === 'aal2';
}

/** Always on our own origin. @param next requested path; the gate handles what the user may not see */
export async function placeAfterSignIn(next: string | null): Promise<string> {
  const home = (await ownRole().catch(() => null)) ? href('/admin') : HOME;
  return nextPath(next, location.origin, home);
}

/** Every sign-up names the admin area as its target; without a role, it is the page they wanted in this browser. */
export async function placeAfterLink(next: string | null, isNew = false): Promise<string> {
  const home = isNew ? NEW_HOME : HOME;
  const path = nextPath(next, location.origin, home);
  const isAdminPath = path === href('/admin') || path.startsWith(`${href('/admin')}/`);
  if (!isAdminPath || (await ownRole().catch(() => null))) return path;
  const remembered = isNew ? readRemembered('place') : null;
  forget('place');
  return nextPath(remembered, location.origin, home);
}

/** The page that signs in, or requests the second factor, and continues to `next`. */
export function signInPage(next: string | null, way?: string): string {
  const query = new URLSearchParams({ ...(way && { way }), ...(next !== null && { next }) });
  return query.size > 0 ? `${href('/sign-in')}?${query}` : href('/sign-in');
}

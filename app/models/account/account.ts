import type { AuthClient, AuthError, User } from '@supabase/auth-js';
import { href } from 'react-router';
import { accounts } from '../../copy/accounts.ts';
import { waitIn } from './one-time-code.ts';

type Auth = InstanceType<typeof AuthClient>;

export interface NewAccount {
  email: string;
  password: string;
  name: string;
}

/**
 * Makes an account. The flag is a wish and grants nothing; the server decides about roles.
 * @param origin where the confirmation link leads back to
 */
export const signUp = (auth: Auth, { email, password, name }: NewAccount, origin: string) =>
  auth.signUp({
    email,
    password,
    options: { emailRedirectTo: origin + href('/admin'), data: { requested_admin: true, name } },
  });

/**
 * Sends the confirmation mail again.
 * @returns seconds until another can be asked for, when the service has just sent one
 */
export async function resendConfirmation(auth: Auth, email: string, origin: string): Promise<number | null> {
  const { error } = await auth.resend({ type: 'signup', email, options: { emailRedirectTo: origin + href('/admin') } });
  return sentBefore(error);
}

/**
 * Sends a link that lets its reader set a new password; the answer is the same for unknown addresses.
 * @returns seconds until another can be asked for, when the service has just sent one
 */
export async function sendPasswordReset(auth: Auth, email: string, origin: string): Promise<number | null> {
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo: origin + href('/reset-password') });
  return sentBefore(error);
}

/**
 * Sends a code, and a link, that sign in. Addresses without an account get the same answer.
 * @param backTo absolute address that the link leads to in the end
 * @returns seconds until another can be asked for, when the service has just sent one
 */
export async function sendMailCode(auth: Auth, email: string, backTo: string): Promise<number | null> {
  const options = { shouldCreateUser: false, emailRedirectTo: backTo };
  const { error } = await auth.signInWithOtp({ email, options });
  // Hosted projects say so when an address has no account; we tell nobody.
  return error?.code === 'otp_disabled' ? null : sentBefore(error);
}

/**
 * Sends a code by message; a number without an account gets one with the first code it brings back.
 * @returns seconds until another can be asked for, when the service has just sent one
 */
export async function sendPhoneCode(auth: Auth, phone: string): Promise<number | null> {
  const { error } = await auth.signInWithOtp({ phone, options: { data: { requested_admin: true } } });
  return sentBefore(error);
}

/** The last one is still good, so asking too soon is no failure. */
function sentBefore(error: AuthError | null): number | null {
  if (!error) return null;
  const wait = waitIn(error.message);
  if (wait === null) throw error;
  return wait;
}

/**
 * Whether a session belongs to somebody who has just accepted an invitation, and has no password yet. Both times are the
 * server's.
 */
export function justInvited({ invited_at, email_confirmed_at, last_sign_in_at }: User): boolean {
  if (!invited_at || !email_confirmed_at || !last_sign_in_at) return false;
  return Math.abs(Date.parse(last_sign_in_at) - Date.parse(email_confirmed_at)) < JUST_NOW_MS;
}

const JUST_NOW_MS = 60_000;

const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const;

export type LinkType = (typeof LINK_TYPES)[number];

/** What a link in one of our mails carries. */
export interface MailLink {
  tokenHash: string;
  type: LinkType;
}

/** Reads a mail link's address; null when something is missing. */
export function mailLinkFrom(address: URLSearchParams): MailLink | null {
  const tokenHash = address.get('token_hash');
  const type = LINK_TYPES.find((known) => known === address.get('type'));
  return tokenHash && type ? { tokenHash, type } : null;
}

/** For the record in the account's own data; it proves nothing, the server keeps its own time of confirmation. */
export async function noteConfirmed(auth: Auth): Promise<void> {
  const { error } = await auth.updateUser({ data: { email_confirmed: true } });
  if (error) console.warn('Noting the confirmation failed:', error.message);
}

/**
 * Uses a link that another site's client asked for, whose address stands in the project's allow list.
 * @param backend address and publishable key
 * @returns where to go on to, with the session or the reason why there is none
 */
export async function confirmationFormOf(
  backend: { url: string; key: string },
  link: MailLink,
  backTo: string,
): Promise<string> {
  const answer = await fetch(`${backend.url}/auth/v1/verify`, {
    method: 'POST',
    headers: { apikey: backend.key },
    body: new URLSearchParams({
      token: link.tokenHash,
      type: link.type,
      redirect_to: backTo,
      skip_http_redirect: 'true',
    }),
  });
  const { url } = (await answer.json()) as { url?: string };
  if (!answer.ok || !url) throw new Error(accounts.linkUsed);
  return url;
}

/** Where somebody goes on who is signed in and has no password yet. */
export const CHOOSE_PASSWORD = `${href('/reset-password')}?choose`;

/** Whether several had signed up for the address, so that nobody's password was kept: our own server says so beside the session. */
export const mustChoosePassword = (session: object | null): boolean =>
  (session as { set_password?: boolean } | null)?.set_password === true;

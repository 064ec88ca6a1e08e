import type { AuthClient, AuthError, User } from '@supabase/auth-js';
import { href } from 'react-router';
import { accounts } from '#lib/words/accounts.ts';

type Auth = InstanceType<typeof AuthClient>;

type NewAccount = Record<'email' | 'password' | 'name', string>;

/** `requested_admin` grants nothing: the server decides about roles. @param origin target of the confirmation link */
export function signUp(auth: Auth, { email, password, name }: NewAccount, origin: string) {
  const options = { emailRedirectTo: origin + href('/admin'), data: { requested_admin: true, name } };
  return auth.signUp({ email, password, options });
}

/** @returns seconds until the next mail, when rate limited */
export const resendConfirmation = (auth: Auth, email: string, origin: string): Promise<number | undefined> =>
  sentBefore(auth.resend({ type: 'signup', email, options: { emailRedirectTo: origin + href('/admin') } }));

/** The response is the same for unknown addresses. @returns seconds until the next mail, when rate limited */
export const sendPasswordReset = (auth: Auth, email: string, origin: string): Promise<number | undefined> =>
  sentBefore(auth.resetPasswordForEmail(email, { redirectTo: origin + href('/reset-password') }));

/**
 * The response is the same for addresses without an account.
 * @param backTo absolute address that the link finally leads to
 * @returns seconds until the next mail, when rate limited
 */
export async function sendMailCode(auth: Auth, email: string, backTo: string): Promise<number | undefined> {
  const options = { shouldCreateUser: false, emailRedirectTo: backTo };
  const answer = await auth.signInWithOtp({ email, options });
  // Hosted projects report that an address has no account; this must not be disclosed.
  return answer.error?.code === 'otp_disabled' ? undefined : sentBefore(answer);
}

/** Creates an account on verification of an unknown number. @returns seconds until the next code, when rate limited */
export const sendPhoneCode = (auth: Auth, phone: string): Promise<number | undefined> =>
  sentBefore(auth.signInWithOtp({ phone, options: { data: { requested_admin: true } } }));

type Answer = { error: AuthError | null };

/** The previous code is still valid, so a rate limit is not an error. */
export async function sentBefore(sending: Answer | Promise<Answer>): Promise<number | undefined> {
  const { error } = await sending;
  const wait = error && waitIn(error.message);
  if (error && wait === null) throw error;
  return wait ?? undefined;
}

/** Whether the user has just accepted an invitation and has no password yet. Compares two server times. */
export function justInvited({ invited_at, email_confirmed_at, last_sign_in_at }: User): boolean {
  if (!invited_at || !email_confirmed_at || !last_sign_in_at) return false;
  return Math.abs(Date.parse(last_sign_in_at) - Date.parse(email_confirmed_at)) < MAX_INVITATION_AGE_MS;
}

const MAX_INVITATION_AGE_MS = 60_000;

export const DELETED = 'madhouse-deleted';

const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const;

export type LinkType = (typeof LINK_TYPES)[number];

export type MailLink = { tokenHash: string; type: LinkType };

export function mailLinkFrom(address: URLSearchParams): MailLink | null {
  const tokenHash = address.get('token_hash');
  const type = LINK_TYPES.find((known) => known === address.get('type'));
  return tokenHash && type ? { tokenHash, type } : null;
}

/** Marks the address as confirmed in the user's metadata; the server records the confirmation itself. */
export async function noteConfirmed(auth: Auth): Promise<void> {
  const { error } = await auth.updateUser({ data: { email_confirmed: true } });
  if (error) console.warn('Noting the confirmation failed:', error.message);
}

type Backend = { url: string; key: string };

/** Redeems a link for another site's client in the project's allow list. @returns the redirect target */
export async function confirmationFormOf(backend: Backend, link: MailLink, backTo: string): Promise<string> {
  const { tokenHash: token, type } = link;
  const answer = await fetch(`${backend.url}/auth/v1/verify`, {
    method: 'POST',
    headers: { apikey: backend.key },
    body: new URLSearchParams({ token, type, redirect_to: backTo, skip_http_redirect: 'true' }),
  });
  const { url } = (await answer.json()) as { url?: string };
  if (!answer.ok || !url) throw new Error(accounts.linkUsed);
  return url;
}

export const CHOOSE_PASSWORD = `${href('/reset-password')}?choose`;

/** Several people signed up for the address, so no password was stored; only our own server reports this. */
export const mustChoosePassword = (session: object | null): boolean =>
  (session as { set_password?: boolean } | null)?.set_password === true;

/** Seconds to wait before the service sends again, parsed from its message; null when it names none. */
export function waitIn(message: string): number | null {
  const [, seconds] = /only request this after (\d{1,5}) seconds?/i.exec(message) ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** A phone number in the service's form, `+` and digits; null when it cannot be one. */
export function phoneNumber(typed: string): string | null {
  const digits = typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}

export function domainOf(typed: string): string | null {
  const domain = typed.trim().toLowerCase().split('@').at(-1)!;
  return domain.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : null;
}

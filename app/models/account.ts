import type { AuthClient } from '@supabase/auth-js';

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
    options: { emailRedirectTo: `${origin}/admin`, data: { requested_admin: true, name } },
  });

/** Sends the confirmation link again. */
export const resendConfirmation = (auth: Auth, email: string, origin: string) =>
  auth.resend({ type: 'signup', email, options: { emailRedirectTo: `${origin}/admin` } });

/** Sends a link that lets its reader set a new password; the answer is the same for unknown addresses. */
export const sendPasswordReset = (auth: Auth, email: string, origin: string) =>
  auth.resetPasswordForEmail(email, { redirectTo: `${origin}/reset-password` });

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

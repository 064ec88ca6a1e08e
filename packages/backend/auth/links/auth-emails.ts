import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { hasExternalIdentity } from '../linking/competing-sign-ups.ts';
import { type Challenge, startFlow } from '../providers/flow-state.ts';
import { confirmPage } from '../redirect.ts';
import type { SignInMethod } from '../sessions/session.ts';
import type { UserRow } from '../users/user.ts';
import { issueToken, type OneTimeToken } from './one-time-token.ts';

const EMAILS = {
  signup: { template: 'confirmation', type: 'signup' },
  invite: { template: 'invite', type: 'invite' },
  recovery: { template: 'recovery', type: 'recovery' },
  magiclink: { template: 'magic_link', type: 'magiclink' },
  email_change_current: { template: 'email_change', type: 'email_change' },
  email_change_new: { template: 'email_change', type: 'email_change' },
  reauthentication: { template: 'reauthentication', type: 'reauthentication' },
} as const;

type EmailPurpose = keyof typeof EMAILS;

export interface AuthEmail {
  purpose: EmailPurpose;
  user: UserRow;
  email: string;
  redirectTo: string;
  token: OneTimeToken;
}

/**
 * Issues the token of an e-mail.
 * @param options.to recipient, by default the user's address
 * @param options.flowId PKCE flow that requested it
 */
export async function emailFor(
  tx: Connection,
  { keys, project }: AuthContext,
  user: UserRow,
  purpose: EmailPurpose,
  redirectTo: string,
  options: { to?: string; flowId?: string | null } = {},
): Promise<AuthEmail> {
  const { otp_length: digits, otp_expiry: seconds } = project.auth.email;
  const email = options.to ?? user.email!;
  const { flowId = null } = options;
  const token = await issueToken(tx, keys, { userId: user.id, sentTo: email, purpose, digits, seconds, flowId });
  return { purpose, user, email, redirectTo, token };
}

export const linkOf = (siteUrl: string, { token, purpose, redirectTo }: AuthEmail): string =>
  confirmPage(siteUrl, { tokenHash: token.linkToken, type: EMAILS[purpose].type, redirectTo });

/** Queues an e-mail in the transaction that issued its token; skipped with a warning above the hourly limit. */
export async function sendEmail(
  tx: Connection,
  { mail, config, rates, log }: AuthContext,
  authEmail: AuthEmail,
): Promise<void> {
  const { template } = EMAILS[authEmail.purpose];
  // Invitations come from an admin and do not count as new mailboxes.
  const isNew = !authEmail.user.email_confirmed_at && authEmail.purpose !== 'invite';
  if ((isNew && (await rates.newMailboxes.use('all', 1, tx)) > 0) || (await rates.allMails.use('all', 1, tx)) > 0) {
    log.warn({ template }, 'e-mail not sent: hourly limit reached');
    return;
  }
  await mail.queue(tx, {
    template,
    to: authEmail.email,
    data: {
      SiteURL: config.siteUrl,
      ConfirmationURL: linkOf(config.siteUrl, authEmail),
      Token: authEmail.token.code,
      TokenHash: authEmail.token.linkToken,
      Email: authEmail.user.email ?? authEmail.email,
      NewEmail: authEmail.user.email_change ?? '',
      SendingTo: authEmail.email,
      RedirectTo: authEmail.redirectTo,
      Data: authEmail.user.raw_user_meta_data ?? {},
    },
  });
}

const METHODS: Partial<Record<EmailPurpose, SignInMethod>> = {
  signup: 'email/signup',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magiclink',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
};

/** Stores the client's PKCE challenge until the e-mail is confirmed. @returns null in the implicit flow */
export const startEmailFlow = async (
  tx: Connection,
  purpose: EmailPurpose,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<string | null> =>
  challenge && startFlow(tx, { challenge, provider: 'email', method: METHODS[purpose] ?? 'otp', redirectTo });

export async function emailWithFlow(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  purpose: EmailPurpose,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<AuthEmail> {
  const flowId = await startEmailFlow(tx, purpose, redirectTo, challenge);
  return emailFor(tx, identity, user, purpose, redirectTo, { flowId });
}

/**
 * Security: an unconfirmed account with an identity of another provider may belong to another person. Its owner then
 * gets a `magiclink`, which removes that identity, and the pending confirmation is void.
 */
export async function confirmationEmail(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<AuthEmail> {
  if (!hasExternalIdentity(user)) return emailWithFlow(tx, identity, user, 'signup', redirectTo, challenge);
  await tx.query("delete from auth.one_time_tokens where user_id = $1 and token_type = 'confirmation_token'", [
    user.id,
  ]);
  return emailWithFlow(tx, identity, user, 'magiclink', redirectTo, challenge);
}

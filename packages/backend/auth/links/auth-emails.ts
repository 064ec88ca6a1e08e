import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { hasExternalIdentity } from '../linking/competing-sign-ups.ts';
import { type Challenge, startFlow } from '../providers/flow-state.ts';
import { confirmPage } from '../redirect.ts';
import type { UserRow } from '../users/user.ts';
import { issueToken } from './one-time-token.ts';

const EMAILS = {
  signup: { template: 'confirmation', type: 'signup', method: 'email/signup' },
  invite: { template: 'invite', type: 'invite', method: 'invite' },
  recovery: { template: 'recovery', type: 'recovery', method: 'recovery' },
  magiclink: { template: 'magic_link', type: 'magiclink', method: 'magiclink' },
  email_change_current: { template: 'email_change', type: 'email_change', method: 'email_change' },
  email_change_new: { template: 'email_change', type: 'email_change', method: 'email_change' },
  reauthentication: { template: 'reauthentication', type: 'reauthentication', method: 'otp' },
} as const;

export interface EmailTarget {
  redirectTo: string;
  /** The client's PKCE challenge, stored until the e-mail is confirmed; null in the implicit flow. */
  challenge?: Challenge | null;
  /** Default: the user's address. */
  to?: string;
}

type AuthEmail = Awaited<ReturnType<typeof issueEmail>>;

export async function issueEmail(
  tx: Connection,
  { keys, project }: AuthContext,
  user: UserRow,
  purpose: keyof typeof EMAILS,
  { redirectTo, challenge, to: email = user.email! }: EmailTarget,
) {
  const { method } = EMAILS[purpose];
  const flowId = challenge ? await startFlow(tx, { challenge, provider: 'email', method, redirectTo }) : null;
  const { otp_length: digits, otp_expiry: seconds } = project.auth.email;
  const token = await issueToken(tx, keys, { userId: user.id, sentTo: email, purpose, digits, seconds, flowId });
  return { purpose, email, redirectTo, token };
}

export const linkOf = (siteUrl: string, { token, purpose, redirectTo }: AuthEmail): string =>
  confirmPage(siteUrl, { tokenHash: token.linkToken, type: EMAILS[purpose].type, redirectTo });

/** Queues an e-mail in the transaction that issues its token; skipped with a warning above the hourly limit. */
export async function sendEmail(...issued: Parameters<typeof issueEmail>): Promise<void> {
  const authEmail = await issueEmail(...issued);
  const [tx, { mail, config, rates, log }, user, purpose] = issued;
  const { template } = EMAILS[purpose];
  // Invitations come from an admin and do not count as new mailboxes.
  const isNew = !user.email_confirmed_at && purpose !== 'invite';
  if ((isNew && (await rates.newMailboxes.use('all', tx)) > 0) || (await rates.allMails.use('all', tx)) > 0) {
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
      Email: user.email ?? authEmail.email,
      NewEmail: user.email_change ?? '',
      SendingTo: authEmail.email,
      RedirectTo: authEmail.redirectTo,
      Data: user.raw_user_meta_data ?? {},
    },
  });
}

/**
 * Security: an unconfirmed account with an identity of another provider may belong to another person. Its owner then
 * gets a `magiclink`, which removes that identity, and the pending confirmation is void.
 */
export async function sendConfirmation(tx: Connection, identity: AuthContext, user: UserRow, target: EmailTarget) {
  if (!hasExternalIdentity(user)) return sendEmail(tx, identity, user, 'signup', target);
  const pending = "delete from auth.one_time_tokens where user_id = $1 and token_type = 'confirmation_token'";
  await tx.query(pending, [user.id]);
  await sendEmail(tx, identity, user, 'magiclink', target);
}

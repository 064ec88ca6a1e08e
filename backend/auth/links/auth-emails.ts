import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { confirmPage } from '../redirect.ts';
import type { UserRow } from '../users/user.ts';
import { issueToken, type OneTimeToken } from './one-time-token.ts';

const MAILS = {
  signup: { template: 'confirmation', type: 'signup' },
  invite: { template: 'invite', type: 'invite' },
  recovery: { template: 'recovery', type: 'recovery' },
  magiclink: { template: 'magic_link', type: 'magiclink' },
  email_change_current: { template: 'email_change', type: 'email_change' },
  email_change_new: { template: 'email_change', type: 'email_change' },
  reauthentication: { template: 'reauthentication', type: 'reauthentication' },
} as const;

export type MailPurpose = keyof typeof MAILS;

export interface AuthEmail {
  purpose: MailPurpose;
  user: UserRow;
  email: string;
  redirectTo: string;
  token: OneTimeToken;
}

/**
 * Issues the token of an e-mail.
 * @param more.to recipient, by default the user's address
 * @param more.flowId PKCE flow that requested it
 */
export async function emailFor(
  tx: Connection,
  { keys, project }: AuthContext,
  user: UserRow,
  purpose: MailPurpose,
  redirectTo: string,
  more: { to?: string; flowId?: string | null } = {},
): Promise<AuthEmail> {
  const { otp_length: digits, otp_expiry: seconds } = project.auth.email;
  const email = more.to ?? user.email!;
  const { flowId = null } = more;
  const token = await issueToken(tx, keys, { userId: user.id, sentTo: email, purpose, digits, seconds, flowId });
  return { purpose, user, email, redirectTo, token };
}

export const linkOf = (siteUrl: string, { token, purpose, redirectTo }: AuthEmail): string =>
  confirmPage(siteUrl, { tokenHash: token.linkToken, type: MAILS[purpose].type, redirectTo });

/** Queues an e-mail in the transaction that issued its token; skipped with a warning above the hourly limit. */
export async function sendEmail(
  tx: Connection,
  { mail, config, rates, log }: AuthContext,
  letter: AuthEmail,
): Promise<void> {
  const { template } = MAILS[letter.purpose];
  // Invitations come from an admin and do not count as new mailboxes.
  const isNew = !letter.user.email_confirmed_at && letter.purpose !== 'invite';
  if ((isNew && (await rates.newMailboxes.use('all', 1, tx)) > 0) || (await rates.allMails.use('all', 1, tx)) > 0) {
    log.warn({ template }, 'e-mail not sent: hourly limit reached');
    return;
  }
  await mail.queue(tx, {
    template,
    to: letter.email,
    data: {
      SiteURL: config.siteUrl,
      ConfirmationURL: linkOf(config.siteUrl, letter),
      Token: letter.token.code,
      TokenHash: letter.token.linkToken,
      Email: letter.user.email ?? letter.email,
      NewEmail: letter.user.email_change ?? '',
      SendingTo: letter.email,
      RedirectTo: letter.redirectTo,
      Data: letter.user.raw_user_meta_data ?? {},
    },
  });
}

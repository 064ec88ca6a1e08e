import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { confirmPage } from '../redirect.ts';
import type { UserRow } from '../users/user.ts';
import { issueToken, type OneTimeToken } from './one-time-token.ts';

/** The template, and the type that the link says, of each purpose that goes by mail. */
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

/** A mail with a link. */
export interface AuthEmail {
  purpose: MailPurpose;
  user: UserRow;
  /** The mailbox it goes to. */
  email: string;
  redirectTo: string;
  token: OneTimeToken;
}

/**
 * Makes the token of a mail to a user.
 * @param more.to the mailbox; by default the user's own
 * @param more.flowId the PKCE flow that asked for it
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

/** Where the link of a letter leads: the page whose button redeems it. */
export const linkOf = (siteUrl: string, { token, purpose, redirectTo }: AuthEmail): string =>
  confirmPage(siteUrl, { tokenHash: token.linkToken, type: MAILS[purpose].type, redirectTo });

/** Queues a letter in the transaction that made its token. Over the house's hourly number it is not sent. */
export async function sendEmail(
  tx: Connection,
  { mail, config, rates, log }: AuthContext,
  letter: AuthEmail,
): Promise<void> {
  const { template } = MAILS[letter.purpose];
  // Invitations are an admin's own.
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

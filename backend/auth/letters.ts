import type { Connection } from '../database/database.ts';
import type { Identity } from './identity.ts';
import { issueToken, type OneTimeToken, type Purpose } from './one-time-token.ts';
import { confirmPage } from './redirect.ts';
import type { UserRow } from './user.ts';

const TEMPLATE = { signup: 'confirmation', recovery: 'recovery' } as const;

/** A mail with a link, ready to be sent once the transaction that made its token has committed. */
export interface Letter {
  purpose: Purpose;
  user: UserRow;
  email: string;
  redirectTo: string;
  token: OneTimeToken;
}

/** Makes the token of a mail to a user's own address. */
export async function letterFor(
  tx: Connection,
  { keys, project }: Identity,
  user: UserRow,
  purpose: Purpose,
  redirectTo: string,
): Promise<Letter> {
  const { otp_length: digits, otp_expiry: seconds } = project.auth.email;
  const email = user.email!;
  const token = await issueToken(tx, keys, { userId: user.id, email, purpose, digits, seconds });
  return { purpose, user, email, redirectTo, token };
}

/** Hands a letter to the mail service, outside the request's time. Over the house's hourly number it is not sent. */
export function post({ mail, config, rates, later, log }: Identity, letter: Letter): void {
  later(async () => {
    if ((await rates.allMails.use('all')) > 0) {
      log.warn({ template: TEMPLATE[letter.purpose] }, 'mail not sent: the hourly number of mails is reached');
      return;
    }
    mail.send({
      template: TEMPLATE[letter.purpose],
      to: letter.email,
      data: {
        SiteURL: config.siteUrl,
        ConfirmationURL: confirmPage(config.siteUrl, {
          tokenHash: letter.token.linkToken,
          type: letter.purpose,
          redirectTo: letter.redirectTo,
        }),
        Token: letter.token.code,
        TokenHash: letter.token.linkToken,
        Email: letter.email,
        SendingTo: letter.email,
        RedirectTo: letter.redirectTo,
        Data: letter.user.raw_user_meta_data ?? {},
      },
    });
  });
}

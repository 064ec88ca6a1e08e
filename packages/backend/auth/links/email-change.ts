import type { Connection } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import { errors } from '../errors.ts';
import type { Challenge } from '../providers/flow-state.ts';
import { changeEmail, confirmEmail } from '../users/account.ts';
import type { UserRow } from '../users/user.ts';
import { type AuthEmail, emailFor, startEmailFlow } from './auth-emails.ts';
import type { RedeemedToken } from './one-time-token.ts';

// With `double_confirm_changes`, both the old and the new mailbox must confirm a change of address.
const CONFIRMED_BY = { none: 0, current: 1, new: 2 } as const;

type Side = 'email_change_current' | 'email_change_new';

/** Stores the requested address. A repeated request keeps the confirmation status; a different address resets it. */
export async function storeEmailChange(
  tx: Connection,
  { project }: Pick<AuthContext, 'project'>,
  user: UserRow,
  email: string,
): Promise<UserRow> {
  const needsCurrent = project.auth.email.double_confirm_changes && user.email !== null;
  const { rows } = await tx.query<{ agreed: number }>(
    `update auth.users set email_change = $2::text, email_change_sent_at = now(), updated_at = now(),
       email_change_confirm_status = case when $3::boolean and email_change = $2::text then email_change_confirm_status else $4::int end
     where id = $1 returning email_change_confirm_status as agreed`,
    [user.id, email, needsCurrent, needsCurrent ? CONFIRMED_BY.none : CONFIRMED_BY.current],
  );
  return { ...user, email_change: email, email_change_confirm_status: rows[0]?.agreed ?? CONFIRMED_BY.none };
}

export async function startEmailChange(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  email: string,
  redirectTo: string,
  challenge: Challenge | null,
): Promise<AuthEmail[]> {
  await deleteTokens(tx, user.id);
  return pendingChangeEmails(tx, identity, await storeEmailChange(tx, identity, user, email), redirectTo, challenge);
}

/**
 * E-mails for the mailboxes that have not confirmed yet.
 * @param maySend whether an e-mail may be sent now; if not, the previous one stays valid
 */
export async function pendingChangeEmails(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  redirectTo: string,
  challenge: Challenge | null,
  maySend: (email: string) => Promise<boolean> = async () => true,
): Promise<AuthEmail[]> {
  const flowId = await startEmailFlow(tx, 'email_change_new', redirectTo, challenge);
  const emails: AuthEmail[] = [];
  for (const side of pendingSides(user.email_change_confirm_status)) {
    const to = side === 'email_change_new' ? user.email_change! : user.email!;
    if (await maySend(to)) emails.push(await emailFor(tx, identity, user, side, redirectTo, { to, flowId }));
  }
  return emails;
}

function pendingSides(agreed: number): Side[] {
  if (agreed === CONFIRMED_BY.current) return ['email_change_new'];
  return agreed === CONFIRMED_BY.new ? ['email_change_current'] : ['email_change_current', 'email_change_new'];
}

/** Records one confirmation; the last one changes the address. @throws ApiError 422 when it is taken by now */
export async function confirmEmailChange(
  tx: Connection,
  { userId, purpose }: Pick<RedeemedToken, 'userId' | 'purpose'>,
): Promise<'half' | 'done'> {
  // Serializes concurrent confirmations of both mailboxes.
  const { rows } = await tx.query<{ email_change: string; agreed: number }>(
    'select email_change, email_change_confirm_status as agreed from auth.users where id = $1 for update',
    [userId],
  );
  const { email_change: email, agreed } = rows[0]!;
  const side = purpose === 'email_change_current' ? CONFIRMED_BY.current : CONFIRMED_BY.new;
  if (agreed === CONFIRMED_BY.none || agreed === side) {
    await tx.query('update auth.users set email_change_confirm_status = $2, updated_at = now() where id = $1', [
      userId,
      side,
    ]);
    return 'half';
  }
  if (!(await changeEmail(tx, userId, email))) throw errors.emailExists();
  await confirmEmail(tx, userId);
  await tx.query('update auth.users set email_change_confirm_status = 0, email_confirmed_at = now() where id = $1', [
    userId,
  ]);
  await deleteTokens(tx, userId);
  return 'done';
}

const deleteTokens = (tx: Connection, userId: string) =>
  tx.query(
    "delete from auth.one_time_tokens where user_id = $1 and purpose in ('email_change_current', 'email_change_new')",
    [userId],
  );

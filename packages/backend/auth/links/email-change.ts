import type { Connection } from '../../database/database.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { setUserColumns } from '../rows.ts';
import { changeIdentifier, confirmIdentifier } from '../users/account.ts';
import type { UserRow } from '../users/user.ts';
import { type EmailTarget, sendEmail } from './auth-emails.ts';
import type { RedeemedToken } from './one-time-token.ts';

// With `double_confirm_changes`, both the old and the new mailbox must confirm a change of address.
const CONFIRMED_BY = { none: 0, current: 1, new: 2 } as const;
const DELETE_TOKENS =
  "delete from auth.one_time_tokens where user_id = $1 and purpose in ('email_change_current', 'email_change_new')";

/** Stores the requested address. A repeated request keeps the confirmation status; a different address resets it. */
export async function storeEmailChange(tx: Connection, { project }: AuthContext, user: UserRow, email: string) {
  const needsCurrent = project.auth.email.double_confirm_changes && user.email !== null;
  const initial = needsCurrent ? CONFIRMED_BY.none : CONFIRMED_BY.current;
  const text = `update auth.users set email_change = $2::text, email_change_sent_at = now(), updated_at = now(),
       email_change_confirm_status = case when $3::boolean and email_change = $2::text then email_change_confirm_status else $4::int end
     where id = $1 returning email_change_confirm_status as agreed`;
  const { rows } = await tx.query<{ agreed: number }>(text, [user.id, email, needsCurrent, initial]);
  return { ...user, email_change: email, email_change_confirm_status: rows[0]?.agreed ?? CONFIRMED_BY.none };
}

export async function startEmailChange(tx: Connection, c: AuthRequest, email: string, target: EmailTarget) {
  const { identity, user } = c.var;
  await tx.query(DELETE_TOKENS, [user.id]);
  await sendPendingChange(tx, identity, await storeEmailChange(tx, identity, user, email), target);
}

/** E-mails the mailboxes that have not confirmed yet. @param maySend else the previous e-mail stays valid */
export async function sendPendingChange(
  tx: Connection,
  identity: AuthContext,
  user: UserRow,
  target: EmailTarget,
  maySend: (email: string) => Promise<boolean> = async () => true,
): Promise<void> {
  const agreed = user.email_change_confirm_status;
  for (const [side, to] of [
    ['current', user.email!],
    ['new', user.email_change!],
  ] as const)
    if (agreed !== CONFIRMED_BY[side] && (await maySend(to)))
      await sendEmail(tx, identity, user, `email_change_${side}`, { ...target, to });
}

/** Records one confirmation; the last one changes the address. @throws ApiError 422 when it is taken by now */
export async function confirmEmailChange(tx: Connection, { userId, purpose }: RedeemedToken): Promise<'half' | 'done'> {
  // Serializes concurrent confirmations of both mailboxes.
  const text = 'select email_change, email_change_confirm_status as agreed from auth.users where id = $1 for update';
  const { rows } = await tx.query<{ email_change: string; agreed: number }>(text, [userId]);
  const { email_change: email, agreed } = rows[0]!;
  const side = purpose === 'email_change_current' ? CONFIRMED_BY.current : CONFIRMED_BY.new;
  if (agreed === CONFIRMED_BY.none || agreed === side) {
    await setUserColumns(tx, userId, { email_change_confirm_status: side });
    return 'half';
  }
  await changeIdentifier(tx, userId, 'email', email);
  await confirmIdentifier(tx, userId, 'email');
  const completion = 'update auth.users set email_change_confirm_status = 0, email_confirmed_at = now() where id = $1';
  await tx.query(completion, [userId]);
  await tx.query(DELETE_TOKENS, [userId]);
  return 'done';
}

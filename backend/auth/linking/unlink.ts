import type { Context } from 'hono';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUuid } from '../sessions/bearer.ts';
import { refreshProviders } from '../users/account.ts';
import { findUser, type IdentityRow, type UserRow } from '../users/user.ts';
import { moveAddress } from './linking.ts';
import { requireLinking } from './require-linking.ts';

export async function unlinkIdentity(c: Context<Env>) {
  const id = c.req.param('id')!;
  if (!isUuid(id)) throw errors.identityIdNotUuid();
  requireLinking(c);
  await c.var.identity.db.transaction(async (tx) => {
    // Of two concurrent requests, the second must see that it would remove the last identity.
    await tx.query('select from auth.users where id = $1 for update', [c.var.user.id]);
    const user = await findUser(tx, c.var.user.id);
    if (!user) throw errors.userOfTokenGone();
    const leaving = user.identities.find((identity) => identity.id === id.toLowerCase());
    if (!leaving) throw errors.identityNotFound();
    if (user.identities.length < 2) throw errors.lastIdentity();
    await tx.query('delete from auth.identities where id = $1', [leaving.id]);
    await forget(tx, user, leaving);
    await refreshProviders(tx, user.id);
    const { sessionId: session } = c.var;
    await record(tx, c, {
      action: 'identity_unlinked',
      outcome: 'success',
      actor: user.id,
      session,
      reason: leaving.provider,
    });
  });
  return c.json({});
}

async function forget(tx: Transaction, user: UserRow, leaving: IdentityRow): Promise<void> {
  if (leaving.provider === 'phone') {
    await tx.query('update auth.users set phone = null, phone_confirmed_at = null, updated_at = now() where id = $1', [
      user.id,
    ]);
    return;
  }
  if (leaving.provider === 'email') {
    await tx.query('update auth.users set encrypted_password = null, updated_at = now() where id = $1', [user.id]);
    await tx.query('delete from auth.one_time_tokens where user_id = $1', [user.id]);
  }
  const staying = user.identities.filter((identity) => identity.id !== leaving.id && identity.email !== null);
  if (leaving.email !== user.email || staying.some(({ email }) => email === user.email)) return;
  const next = staying.find(({ identity_data: data }) => data['email_verified'] === true);
  if (next && !(await moveAddress(tx, user.id, next.email!))) throw errors.identityEmailConflict();
  if (!next) {
    await tx.query(
      `update auth.users set email = null, email_confirmed_at = null, updated_at = now(),
         raw_user_meta_data = raw_user_meta_data - 'email' where id = $1`,
      [user.id],
    );
  }
}

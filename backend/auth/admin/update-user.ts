import type { Context } from 'hono';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { read } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { changeEmail, changePhone, confirmEmail, confirmPhone, mergeMetadata, setPassword } from '../users/account.ts';
import { findUser, showUser, type UserRow } from '../users/user.ts';
import { type Account, AccountFields, accountOf } from './account-fields.ts';
import { userOfPath } from './find.ts';

/** `PUT /admin/users/{id}`: applies immediately without confirmation e-mails; metadata is merged. */
export async function adminUpdateUser(c: Context<Env>) {
  const { db } = c.var.identity;
  const before = await userOfPath(db, c);
  const account = await accountOf(c, await read(c, AccountFields), before.email);
  const user = await db.transaction(async (tx) => {
    const current = await userOfPath(tx, c);
    const changes = await apply(tx, current, account);
    const reason = changes.join(' ');
    await record(tx, c, { action: 'user_modified', outcome: 'success', object: current.id, reason });
    return findUser(tx, current.id);
  });
  if (!user) throw errors.userNotFound();
  return c.json(showUser(user));
}

async function apply(tx: Transaction, user: UserRow, account: Account): Promise<string[]> {
  const { id } = user;
  const changes: string[] = [];
  if (account.email && account.email !== user.email) {
    if (!(await changeEmail(tx, id, account.email))) throw errors.emailExists();
    changes.push('email');
  }
  if (account.phone && account.phone !== user.phone) {
    if (!(await changePhone(tx, id, account.phone))) throw errors.phoneExists();
    changes.push('phone');
  }
  if (account.emailConfirm && (account.email ?? user.email)) {
    await confirmEmail(tx, id);
    changes.push('email_confirm');
  }
  if (account.phoneConfirm && (account.phone ?? user.phone)) {
    await confirmPhone(tx, id);
    changes.push('phone_confirm');
  }
  if (account.passwordHash) {
    await setPassword(tx, id, account.passwordHash, null);
    changes.push('password');
  }
  if (account.userMetadata) {
    await mergeMetadata(tx, id, 'raw_user_meta_data', account.userMetadata);
    changes.push('user_metadata');
  }
  if (account.appMetadata) {
    await mergeMetadata(tx, id, 'raw_app_meta_data', account.appMetadata);
    changes.push('app_metadata');
  }
  if (account.ban) {
    await setBan(tx, id, account.ban.until);
    changes.push(account.ban.until ? 'ban' : 'unban');
  }
  return changes;
}

async function setBan(tx: Transaction, userId: string, until: Date | null): Promise<void> {
  await tx.query('update auth.users set banned_until = $2, updated_at = now() where id = $1', [userId, until]);
  if (until) await tx.query('delete from auth.sessions where user_id = $1', [userId]);
}

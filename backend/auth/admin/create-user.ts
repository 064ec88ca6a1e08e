import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import { record } from '../audit.ts';
import { read } from '../body.ts';
import type { Env } from '../context.ts';
import { type ApiError, errors } from '../errors.ts';
import { createAccount } from '../users/account.ts';
import { findUserByEmail, findUserByPhone, showUser } from '../users/user.ts';
import { AccountFields, accountOf } from './account-fields.ts';

/** `POST /admin/users`: sends no e-mail; without `email_confirm` the address stays unconfirmed. */
export async function adminCreateUser(c: Context<Env>) {
  const fields = await read(c, AccountFields);
  if (!fields.email && !fields.phone) throw errors.invalid('Cannot create a user without either an email or phone');
  const account = await accountOf(c, fields, null);
  const user = await c.var.identity.db.transaction(async (tx) => {
    const made = await createAccount(tx, {
      id: account.id,
      email: account.email,
      phone: account.phone,
      passwordHash: account.passwordHash,
      userMetadata: account.userMetadata ?? {},
      appMetadata: account.appMetadata ?? {},
      madeByAdmin: true,
      emailConfirmed: account.email !== null && account.emailConfirm,
      phoneConfirmed: account.phone !== null && account.phoneConfirm,
      bannedUntil: account.ban?.until ?? null,
      identities: 'own',
    });
    if (!made) throw await whatIsTaken(tx, account);
    await record(tx, c, { action: 'user_created', outcome: 'success', object: made.id });
    return made;
  });
  return c.json(showUser(user));
}

async function whatIsTaken(
  tx: Connection,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<ApiError> {
  if (email && (await findUserByEmail(tx, email))) return errors.emailExists();
  if (phone && (await findUserByPhone(tx, phone))) return errors.phoneExists();
  return errors.alreadyRegistered();
}

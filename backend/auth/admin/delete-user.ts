import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { optional, readOrEmpty } from '../body.ts';
import type { Env } from '../context.ts';
import type { UserRow } from '../users/user.ts';
import { userOfPath } from './find.ts';

const Body = z.object({ should_soft_delete: optional(z.boolean()) });

/** `DELETE /admin/users/{id}`: deletes the row, or with `should_soft_delete` keeps it without personal data. */
export async function adminDeleteUser(c: Context<Env>) {
  const { should_soft_delete: soft } = await readOrEmpty(c, Body);
  await c.var.identity.db.transaction(async (tx) => {
    const user = await userOfPath(tx, c);
    if (soft) await scramble(tx, user);
    else await tx.query('delete from auth.users where id = $1', [user.id]);
    await record(tx, c, {
      action: 'user_deleted',
      outcome: 'success',
      object: user.id,
      reason: soft ? 'soft' : 'hard',
    });
  });
  return c.json({});
}

async function scramble(tx: Transaction, user: UserRow): Promise<void> {
  const hidden = createHash('sha256')
    .update(`${user.id}${user.email ?? ''}`)
    .digest('base64url');
  await tx.query(
    `update auth.users set deleted_at = now(), updated_at = now(), email = $2, phone = null, encrypted_password = null,
       email_change = '', phone_change = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}' where id = $1`,
    [user.id, hidden],
  );
  for (const table of ['sessions', 'identities', 'one_time_tokens', 'mfa_factors', 'flow_state'])
    await tx.query(`delete from auth.${table} where user_id = $1`, [user.id]);
}

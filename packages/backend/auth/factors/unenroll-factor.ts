import type { Context } from 'hono';
import type { Connection } from '../../database/database.ts';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { factorOfPath, isVerified, lockSession } from './lock-session.ts';

/** `DELETE /factors/{id}`: a verified factor can only be removed from an aal2 session. */
export async function unenrollFactor(c: Context<Env>) {
  const id = await c.var.identity.db.transaction(async (tx) => {
    const { user, session } = await lockSession(tx, c);
    const factor = factorOfPath(user, c);
    if (isVerified(factor) && session.aal !== 'aal2') throw errors.insufficientAal(422, 'unenroll verified factor');
    await removeFactor(tx, user.id, factor.id);
    await record(tx, c, {
      action: 'factor_removed',
      outcome: 'success',
      actor: user.id,
      object: factor.id,
      session: session.id,
      reason: factor.factor_type,
    });
    return factor.id;
  });
  return c.json({ id });
}

/** Removes a factor and lowers the sessions it raised. With the last verified factor the recovery codes are deleted. */
export async function removeFactor(tx: Connection, userId: string, factorId: string): Promise<void> {
  await tx.query('delete from auth.mfa_factors where id = $1 and user_id = $2', [factorId, userId]);
  const { rows } = await tx.query("select from auth.mfa_factors where user_id = $1 and status = 'verified' limit 1", [
    userId,
  ]);
  if (!rows.length) await tx.query('delete from auth.recovery_codes where user_id = $1', [userId]);
  await tx.query(
    `with lowered as (
       update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
       where user_id = $1 and aal = 'aal2' and (factor_id = $2 or $3::boolean) returning id
     )
     delete from auth.mfa_amr_claims where session_id in (select id from lowered)
       and authentication_method in ('totp', 'mfa/phone', 'mfa/recovery_code')`,
    [userId, factorId, rows.length === 0],
  );
}

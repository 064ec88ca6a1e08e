import type { Context } from 'hono';
import { record } from '../../audit.ts';
import type { Env } from '../../context.ts';
import { errors } from '../../errors.ts';
import { factorOfPath, lockUser } from '../../factors/own.ts';
import { removeFactor } from '../../factors/unenroll.ts';
import { showFactor } from '../../users/user.ts';
import { userOfPath } from '../find.ts';

export async function adminDeleteFactor(c: Context<Env>) {
  const factor = await c.var.identity.db.transaction(async (tx) => {
    const user = await lockUser(tx, (await userOfPath(tx, c)).id);
    if (!user) throw errors.userNotFound();
    const found = factorOfPath(user, c, 'fid');
    await removeFactor(tx, user.id, found.id);
    await record(tx, c, {
      action: 'factor_removed',
      outcome: 'success',
      object: user.id,
      reason: found.factor_type,
    });
    return found;
  });
  return c.json(showFactor(factor));
}

import * as z from 'zod';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { friendlyName, removeFactor } from '../factors/enroll-factor.ts';
import { factorOfPath, lockUser } from '../factors/lock-session.ts';
import { phoneNumber } from '../links/phone.ts';
import { findUser, showFactor } from '../users/user.ts';
import { userOfPath } from './users.ts';

export async function adminListFactors(c: AuthRequest) {
  const { factors } = await userOfPath(c.var.identity.db, c);
  return c.json(factors.map(showFactor));
}

const UpdateBody = z.object({ friendly_name: friendlyName, phone: optional(z.string()) });

export async function adminUpdateFactor(c: AuthRequest) {
  const { friendly_name: name, phone: number } = await readBody(c, UpdateBody);
  const phone = number ? phoneNumber(number) : null;
  const changed = await c.var.identity.db.transaction(async (tx) => {
    const user = await lockUser(tx, (await userOfPath(tx, c)).id);
    if (!user) throw errors.userNotFound();
    const factor = factorOfPath(user, c, 'fid');
    const others = user.factors.filter(({ id }) => id !== factor.id);
    if (phone && factor.factor_type !== 'phone') throw errors.invalid('Only a phone factor has a number');
    if (name && others.some((other) => other.friendly_name === name)) throw errors.factorNameTaken(name);
    if (phone && others.some((other) => other.phone === phone)) throw errors.phoneFactorExists();
    await tx.query(
      `update auth.mfa_factors set friendly_name = coalesce($2, friendly_name), phone = coalesce($3, phone), updated_at = now()
       where id = $1`,
      [factor.id, name || null, phone],
    );
    await record(tx, c, { action: 'factor_changed', object: user.id, reason: factor.factor_type });
    return (await findUser(tx, user.id))!.factors.find(({ id }) => id === factor.id)!;
  });
  return c.json(showFactor(changed));
}

export async function adminDeleteFactor(c: AuthRequest) {
  const factor = await c.var.identity.db.transaction(async (tx) => {
    const user = await lockUser(tx, (await userOfPath(tx, c)).id);
    if (!user) throw errors.userNotFound();
    const found = factorOfPath(user, c, 'fid');
    await removeFactor(tx, user.id, found.id);
    await record(tx, c, { action: 'factor_removed', object: user.id, reason: found.factor_type });
    return found;
  });
  return c.json(showFactor(factor));
}

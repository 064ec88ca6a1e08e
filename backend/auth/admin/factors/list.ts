import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { showFactor } from '../../users/user.ts';
import { userOfPath } from '../find.ts';

export async function adminListFactors(c: Context<Env>) {
  const { factors } = await userOfPath(c.var.identity.db, c);
  return c.json(factors.map(showFactor));
}

import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';

/**
 * Whether the signed-in user may change their own ways in: the project allows it, no company manages the account, and
 * a second factor, where there is one, has been shown.
 * @throws ApiError 404, 422 or 401
 */
export function requireLinking(c: Context<Env>): void {
  const { user, aal, identity } = c.var;
  if (!identity.project.auth.enable_manual_linking) throw errors.linkingDisabled();
  if (user.is_sso_user) throw errors.managedElsewhere();
  if (aal !== 'aal2' && user.factors.some(({ status }) => status === 'verified'))
    throw errors.insufficientAal(401, 'change the ways to sign in');
}

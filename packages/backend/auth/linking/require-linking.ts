import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';

/**
 * Requires that the project allows linking, the account is not managed by SSO, and the session is aal2 if the user has
 * a verified factor.
 * @throws ApiError 404, 422 or 401
 */
export function requireLinking(c: Context<Env>): void {
  const { user, aal, identity } = c.var;
  if (!identity.project.auth.enable_manual_linking) throw errors.linkingDisabled();
  if (user.is_sso_user) throw errors.managedElsewhere();
  if (aal !== 'aal2' && user.factors.some(({ status }) => status === 'verified'))
    throw errors.insufficientAal(401, 'change the ways to sign in');
}

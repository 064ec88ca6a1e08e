import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { authorizationUrl } from '../providers/authorize.ts';
import { requireLinking } from './require-linking.ts';

export async function authorizeIdentity(c: Context<Env>) {
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET');
  requireLinking(c);
  const url = await authorizationUrl(c, c.var.user.id);
  return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
}

import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { confirmPage, redirectOf } from '../redirect.ts';

/** `GET /verify?token=&type=`: must not redeem the link, because mail scanners and prefetching browsers open it. */
export function verifyLink(c: Context<Env>) {
  const tokenHash = c.req.query('token') || c.req.query('token_hash');
  const type = c.req.query('type');
  if (!tokenHash || !type) throw errors.invalid('Verify requires a token and a verification type');
  return c.redirect(confirmPage(c.var.identity.config.siteUrl, { tokenHash, type, redirectTo: redirectOf(c) }), 303);
}

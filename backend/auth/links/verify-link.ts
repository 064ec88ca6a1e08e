import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { confirmPage, redirectOf } from '../redirect.ts';

/**
 * `GET /verify?token=&type=`: leads to the page whose button redeems the link. Opening an address must never use it up,
 * because mail scanners and browsers that look ahead open every link.
 */
export function verifyLink(c: Context<Env>) {
  const tokenHash = c.req.query('token') || c.req.query('token_hash');
  const type = c.req.query('type');
  if (!tokenHash || !type) throw errors.invalid('Verify requires a token and a verification type');
  return c.redirect(confirmPage(c.var.identity.config.siteUrl, { tokenHash, type, redirectTo: redirectOf(c) }), 303);
}

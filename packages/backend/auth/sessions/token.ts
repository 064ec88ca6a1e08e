import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { passwordGrant } from '../password/password-grant.ts';
import { idTokenGrant } from '../providers/id-token-grant.ts';
import { pkceGrant } from '../providers/pkce-grant.ts';
import { refreshGrant } from './refresh-grant.ts';

const GRANTS: Record<string, (c: Context<Env>) => Promise<Response>> = {
  password: passwordGrant,
  refresh_token: refreshGrant,
  pkce: pkceGrant,
  id_token: idTokenGrant,
};

export async function token(c: Context<Env>) {
  const name = c.req.query('grant_type') ?? '';
  if (!Object.hasOwn(GRANTS, name)) throw errors.unsupportedGrant();
  return GRANTS[name]!(c);
}

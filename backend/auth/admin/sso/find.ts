import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../sessions/bearer.ts';
import { samlOnly } from '../../sso/enabled.ts';
import { findProvider, type SsoProvider } from '../../sso/provider.ts';

export async function providerOf(c: Context<Env>): Promise<SsoProvider> {
  samlOnly(c);
  const id = c.req.param('id')!;
  const provider = isUuid(id) ? await findProvider(c.var.identity.db, id) : null;
  if (!provider) throw errors.noSuchSsoProvider('No such SSO provider');
  return provider;
}

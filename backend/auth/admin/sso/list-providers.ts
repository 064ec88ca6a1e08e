import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { samlOnly } from '../../sso/enabled.ts';
import { listProviders, showProvider } from '../../sso/provider.ts';

export async function adminListProviders(c: Context<Env>) {
  samlOnly(c);
  const providers = await listProviders(c.var.identity.db);
  return c.json({ items: providers.map((provider) => showProvider(provider, 'without metadata')) });
}

import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import { showProvider } from '../../sso/provider.ts';
import { providerOf } from './find.ts';

export async function adminShowProvider(c: Context<Env>) {
  return c.json(showProvider(await providerOf(c), 'with metadata'));
}

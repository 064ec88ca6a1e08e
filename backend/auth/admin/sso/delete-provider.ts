import type { Context } from 'hono';
import { record } from '../../audit.ts';
import type { Env } from '../../context.ts';
import { showProvider } from '../../sso/provider.ts';
import { providerOf } from './find.ts';

/** `DELETE /admin/sso/providers/{id}`: disables sign-in through the provider; its accounts remain. */
export async function adminDeleteProvider(c: Context<Env>) {
  const provider = await providerOf(c);
  await c.var.identity.db.transaction(async (tx) => {
    await tx.query('delete from auth.sso_providers where id = $1', [provider.id]);
    await record(tx, c, { action: 'sso_provider_deleted', outcome: 'success', object: provider.id });
  });
  return c.json(showProvider(provider, 'with metadata'));
}

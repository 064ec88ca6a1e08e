import { asCaller, messageOf } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';
import { readObject, refuse, rejectOtherMethods, respond } from '../_shared/respond.ts';

/** Gives a webhook a new secret and returns it, for the only time. The database authorizes and records the request. */
export default async function renewWebhookSecret(request: Request, context: Context): Promise<Response> {
  const rejected = rejectOtherMethods(request);
  if (rejected) return rejected;
  if (!context.host) return refuse('This site’s data is stored by a hosting service, which sends no webhooks of ours.');
  const id = (await readObject(request))?.['id'];
  if (typeof id !== 'string') return refuse('A webhook has an id.');
  const reply = await asCaller(context, request, 'POST', '/rest/v1/rpc/renew_webhook_secret', { p_webhook: id });
  if (!reply.ok) return refuse(messageOf(reply));
  return respond({
    success: true,
    error: null,
    secret: context.host.webhookSecret(id.toLowerCase(), reply.body as number),
  });
}

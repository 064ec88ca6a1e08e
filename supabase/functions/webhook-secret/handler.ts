import { asCaller, messageOf } from '../_shared/backend.ts';
import { onPost, readObject, refuse, respond } from '../_shared/respond.ts';

/** Gives a webhook a new secret and returns it, for the only time. The database authorizes and records the request. */
export default onPost(async (request, context) => {
  if (!context.host) return refuse('This site’s data is stored by a hosting service, which sends no webhooks of ours.');
  const id = (await readObject(request))?.['id'];
  if (typeof id !== 'string') return refuse('A webhook has an id.');
  const reply = await asCaller(context, request, 'renew_webhook_secret', { p_webhook: id });
  if (!reply.ok) return refuse(messageOf(reply));
  const secret = context.host.webhookSecret(id.toLowerCase(), reply.body as number);
  return respond({ success: true, error: null, secret });
});

import { asCaller, asService, messageOf } from '../_shared/backend.ts';
import { callerOf } from '../_shared/caller.ts';
import { emailIn, onPost, readObject, refuse, respond } from '../_shared/respond.ts';
import { checkSetupKey } from '../_shared/setup-key.ts';

/**
 * Creates the first admin. The setup key is checked first; `{ "check": true }` only checks it, for sign-up by email.
 */
export default onPost(async (request, context) => {
  const key = request.headers.get('x-setup-key');
  const refusal = await checkSetupKey(context, key, await callerOf(request, context));
  if (refusal) return refuse(refusal);

  const body = await readObject(request);
  if (body?.['check'] === true) return respond({ success: true, error: null });
  const email = emailIn(body?.['email']);
  if (!email) return refuse('Please enter a valid email address');
  const password = body?.['password'];
  if (typeof password !== 'string' || !password) return refuse('Please enter a password');

  const created = await asService(context, 'POST', '/auth/v1/admin/users', {
    email,
    password,
    email_confirm: true,
    user_metadata: { requested_admin: true },
  });
  if (!created.ok) return refuse(messageOf(created));
  const user = created.body as { id: string; email: string };
  // Not with the service key: of concurrent calls with the setup key, the database accepts one.
  const granted = await asCaller(context, request, 'assign_admin_role', { admin_email: email }).catch(() => null);
  if (granted?.ok && granted.body === true) return respond({ success: true, error: null, user });

  const removed = await asService(context, 'DELETE', `/auth/v1/admin/users/${user.id}`);
  if (!removed.ok) context.log.error(`account ${user.id} could not be removed after it was refused the admin role`);
  return refuse(granted ? messageOf(granted) : 'Unknown error occurred');
});

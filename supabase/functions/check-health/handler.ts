import { callerOf } from '../_shared/caller.ts';
import type { Context } from '../_shared/context.ts';
import { onPost, respond } from '../_shared/respond.ts';
import { type Check, checkAll, withTimeout } from './checks.ts';

/**
 * Health report. Security: everyone learns only that the server responds and its time; admins get state and code per
 * component, never addresses, versions or error messages.
 */
export default onPost(async (request, context) => {
  const server: Check = { name: 'server', state: 'fine', code: 'answers', since: null, at: null };
  const admin = request.headers.has('authorization') && (await isAdmin(request, context));
  const checks = admin ? [server, ...(await checkAll(context))] : [server];
  return respond({ success: true, error: null, admin, now: new Date().toISOString(), checks });
});

const isAdmin = (request: Request, context: Context): Promise<boolean> =>
  withTimeout(() => callerOf(request, context)).then(
    ({ kind }) => kind === 'admin',
    () => false,
  );

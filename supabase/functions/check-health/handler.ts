import { answer, answerOtherMethods } from '../_shared/answer.ts';
import { callerOf } from '../_shared/caller.ts';
import type { Context } from '../_shared/context.ts';
import { type Check, checkAll, within } from './checks.ts';

/**
 * How the house is. Everybody learns that the server answers and what time it has; an admin's session learns the rest:
 * for each part a state and a word for it, never an address, a version or a message of the part itself.
 */
export default async function checkHealth(request: Request, context: Context): Promise<Response> {
  const other = answerOtherMethods(request);
  if (other) return other;
  const server: Check = { name: 'server', state: 'fine', code: 'answers', since: null, at: null };
  const admin = request.headers.has('authorization') && (await isAdmin(request, context));
  const checks = admin ? [server, ...(await checkAll(context))] : [server];
  return answer({ success: true, error: null, admin, now: new Date().toISOString(), checks });
}

/** Whether the caller's own session is an admin's right now; false while that cannot be found out. */
const isAdmin = (request: Request, context: Context): Promise<boolean> =>
  within(() => callerOf(request, context)).then(
    ({ kind }) => kind === 'admin',
    () => false,
  );

import { answer, answerOtherMethods } from '../_shared/answer.ts';
import { asVisitor } from '../_shared/backend.ts';
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

/** Whether the visitor's own session is an admin's, right now. Nobody is one while that cannot be found out. */
async function isAdmin(request: Request, context: Context): Promise<boolean> {
  const asked = within(async () => {
    const person = await asVisitor(context, request, 'GET', '/auth/v1/user', undefined);
    if (!person.ok) return false;
    const reply = await asVisitor(context, request, 'POST', '/rest/v1/rpc/is_admin', {});
    return reply.ok && reply.body === true;
  });
  return asked.catch(() => false);
}

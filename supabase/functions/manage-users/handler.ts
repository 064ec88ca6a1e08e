import { answer, answerOtherMethods, readObject, refuse } from '../_shared/answer.ts';
import { asService, asVisitor } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';
import { ACTIONS, Refusal } from './actions.ts';

const ONLY_ADMINS = 'Only an admin can manage users.';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What admins may do with accounts: `{ "action": "list" | "invite" | "ban" | "unban" | "confirm" | "remove_factors" |
 * "reset_password" | "delete", ... }`. The visitor's own token is asked whether it is an admin's, right now; only then
 * does the service key act. Whatever changes something, or is refused, is recorded with who asked.
 */
export default async function manageUsers(request: Request, context: Context): Promise<Response> {
  const other = answerOtherMethods(request);
  if (other) return other;
  const body = (await readObject(request)) ?? {};
  const name = typeof body['action'] === 'string' ? body['action'] : '';
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const id = typeof body['id'] === 'string' && UUID.test(body['id']) ? body['id'].toLowerCase() : null;

  const visitor = await visitorOf(request, context);
  const note = async (outcome: 'done' | 'refused', object: string | null, reason: string | null) => {
    const line = { actor: visitor.id, action: `user.${action ? name : 'unknown'}`, object, outcome, reason };
    const noted = await asService(context, 'POST', '/rest/v1/rpc/record_act', line);
    if (!noted.ok) context.log.error(`a line of the audit log was answered ${noted.status}`);
  };
  if (!visitor.id || !visitor.isAdmin) {
    await note('refused', id, ONLY_ADMINS);
    return refuse(ONLY_ADMINS);
  }
  if (!action) return refuse('Please name an action.');
  if (action.needsUser && !id) return refuse('Please name a user.');
  try {
    const { object = id, ...result } = await action.act({ context, body, id: id ?? '', admin: visitor.id });
    if (action.changes) await note('done', object, null);
    return answer({ success: true, error: null, ...result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (action.changes) await note('refused', id, error.message);
    return refuse(error.message);
  }
}

async function visitorOf(request: Request, context: Context): Promise<{ id: string | null; isAdmin: boolean }> {
  const person = await asVisitor(context, request, 'GET', '/auth/v1/user', undefined);
  if (!person.ok) return { id: null, isAdmin: false };
  const admin = await asVisitor(context, request, 'POST', '/rest/v1/rpc/is_admin', {});
  return { id: (person.body as { id: string }).id, isAdmin: admin.ok && admin.body === true };
}

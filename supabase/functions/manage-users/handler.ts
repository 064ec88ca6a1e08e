import { answer, answerOtherMethods, readObject, refuse } from '../_shared/answer.ts';
import { callerOf, recordAct } from '../_shared/caller.ts';
import type { Context } from '../_shared/context.ts';
import { ACTIONS, Refusal } from './actions.ts';

const ONLY_ADMINS = 'Only an admin can manage users.';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Account management for admins: `{ "action": "list" | "invite" | "ban" | "unban" | "confirm" | "remove_factors" |
 * "reset_password" | "delete", ... }`. Security: the service key is used only after the caller's token proved to be an
 * admin's. Changes and refusals are audited.
 */
export default async function manageUsers(request: Request, context: Context): Promise<Response> {
  const other = answerOtherMethods(request);
  if (other) return other;
  const body = (await readObject(request)) ?? {};
  const name = typeof body['action'] === 'string' ? body['action'] : '';
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const id = typeof body['id'] === 'string' && UUID.test(body['id']) ? body['id'].toLowerCase() : null;

  const caller = await callerOf(request, context);
  const note = (outcome: 'done' | 'refused', object: string | null, reason: string | null) =>
    recordAct(context, caller, { action: `user.${action ? name : 'unknown'}`, object, outcome, reason });
  if (!caller.id || caller.kind !== 'admin') {
    await note('refused', id, ONLY_ADMINS);
    return refuse(ONLY_ADMINS);
  }
  if (!action) return refuse('Please name an action.');
  if (action.needsUser && !id) return refuse('Please name a user.');
  try {
    const { object = id, ...result } = await action.act({ context, body, id: id ?? '', admin: caller.id });
    if (action.changes) await note('done', object, null);
    return answer({ success: true, error: null, ...result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (action.changes) await note('refused', id, error.message);
    return refuse(error.message);
  }
}

import { callerOf, recordAct } from '../_shared/caller.ts';
import { onPost, readObject, refuse, respond } from '../_shared/respond.ts';
import { ACTIONS, Refusal } from './actions.ts';

const ONLY_ADMINS = 'Only an admin can manage users.';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Account management for admins: `{ "action": "list" | "invite" | "ban" | "unban" | "confirm" | "remove_factors" |
 * "reset_password" | "delete", ... }`. Security: the service key is used only after the caller's token proved to be an
 * admin's. Changes and refusals are audited.
 */
export default onPost(async (request, context) => {
  const body = (await readObject(request)) ?? {};
  const name = typeof body['action'] === 'string' ? body['action'] : '';
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const isRecorded = name !== 'list';
  const id = typeof body['id'] === 'string' && UUID.test(body['id']) ? body['id'].toLowerCase() : null;

  const caller = await callerOf(request, context);
  const recordOutcome = (outcome: 'done' | 'refused', object: string | null, reason: string | null) =>
    recordAct(context, caller, { action: `user.${action ? name : 'unknown'}`, object, outcome, reason });
  if (!caller.id || caller.kind !== 'admin') {
    await recordOutcome('refused', id, ONLY_ADMINS);
    return refuse(ONLY_ADMINS);
  }
  if (!action) return refuse('Please name an action.');
  if (name !== 'list' && name !== 'invite' && !id) return refuse('Please name a user.');
  try {
    const { object = id, ...result } = await action({ context, body, id: id ?? '', admin: caller.id });
    if (isRecorded) await recordOutcome('done', object, null);
    return respond({ success: true, error: null, ...result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (isRecorded) await recordOutcome('refused', id, error.message);
    return refuse(error.message);
  }
});

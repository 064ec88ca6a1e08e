import type { Context } from 'hono';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { deleteFlows } from '../providers/flow-state.ts';

const SCOPES = ['global', 'local', 'others'];

/** `POST /logout?scope=`: ends all sessions and pending flows (`global`), this session (`local`) or the `others`. */
export async function logout(c: Context<Env>) {
  const scope = c.req.query('scope') || 'global';
  if (!SCOPES.includes(scope)) throw errors.invalid(`Unsupported logout scope "${scope.slice(0, 20)}"`);
  const { user, sessionId } = c.var;
  const all = scope === 'global' || !sessionId;
  await c.var.identity.db.transaction(async (tx) => {
    // Lock order: flows before the user, as when exchanging a code.
    if (all) await deleteFlows(tx, user.id);
    // Serializes with a concurrent verification of a second factor, which also ends sessions.
    if (scope !== 'local') await tx.query('select from auth.users where id = $1 for no key update', [user.id]);
    if (all) await tx.query('delete from auth.sessions where user_id = $1', [user.id]);
    else {
      const which = scope === 'local' ? 'id = $2' : 'id <> $2';
      await tx.query(`delete from auth.sessions where user_id = $1 and ${which}`, [user.id, sessionId]);
    }
    await record(tx, c, { action: 'logout', outcome: 'success', actor: user.id, session: sessionId, reason: scope });
  });
  return c.body(null, 204);
}

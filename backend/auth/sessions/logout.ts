import type { Context } from 'hono';
import { record } from '../audit.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { forgetFlows } from '../providers/flow-state.ts';

const SCOPES = ['global', 'local', 'others'];

/** `POST /logout?scope=`: ends all sessions and what would open one, this one, or all others. What they opened is dead with the next request. */
export async function logout(c: Context<Env>) {
  const scope = c.req.query('scope') || 'global';
  if (!SCOPES.includes(scope)) throw errors.invalid(`Unsupported logout scope "${scope.slice(0, 20)}"`);
  const { user, sessionId } = c.var;
  const all = scope === 'global' || !sessionId;
  await c.var.identity.db.transaction(async (tx) => {
    // Flows before the user, as everybody who exchanges a code.
    if (all) await forgetFlows(tx, user.id);
    // Whoever ends many sessions waits for a second factor that is just being proven, and the other way round.
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

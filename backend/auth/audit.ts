import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Connection } from '../database/database.ts';
import type { Env } from './identity.ts';

export interface AuditEvent {
  action: string;
  outcome: 'success' | 'refused';
  /** Who acted; null when unknown. */
  actor?: string | null;
  /** Whom it concerned, when that is not the actor. */
  object?: string | null;
  session?: string | null;
  reason?: string;
}

/** Records a success in the action's own transaction, or a refusal in one of its own. Never given secrets or bodies. */
export async function record(tx: Connection, c: Context<Env>, event: AuditEvent): Promise<void> {
  const payload = {
    action: event.action,
    outcome: event.outcome,
    actor_id: event.actor ?? null,
    object_id: event.object ?? null,
    session_id: event.session ?? null,
    reason: event.reason ?? null,
    request_id: c.env.id,
  };
  await tx.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
     values ('00000000-0000-0000-0000-000000000000', $1, $2::json, now(), $3)`,
    [randomUUID(), payload, c.env.address.slice(0, 64)],
  );
}

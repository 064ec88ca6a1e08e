import { routePath } from 'hono/route';
import { databaseTime } from '../database/clock.ts';
import type { Connection } from '../database/database.ts';
import type { ClientInfo } from '../http/client-info.ts';
import { pageHeaders, pageOf } from './admin/paging.ts';
import type { AuthRequest } from './context.ts';
import { type ApiError, errors } from './errors.ts';
import { NIL_UUID } from './rows.ts';

const PATHS: Record<string, string> = { action: 'action', author: 'actor_id', object: 'object_id', outcome: 'outcome' };

export async function adminListAudit(c: AuthRequest) {
  const { db, issuer } = c.var.identity;
  const page = pageOf(c);
  const { path, like } = parseFilter(c.req.query('query') ?? '');
  const matching = `from auth.audit_log_entries where ($1::text is null or payload ->> '${path}' ilike $1)`;
  const text = `select id, payload, created_at, ip_address ${matching}
     order by created_at desc, id limit $2::int offset $3::int`;
  const { rows } = await db.query(text, [like, page.perPage, page.offset]);
  const count = await db.query<{ total: number }>(`select count(*)::int as total ${matching}`, [like]);
  return c.json(rows, 200, pageHeaders(`${issuer}/admin/audit`, page, count.rows[0]!.total));
}

function parseFilter(query: string): { path: string; like: string | null } {
  if (!query) return { path: 'action', like: null };
  const [scope = '', text] = query.includes(':') ? query.split(/:(.*)/s) : ['action', query];
  if (!Object.hasOwn(PATHS, scope)) throw errors.invalid(`Invalid query scope: ${scope.slice(0, 20)}`);
  return { path: PATHS[scope]!, like: `%${text!.slice(0, 100).replace(/[\\%_]/g, '\\$&')}%` };
}

/** Each action needs a sentence in `app/features/audit/words.ts`. */
export const AUDIT_ACTIONS = [
  'accounts_archived',
  'accounts_loaded',
  'archive_loaded',
  'archive_made',
  'captcha',
  'code_exchanged',
  'email_change_agreed',
  'email_change_requested',
  'email_changed',
  'factor_added',
  'factor_begun',
  'factor_challenged',
  'factor_changed',
  'factor_removed',
  'factor_verified',
  'identity_linked',
  'identity_unlinked',
  'invite_accepted',
  'link_generated',
  'login',
  'logout',
  'password_changed',
  'phone_change_requested',
  'phone_changed',
  'recovery_code_used',
  'recovery_codes_made',
  'recovery_codes_removed',
  'request',
  'signing_keys_changed',
  'service_keys_changed',
  'sso_code_issued',
  'sso_provider_changed',
  'sso_provider_created',
  'sso_provider_deleted',
  'token_refreshed',
  'token_reused',
  'user_code_requested',
  'user_confirmation_requested',
  'user_confirmed',
  'user_created',
  'user_deleted',
  'user_invited',
  'user_modified',
  'user_reauthenticated',
  'user_reauthentication_requested',
  'user_recovered',
  'user_recovery_requested',
  'user_repeated_signup',
  'user_signedup',
  'verify',
] as const;

export interface AuditEvent {
  action: (typeof AUDIT_ACTIONS)[number];
  outcome?: 'success' | 'refused';
  actor?: string | null;
  object?: string | null;
  session?: string | null;
  reason?: string;
}

/** Records a success in the action's transaction, a refusal in its own. Never pass secrets or request bodies. */
export const record = (tx: Connection, c: AuthRequest, event: AuditEvent): Promise<void> =>
  insertEntry(tx, { actor: c.var.user?.id ?? null, session: c.var.sessionId ?? null, ...event }, c.env, roleOf(c));

/** Records a refusal in the transaction that it does not roll back (`transactOrRefuse`). @returns it */
export async function commitRefusal(tx: Connection, c: AuthRequest, event: AuditEvent, refusal: ApiError) {
  await record(tx, c, { ...event, outcome: 'refused', reason: refusal.code });
  return refusal;
}

const roleOf = (c: AuthRequest): Role | null => (c.var.isService ? 'service_role' : null);

export function recordInBackground(c: AuthRequest, event: AuditEvent, shouldRecord = async () => true): void {
  const { db, later } = c.var.identity;
  const at = databaseTime();
  later(async () => {
    if (await shouldRecord()) await insertEntry(db, event, c.env, roleOf(c), at);
  });
}

const RECORDED_CODES = new Set([
  'not_admin',
  'insufficient_aal',
  'current_password_invalid',
  'over_request_rate_limit',
  'over_email_send_rate_limit',
  'over_sms_send_rate_limit',
]);

/** For refusals that no endpoint records itself: one per address and cause in five minutes, not to flood the log. */
export function recordRefused(c: AuthRequest, { status, code, message }: ApiError): void {
  const { rates } = c.var.identity;
  const isTampered = code === 'bad_jwt' && /JWS|own key|suitable key|not for this service/.test(message);
  const isBusinessRule = code === 'conflict' && status === 409 && c.req.path.includes('/admin/');
  const isBanned = code === 'user_banned' && status === 403;
  if (!RECORDED_CODES.has(code) && !isTampered && !isBusinessRule && !isBanned) return;
  // The route, because the limit below must not depend on an id that the client makes up.
  const reason = `${code} ${c.req.method} ${routePath(c, -1)}`;
  const actor = c.var.user?.id ?? c.var.refusedId ?? null;
  const event = { action: 'request', outcome: 'refused', actor, session: c.var.sessionId ?? null, reason } as const;
  const isFirst = async () => (await rates.refusalRecords.use(`${c.env.address} ${reason}`)) === 0;
  recordInBackground(c, event, isFirst);
}

export const recordServerEvent = (tx: Connection, event: AuditEvent): Promise<void> =>
  insertEntry(tx, event, { address: '', id: '' }, 'server');

type Role = 'service_role' | 'server';

/** @param at time of the event in milliseconds since 1970; default: now */
async function insertEntry(tx: Connection, event: AuditEvent, client: ClientInfo, role: Role | null, at?: number) {
  const payload = {
    action: event.action,
    outcome: event.outcome ?? 'success',
    ...(client.onBehalfOf
      ? { actor_id: client.onBehalfOf.id, actor_role: client.onBehalfOf.kind === 'service' ? 'service_role' : null }
      : { actor_id: event.actor ?? null, actor_role: role }),
    object_id: event.object ?? null,
    session_id: event.session ?? null,
    reason: event.reason ?? null,
    request_id: client.id || null,
  };
  const text = `insert into auth.audit_log_entries (instance_id, payload, created_at, ip_address)
     values ($1, $2::json, coalesce($4::timestamptz, clock_timestamp()), $3)`;
  await tx.query(text, [NIL_UUID, payload, client.address.slice(0, 64), at === undefined ? null : new Date(at)]);
}

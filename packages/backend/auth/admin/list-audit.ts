import type { Context } from 'hono';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { pageHeaders, pageOf } from './paging.ts';

const SCOPES: Record<string, string> = {
  action: "payload ->> 'action'",
  author: "payload ->> 'actor_id'",
  object: "payload ->> 'object_id'",
  outcome: "payload ->> 'outcome'",
};

interface Entry {
  id: string;
  payload: Record<string, unknown>;
  created_at: Date;
  ip_address: string;
}

export async function adminListAudit(c: Context<Env>) {
  const { db, issuer } = c.var.identity;
  const page = pageOf(c);
  const { column, like } = parseFilter(c.req.query('query') ?? '');
  const matching = `from auth.audit_log_entries where ($1::text is null or ${column} ilike $1)`;
  const { rows } = await db.query<Entry>(
    `select id, payload, created_at, ip_address ${matching} order by created_at desc, id limit $2::int offset $3::int`,
    [like, page.limit, page.offset],
  );
  const count = await db.query<{ total: number }>(`select count(*)::int as total ${matching}`, [like]);
  return c.json(rows, 200, pageHeaders(`${issuer}/admin/audit`, page, count.rows[0]!.total));
}

function parseFilter(query: string): { column: string; like: string | null } {
  if (!query) return { column: SCOPES['action']!, like: null };
  const [scope = '', text] = query.includes(':') ? query.split(/:(.*)/s) : ['action', query];
  if (!Object.hasOwn(SCOPES, scope)) throw errors.invalid(`Invalid query scope: ${scope.slice(0, 20)}`);
  return { column: SCOPES[scope]!, like: `%${text!.slice(0, 100).replace(/[\\%_]/g, '\\$&')}%` };
}

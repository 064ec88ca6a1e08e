import { createHmac, hash } from 'node:crypto';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import type { Connection } from '../../database/database.ts';
import type { Sealing } from '../../keys/keys.ts';
import { insertRow } from '../rows.ts';

const ID_BYTES = 16;
const TOKEN_BYTES = ID_BYTES + 32;

/**
 * A token is derived from its session, its parent’s hash and our sealing key: a second tab gets the same successor
 * although the database never holds it.
 */
export const hashOf = (token: string) => hash('sha256', token);

// Starts with the session id, which the access token reveals anyway: the successor is known before the first query.
export const tokenAfter = (keys: Sealing, sessionId: string, parentHash: string | null) =>
  Buffer.concat([
    Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
    createHmac('sha256', keys.sealing)
      .update(`refresh-token\0${sessionId}\0${parentHash ?? ''}`)
      .digest(),
  ]).toString('base64url');

export function sessionIn(token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES) return null;
  return bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Matches our tokens and both formats of the hosted service. */
export const isRefreshToken = (token: string) => /^[\w-]{12,512}$/.test(token);

type SessionRow = { id: string; user_id: string };
type TokenRow = { token: string; parent: string | null; revoked: boolean; unused_seconds: number };
type Rotation = Pick<SupabaseProject['auth'], 'enable_refresh_token_rotation' | 'refresh_token_reuse_interval'>;

/** Null as parent: the session’s first token. */
export async function issueAfter(tx: Connection, keys: Sealing, session: SessionRow, parent: string | null) {
  const token = tokenAfter(keys, session.id, parent);
  const ids = { session_id: session.id, user_id: session.user_id };
  await insertRow(tx, 'refresh_tokens', { token: hashOf(token), parent, ...ids, revoked: false });
  return token;
}

/** Needs the row lock on the session. */
export async function rotate(tx: Connection, keys: Sealing, session: SessionRow, presented: string, auth: Rotation) {
  const presentedHash = hashOf(presented);
  const text = `select token, parent, revoked, extract(epoch from (clock_timestamp() - updated_at))::float8 as unused_seconds
     from auth.refresh_tokens where session_id = $1 and (token = $2 or not revoked)`;
  const { rows } = await tx.query<TokenRow>(text, [session.id, presentedHash]);
  const own = rows.find((row) => row.token === presentedHash);
  if (!own) return 'unknown';
  if (!own.revoked) {
    if (!auth.enable_refresh_token_rotation) return { token: presented };
    const revoke = 'update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $1';
    await tx.query(revoke, [presentedHash]);
    return { token: await issueAfter(tx, keys, session, presentedHash) };
  }
  const active = rows.find((row) => !row.revoked);
  // The parent of the active token always gets it: the response may have been lost.
  if (active && (active.parent === presentedHash || own.unused_seconds <= auth.refresh_token_reuse_interval))
    return { token: tokenAfter(keys, session.id, active.parent) };
  return 'reused';
}

/** Needs the row lock. The old token can still fetch the successor once: the response may be lost. Null without one. */
export async function nextRefreshToken(tx: Connection, keys: Sealing, session: SessionRow): Promise<string | null> {
  const text = `update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp()
     where session_id = $1 and not revoked returning token`;
  const { rows } = await tx.query<{ token: string }>(text, [session.id]);
  return rows[0] ? issueAfter(tx, keys, session, rows[0].token) : null;
}

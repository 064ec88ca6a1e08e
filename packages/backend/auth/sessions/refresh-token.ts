import { createHash, createHmac } from 'node:crypto';
import type { Connection } from '../../database/database.ts';
import type { Keys } from '../../keys/keys.ts';

const ID_BYTES = 16;
const TOKEN_BYTES = ID_BYTES + 32;

/**
 * The stored form. A token can be derived from its session, its parent's hash and our sealing key: a second tab gets
 * the same successor although the database never holds it.
 */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * The successor of the token with this hash, or the session's first token. Starts with the session id, which the access
 * token reveals anyway, so that the successor is known before the first query.
 */
export const tokenAfter = (keys: Pick<Keys, 'sealing'>, sessionId: string, parentHash: string | null) =>
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

export async function firstRefreshToken(
  tx: Connection,
  keys: Pick<Keys, 'sealing'>,
  sessionId: string,
  userId: string,
): Promise<string> {
  const token = tokenAfter(keys, sessionId, null);
  await insert(tx, token, null, sessionId, userId);
  return token;
}

export type Rotation = { kind: 'token'; token: string } | { kind: 'unknown' } | { kind: 'reused' };

/**
 * Exchanges a refresh token. The caller must hold the row lock on the session; concurrent exchanges get one successor.
 * @param reuseInterval seconds during which any used token of the session still returns the active one
 */
export async function rotate(
  tx: Connection,
  keys: Pick<Keys, 'sealing'>,
  session: { id: string; user_id: string },
  presented: string,
  options: { rotation: boolean; reuseInterval: number },
): Promise<Rotation> {
  const hash = hashOf(presented);
  const { rows } = await tx.query<{
    token: string;
    parent: string | null;
    revoked: boolean;
    seconds_since_used: number;
  }>(
    `select token, parent, revoked, extract(epoch from (clock_timestamp() - updated_at))::float8 as seconds_since_used
     from auth.refresh_tokens where session_id = $1 and (token = $2 or not revoked)`,
    [session.id, hash],
  );
  const own = rows.find((row) => row.token === hash);
  if (!own) return { kind: 'unknown' };
  if (!own.revoked) {
    if (!options.rotation) return { kind: 'token', token: presented };
    await tx.query('update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $1', [
      hash,
    ]);
    const token = tokenAfter(keys, session.id, hash);
    await insert(tx, token, hash, session.id, session.user_id);
    return { kind: 'token', token };
  }
  const active = rows.find((row) => !row.revoked);
  // The parent of the active token always gets it: the response may have been lost.
  if (active && (active.parent === hash || own.seconds_since_used <= options.reuseInterval))
    return { kind: 'token', token: tokenAfter(keys, session.id, active.parent) };
  return { kind: 'reused' };
}

/**
 * Rotates the active token after a second factor; null when there is none. The old token can still fetch the successor
 * once, because the response may be lost. The caller must hold the row lock on the session.
 */
export async function nextRefreshToken(
  tx: Connection,
  keys: Pick<Keys, 'sealing'>,
  session: { id: string; user_id: string },
): Promise<string | null> {
  const { rows } = await tx.query<{ token: string }>(
    `update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp()
     where session_id = $1 and not revoked returning token`,
    [session.id],
  );
  if (!rows[0]) return null;
  const token = tokenAfter(keys, session.id, rows[0].token);
  await insert(tx, token, rows[0].token, session.id, session.user_id);
  return token;
}

async function insert(tx: Connection, token: string, parentHash: string | null, sessionId: string, userId: string) {
  await tx.query(
    `insert into auth.refresh_tokens (token, parent, session_id, user_id, revoked, created_at, updated_at)
     values ($1, $2, $3, $4, false, clock_timestamp(), clock_timestamp())`,
    [hashOf(token), parentHash, sessionId, userId],
  );
}

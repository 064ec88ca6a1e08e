import { createHmac, hash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { type Connection, findRow } from '../../database/database.ts';
import { type Sealing, sameSecret } from '../../keys/keys.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';

/** Type of the stored token, column of its time in `auth.users`, and audited action when it is redeemed. */
export const PURPOSES = {
  signup: { type: 'confirmation_token', sentAt: 'confirmation_sent_at', action: 'user_confirmed' },
  invite: { type: 'confirmation_token', sentAt: 'invited_at', action: 'invite_accepted' },
  sms: { type: 'confirmation_token', sentAt: 'confirmation_sent_at', action: 'login' },
  recovery: { type: 'recovery_token', sentAt: 'recovery_sent_at', action: 'user_recovered' },
  magiclink: { type: 'recovery_token', sentAt: 'recovery_sent_at', action: 'login' },
  email_change_current: { type: 'email_change_token_current', sentAt: 'email_change_sent_at', action: 'email_changed' },
  email_change_new: { type: 'email_change_token_new', sentAt: 'email_change_sent_at', action: 'email_changed' },
  reauthentication: {
    type: 'reauthentication_token',
    sentAt: 'reauthentication_sent_at',
    action: 'user_reauthenticated',
  },
  phone_change: { type: 'phone_change_token', sentAt: 'phone_change_sent_at', action: 'phone_changed' },
} as const;

export type Purpose = keyof typeof PURPOSES;

const STILL_OWNED = `(case t.purpose
    when 'email_change_new' then u.email_change when 'phone_change' then u.phone_change
    else case when t.relates_to like '%@%' then u.email else u.phone end end) = t.relates_to
  and u.deleted_at is null`;

const CODE_SECONDS = 600;
const MAX_GUESSES = 5;

/** Replaces the open token of the same kind. @param options.seconds of the link; the code has at most ten minutes */
export async function issueToken(
  tx: Connection,
  keys: Sealing,
  options: {
    userId: string;
    /** Address, or digits of the phone number. */
    sentTo: string;
    purpose: Purpose;
    digits: number;
    seconds: number;
    /** PKCE flow that requested it; its links begin with `pkce_`. */
    flowId?: string | null;
    code?: string | null;
  },
) {
  const { userId, sentTo, purpose, seconds, flowId = null } = options;
  const { type, sentAt } = PURPOSES[purpose];
  const id = randomUUID();
  const linkToken = (flowId ? 'pkce_' : '') + randomBytes(32).toString('base64url');
  const code = options.code ?? randomCode(options.digits);
  const hashes = [hash('sha256', linkToken), hashCode(keys, id, code)];
  const codeSeconds = Math.min(seconds, CODE_SECONDS);
  const text = `insert into auth.one_time_tokens
       (id, user_id, token_type, token_hash, code_hash, relates_to, purpose, expires_at, code_expires_at, flow_state_id)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), now() + make_interval(secs => $9), $10)
     on conflict (user_id, token_type) do update set
       id = excluded.id, token_hash = excluded.token_hash, code_hash = excluded.code_hash, attempts = 0,
       relates_to = excluded.relates_to, purpose = excluded.purpose, created_at = now(), updated_at = now(),
       expires_at = excluded.expires_at, code_expires_at = excluded.code_expires_at, flow_state_id = excluded.flow_state_id`;
  await tx.query(text, [id, userId, type, ...hashes, sentTo, purpose, seconds, codeSeconds, flowId]);
  await tx.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [userId]);
  return { linkToken, code };
}

export interface RedeemedToken {
  userId: string;
  purpose: Purpose;
  sentTo: string;
  flowId: string | null;
  applicant: Applicant | null;
}

export interface Applicant {
  /** Missing when several sign-ups compete and the token cannot be attributed. */
  password_hash?: string;
  user_metadata?: Record<string, unknown>;
  address?: string;
}

const REDEEMED = 't.user_id as "userId", t.purpose, t.relates_to as "sentTo", t.flow_state_id as "flowId", t.applicant';

/**
 * Wrong codes do not invalidate the link: otherwise anyone who knows the address could lock out its owner, and 256
 * bits cannot be guessed.
 */
export function redeemLink(tx: Connection, linkToken: string, purposes: readonly Purpose[]) {
  const text = `delete from auth.one_time_tokens t using auth.users u
     where t.token_hash = $1 and t.purpose = any ($2::text[]) and t.expires_at > now()
       and u.id = t.user_id and ${STILL_OWNED}
     returning ${REDEEMED}`;
  return findRow<RedeemedToken>(tx, text, [hash('sha256', linkToken), purposes]);
}

/** Counts the guess before it compares: five end a code, and guesses across codes wait. @throws ApiError 429 */
export async function redeemCode(
  tx: Connection,
  c: AuthRequest,
  sentTo: string,
  code: string,
  purposes: readonly Purpose[],
): Promise<RedeemedToken | null> {
  const wait = await countFailure(tx, sentTo, 'code', c.env.address);
  if (wait > 0) throw errors.tooManyRequests(wait);
  const { keys } = c.var.identity;
  const text = `update auth.one_time_tokens t set attempts = t.attempts + 1, updated_at = now()
     from auth.users u
     where u.id = t.user_id and t.relates_to = $1 and ${STILL_OWNED} and t.purpose = any ($2::text[])
       and t.attempts < ${MAX_GUESSES} and t.code_expires_at > now()
     returning t.id, t.code_hash, ${REDEEMED}`;
  const { rows } = await tx.query<RedeemedToken & { id: string; code_hash: string | null }>(text, [sentTo, purposes]);
  const match = rows.find((row) => row.code_hash !== null && sameSecret(row.code_hash, hashCode(keys, row.id, code)));
  if (!match) return null;
  await resetFailures(tx, sentTo, 'code', c.env.address);
  await tx.query('delete from auth.one_time_tokens where id = $1', [match.id]);
  return match;
}

export const randomCode = (digits: number): string => String(randomInt(10 ** digits)).padStart(digits, '0');

/** HMAC, not a plain hash: a million codes are quickly brute-forced, and the sealing key is not in the database. */
export const hashCode = (keys: Sealing, id: string, code: string, kind = 'one-time-code'): string =>
  createHmac('sha256', keys.sealing).update(`${kind}\0${id}\0${code}`).digest('hex');

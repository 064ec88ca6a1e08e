import { createHash, createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import type { Keys } from '../http/keys.ts';

/** Links and codes sent by mail: one per user and kind, used once, kept as hashes. */

/** What a mail was asked for; a token of one purpose is worth nothing for another. */
export type Purpose = 'signup' | 'recovery';

const KIND = { signup: 'confirmation_token', recovery: 'recovery_token' } as const;
const SENT_AT = { signup: 'confirmation_sent_at', recovery: 'recovery_sent_at' } as const;
const CODE_SECONDS = 600;
const MAX_GUESSES = 5;

export interface OneTimeToken {
  /** Travels in the mail's link; 256 random bits. */
  linkToken: string;
  /** The digits a person can type instead. */
  code: string;
}

type Sealing = Pick<Keys, 'sealing'>;

/**
 * Makes a link and a code for a mailbox; what was sent for this purpose before stops working.
 * @param to.seconds how long the link lives; the code lives ten minutes at most
 */
export async function issueToken(
  tx: Connection,
  keys: Sealing,
  to: { userId: string; email: string; purpose: Purpose; digits: number; seconds: number },
): Promise<OneTimeToken> {
  const id = randomUUID();
  const linkToken = randomBytes(32).toString('base64url');
  const code = String(randomInt(10 ** to.digits)).padStart(to.digits, '0');
  await tx.query(
    `insert into auth.one_time_tokens
       (id, user_id, token_type, token_hash, code_hash, relates_to, purpose, expires_at, code_expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), now() + make_interval(secs => $9))
     on conflict (user_id, token_type) do update set
       id = excluded.id, token_hash = excluded.token_hash, code_hash = excluded.code_hash, attempts = 0,
       relates_to = excluded.relates_to, purpose = excluded.purpose, created_at = now(), updated_at = now(),
       expires_at = excluded.expires_at, code_expires_at = excluded.code_expires_at`,
    [
      id,
      to.userId,
      KIND[to.purpose],
      hashOfLink(linkToken),
      hashOfCode(keys, id, code),
      to.email,
      to.purpose,
      to.seconds,
      Math.min(to.seconds, CODE_SECONDS),
    ],
  );
  await tx.query(`update auth.users set ${SENT_AT[to.purpose]} = now(), updated_at = now() where id = $1`, [to.userId]);
  return { linkToken, code };
}

export interface Redeemed {
  userId: string;
  purpose: Purpose;
}

/** Redeems a link: once, in time, for its purpose, and while the account still has the address it was sent to. */
export async function redeemLink(
  tx: Connection,
  linkToken: string,
  purposes: readonly Purpose[],
): Promise<Redeemed | null> {
  const { rows } = await tx.query<{ user_id: string; purpose: Purpose }>(
    `delete from auth.one_time_tokens t using auth.users u
     where t.token_hash = $1 and t.purpose = any ($2::text[]) and t.expires_at > now() and t.attempts < ${MAX_GUESSES}
       and u.id = t.user_id and u.email = t.relates_to
     returning t.user_id, t.purpose`,
    [hashOfLink(linkToken), purposes],
  );
  const [row] = rows;
  return row ? { userId: row.user_id, purpose: row.purpose } : null;
}

/** Redeems a typed code. Each try is counted before it is compared; after five wrong ones code and link are dead. */
export async function redeemCode(
  tx: Connection,
  keys: Sealing,
  email: string,
  code: string,
  purposes: readonly Purpose[],
): Promise<Redeemed | null> {
  const { rows } = await tx.query<{ id: string; user_id: string; purpose: Purpose; code_hash: string | null }>(
    `update auth.one_time_tokens t set attempts = t.attempts + 1, updated_at = now()
     from auth.users u
     where u.id = t.user_id and u.email = $1 and t.relates_to = $1 and t.purpose = any ($2::text[])
       and t.attempts < ${MAX_GUESSES} and t.code_expires_at > now()
     returning t.id, t.user_id, t.purpose, t.code_hash`,
    [email, purposes],
  );
  const match = rows.find((row) => row.code_hash !== null && same(row.code_hash, hashOfCode(keys, row.id, code)));
  if (!match) return null;
  await tx.query('delete from auth.one_time_tokens where id = $1', [match.id]);
  return { userId: match.user_id, purpose: match.purpose };
}

const hashOfLink = (linkToken: string) => createHash('sha256').update(linkToken).digest('hex');

// A million codes are quickly tried against a plain hash; the sealing key is not in the database.
const hashOfCode = (keys: Sealing, id: string, code: string) =>
  createHmac('sha256', keys.sealing).update(`one-time-code\0${id}\0${code}`).digest('hex');

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

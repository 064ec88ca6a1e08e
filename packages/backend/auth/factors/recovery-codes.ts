import { randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Connection, findRow, hasRow } from '../../database/database.ts';
import { commitRefusal, record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { type ApiError, errors, transactOrRefuse } from '../errors.ts';
import { hashCode } from '../links/one-time-token.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { type SignedIn, sessionResponse } from '../sessions/session.ts';
import { isVerified, lockSession, raiseSession } from './lock-session.ts';

/** Our pages send `?none=ok` to get zeros instead of a 404, which browsers log to the console. */
export async function countRecoveryCodes(c: AuthRequest) {
  const set = await findCodeSet(c.var.identity.db, c.var.user.id);
  if (!set && c.req.query('none') === 'ok') return c.json({ type: 'recovery_code', total: 0, remaining: 0 });
  if (!set) throw errors.noRecoveryCodes();
  return c.json({ id: set.id, type: 'recovery_code', total: set.total, remaining: set.remaining });
}

export const createRecoveryCodes = (c: AuthRequest) => issueCodes(c, { mustExist: false });
export const replaceRecoveryCodes = (c: AuthRequest) => issueCodes(c, { mustExist: true });

export async function removeRecoveryCodes(c: AuthRequest) {
  const id = await c.var.identity.db.transaction(async (tx) => {
    const { user, session } = await lockSession(tx, c);
    if (session.aal !== 'aal2') throw errors.insufficientAal(403, 'delete recovery codes');
    const set = await findCodeSet(tx, user.id);
    if (!set) throw errors.noRecoveryCodes();
    await tx.query('delete from auth.recovery_codes where user_id = $1', [user.id]);
    await record(tx, c, { action: 'recovery_codes_removed' });
    return set.id;
  });
  return c.json({ id });
}

async function issueCodes(c: AuthRequest, { mustExist }: { mustExist: boolean }) {
  const { db, keys } = c.var.identity;
  const id = randomUUID();
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await db.transaction(async (tx) => {
    const { user, session } = await lockSession(tx, c);
    if (session.aal !== 'aal2') throw errors.insufficientAal(403, 'generate recovery codes');
    if (!user.factors.some(isVerified)) throw errors.recoveryCodesAlone();
    if (mustExist && !(await findCodeSet(tx, user.id))) throw errors.noRecoveryCodes();
    await tx.query('delete from auth.recovery_codes where user_id = $1', [user.id]);
    const hashes = codes.map((code) => hashCode(keys, user.id, code, 'recovery-code'));
    const text = `insert into auth.recovery_codes (user_id, set_id, code_hash) select $1, $2, unnest($3::text[])`;
    await tx.query(text, [user.id, id, hashes]);
    await resetFailures(tx, user.id, 'factor');
    await record(tx, c, { action: 'recovery_codes_made' });
  });
  return c.json({ id, type: 'recovery_code', friendly_name: 'Recovery codes', total: codes.length, codes });
}

function findCodeSet(db: Connection, userId: string) {
  const text = `select set_id as id, count(*)::int as total, count(*) filter (where used_at is null)::int as remaining
     from auth.recovery_codes where user_id = $1 group by set_id`;
  return findRow<{ id: string; total: number; remaining: number }>(db, text, [userId]);
}

/** Crockford-style alphabet without ambiguous characters; look-alikes are mapped when read. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LOOK_ALIKES: Record<string, string> = { o: '0', i: '1', l: '1', u: 'v' };
const LENGTH = 16;
const RECOVERY_CODES = 10;

const newRecoveryCode = () => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const normalizeRecoveryCode = (text: string): string =>
  text.toLowerCase().replace(/[^a-z0-9]|[oilu]/g, (letter) => LOOK_ALIKES[letter] ?? '');

const Body = z.object({ code: optional(z.string().max(200)) });

export async function verifyRecoveryCode(c: AuthRequest) {
  const { code: text } = await readBody(c, Body);
  const code = normalizeRecoveryCode(text ?? '');
  if (!code) throw errors.invalid('Code needs to be non-empty');
  const signedIn = await transactOrRefuse(c.var.identity.db, (tx) => redeem(tx, c, code));
  return c.json(await sessionResponse(c.var.identity, signedIn));
}

async function redeem(tx: Connection, c: AuthRequest, code: string): Promise<SignedIn | ApiError> {
  const locked = await lockSession(tx, c);
  const { user } = locked;
  const event = { action: 'recovery_code_used' } as const;
  const wait = await countFailure(tx, user.id, 'factor');
  if (wait > 0) return commitRefusal(tx, c, event, errors.recoveryCodesLocked(wait));
  const text = `update auth.recovery_codes set used_at = now()
     where user_id = $1 and code_hash = $2 and used_at is null returning id`;
  const codeHash = hashCode(c.var.identity.keys, user.id, code, 'recovery-code');
  const isRight = await hasRow(tx, text, [user.id, codeHash]);
  if (!isRight) return commitRefusal(tx, c, event, errors.wrongFactorCode('recovery'));
  await resetFailures(tx, user.id, 'factor');
  const raised = await raiseSession(tx, c, locked, 'mfa/recovery_code', null);
  await record(tx, c, event);
  return raised;
}

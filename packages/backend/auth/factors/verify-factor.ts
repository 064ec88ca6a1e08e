import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { databaseTime } from '../../database/clock.ts';
import { type Connection, findRow, hasRow } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { sameSecret } from '../../keys/keys.ts';
import { commitRefusal, record } from '../audit.ts';
import { readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { ApiError, errors, transactOrRefuse } from '../errors.ts';
import { hashCode, randomCode } from '../links/one-time-token.ts';
import { checkChannel, sendMessage, testCodeOf } from '../links/phone.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { countMessage } from '../rates.ts';
import { insertRow } from '../rows.ts';
import { inetOf, sessionResponse } from '../sessions/session.ts';
import { type FactorRow, showUser } from '../users/user.ts';
import { factorOfPath, lockSession, raiseSession } from './lock-session.ts';
import { openSeed, stepOf } from './totp.ts';

const CHALLENGE_SECONDS = 300;

const ChallengeBody = z.object(texts('channel'));

export async function challengeFactor(c: AuthRequest) {
  const { channel } = await readBody(c, ChallengeBody, { mayBeEmpty: true });
  const id = randomUUID();
  const expiresAt = Math.floor(databaseTime() / 1000) + CHALLENGE_SECONDS;
  const { factor, code, user } = await c.var.identity.db.transaction(async (tx) => {
    const { user } = await lockSession(tx, c);
    const factor = factorOfPath(user, c);
    const code = await createCode(tx, c, factor, channel);
    await storeChallenge(tx, c, factor, id, code);
    return { factor, code, user };
  });
  // Sent after the commit: the SMS provider may take seconds, and the row lock must not be held meanwhile.
  const message = { id: randomUUID(), phone: factor.phone!, user: showUser(user), kind: 'mfa' as const };
  if (code !== null) await sendMessage(c.var.identity, { ...message, code });
  return c.json({ id, type: factor.factor_type, expires_at: expiresAt });
}

/** The code to send; null for TOTP. @throws ApiError 422 when not offered, 429 when requested too soon */
async function createCode(tx: Connection, c: AuthRequest, factor: FactorRow, channel: string | null) {
  const { project, sms, rates } = c.var.identity;
  const { totp, phone } = project.auth.mfa;
  if (factor.factor_type === 'webauthn') throw errors.factorTypeOff('webauthn', 'verify');
  if (factor.factor_type === 'totp') {
    if (!totp.verify_enabled) throw errors.factorTypeOff('totp', 'verify');
    return null;
  }
  if (!phone.verify_enabled || !sms) throw errors.factorTypeOff('phone', 'verify');
  checkChannel(channel);
  const last = factor.last_challenged_at ? Date.parse(factor.last_challenged_at) : 0;
  const wait = Math.ceil(phone.max_frequency - (databaseTime() - last) / 1000);
  if (wait > 0) throw errors.messageTooSoon(wait);
  // Also limited per number: several accounts may use the same one.
  await countMessage(rates, 'mfa', factor.phone!, tx);
  return testCodeOf(project, factor.phone!) ?? randomCode(phone.otp_length);
}

async function storeChallenge(tx: Connection, c: AuthRequest, factor: FactorRow, id: string, code: string | null) {
  await insertRow(tx, 'mfa_challenges', {
    id,
    factor_id: factor.id,
    ip_address: clientAddress(c),
    otp_code: code === null ? null : hashCode(c.var.identity.keys, id, code, 'factor-code'),
  });
  // Only one open code per factor: guesses cannot be spread over many.
  const others = 'delete from auth.mfa_challenges where factor_id = $1 and id <> $2 and otp_code is not null';
  await tx.query(others, [factor.id, id]);
  await tx.query('update auth.mfa_factors set last_challenged_at = now() where id = $1', [factor.id]);
  await record(tx, c, { action: 'factor_challenged', object: factor.id, reason: factor.factor_type });
}

/** As `inet`; a challenge can only be verified from the address that created it. */
const clientAddress = (c: AuthRequest) => inetOf(c) ?? '0.0.0.0';

const VerifyBody = z.object(texts('challenge_id', 'code'));
const MAX_GUESSES = 5;

interface Challenge {
  id: string;
  is_same_address: boolean;
  is_expired: boolean;
  attempts: number;
  otp_code: string | null;
}

export async function verifyFactor(c: AuthRequest) {
  const { challenge_id: challengeId, code } = await readBody(c, VerifyBody);
  if (!code?.trim()) throw errors.invalid('Code needs to be non-empty');
  const digits = code.replace(/\s/g, '');
  const signedIn = await transactOrRefuse(c.var.identity.db, (tx) => verifyChallenge(tx, c, challengeId ?? '', digits));
  return c.json(await sessionResponse(c.var.identity, signedIn));
}

async function verifyChallenge(tx: Connection, c: AuthRequest, challengeId: string, code: string) {
  const locked = await lockSession(tx, c);
  const { user } = locked;
  const factor = factorOfPath(user, c);
  const { factor_type: type } = factor;
  if (type === 'webauthn' || !c.var.identity.project.auth.mfa[type].verify_enabled)
    throw errors.factorTypeOff(type, 'verify');
  const event = { action: 'factor_verified', object: factor.id } as const;
  const challenge = await countGuess(tx, c, factor, challengeId);
  if (challenge instanceof ApiError) return commitRefusal(tx, c, event, challenge);
  const wait = await countFailure(tx, user.id, 'factor');
  if (wait > 0) return commitRefusal(tx, c, event, errors.tooManyRequests(wait));
  if (!(await isCodeValid(tx, c, factor, challenge, code)))
    return commitRefusal(tx, c, event, errors.wrongFactorCode(type === 'totp' ? 'TOTP' : 'MFA Phone'));

  await resetFailures(tx, user.id, 'factor');
  await tx.query('delete from auth.mfa_challenges where id = $1', [challenge.id]);
  await tx.query("update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1", [factor.id]);
  await tx.query("delete from auth.mfa_factors where user_id = $1 and status = 'unverified'", [user.id]);
  const raised = await raiseSession(tx, c, locked, type === 'totp' ? 'totp' : 'mfa/phone', factor.id);
  const action = factor.status === 'verified' ? 'factor_verified' : 'factor_added';
  await record(tx, c, { action, object: factor.id, reason: factor.factor_type });
  return raised;
}

/** Counts the guess before comparing it, so that parallel guesses cannot bypass the limit. */
async function countGuess(tx: Connection, c: AuthRequest, factor: FactorRow, id: string) {
  if (!isUuid(id)) return errors.challengeNotFound();
  const text = `update auth.mfa_challenges set attempts = attempts + case when ip_address = $3::inet then 1 else 0 end
     where id = $1 and factor_id = $2
     returning id, ip_address = $3::inet as is_same_address, attempts, otp_code,
       created_at <= now() - make_interval(secs => ${CHALLENGE_SECONDS}) as is_expired`;
  const challenge = await findRow<Challenge>(tx, text, [id, factor.id, clientAddress(c)]);
  if (!challenge) return errors.challengeNotFound();
  if (!challenge.is_same_address) return errors.challengeFromElsewhere();
  if (!challenge.is_expired && challenge.attempts <= MAX_GUESSES) return challenge;
  await tx.query('delete from auth.mfa_challenges where id = $1', [id]);
  return errors.challengeExpired(id);
}

async function isCodeValid(tx: Connection, c: AuthRequest, factor: FactorRow, challenge: Challenge, code: string) {
  const { keys } = c.var.identity;
  if (factor.factor_type === 'phone')
    return sameSecret(hashCode(keys, challenge.id, code, 'factor-code'), challenge.otp_code ?? '');
  const { rows } = await tx.query<{ secret: string }>('select secret from auth.mfa_factors where id = $1', [factor.id]);
  const step = stepOf(openSeed(keys, factor.id, rows[0]!.secret), code);
  if (step === null) return false;
  // Replay protection: an observed code, or an earlier one, is not accepted again.
  const text = `update auth.mfa_factors set last_used_step = $2
     where id = $1 and (last_used_step is null or last_used_step < $2) returning id`;
  return hasRow(tx, text, [factor.id, step]);
}

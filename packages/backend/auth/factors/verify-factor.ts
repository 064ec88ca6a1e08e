import type { Context } from 'hono';
import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { isUuid } from '../sessions/bearer.ts';
import { type SignedIn, sessionResponse } from '../sessions/session.ts';
import type { FactorRow } from '../users/user.ts';
import { CHALLENGE_SECONDS, clientAddress } from './challenge-factor.ts';
import { factorOfPath, lockSession } from './lock-session.ts';
import { codeMatches } from './phone-code.ts';
import { raiseSession } from './raise-session.ts';
import { openSeed, stepOf } from './totp.ts';

const Body = z.object({ challenge_id: optional(z.string()), code: optional(z.string()) });
const MAX_GUESSES = 5;

interface Challenge {
  id: string;
  is_same_address: boolean;
  is_expired: boolean;
  attempts: number;
  otp_code: string | null;
}

export async function verifyFactor(c: Context<Env>) {
  const { challenge_id: challengeId, code } = await readBody(c, Body);
  if (!code?.trim()) throw errors.invalid('Code needs to be non-empty');
  // A refusal is returned, not thrown, so that the counted guess is committed.
  const outcome = await c.var.identity.db.transaction((tx) =>
    verifyChallenge(tx, c, challengeId ?? '', code.replace(/\s/g, '')),
  );
  if (outcome instanceof ApiError) throw outcome;
  return c.json(await sessionResponse(c.var.identity, outcome));
}

async function verifyChallenge(
  tx: Connection,
  c: Context<Env>,
  challengeId: string,
  code: string,
): Promise<SignedIn | ApiError> {
  const { user, session } = await lockSession(tx, c);
  const factor = factorOfPath(user, c);
  if (!isEnabled(c, factor)) throw errors.factorTypeOff(factor.factor_type, 'verify');
  const challenge = await countGuess(tx, c, factor, challengeId);
  if (challenge instanceof ApiError) return refuse(tx, c, factor, challenge);
  const wait = await countFailure(tx, user.id, 'factor');
  if (wait > 0) return refuse(tx, c, factor, errors.tooManyRequests(wait));
  if (!(await isCodeValid(tx, c, factor, challenge, code)))
    return refuse(tx, c, factor, errors.wrongFactorCode(factor.factor_type));

  await resetFailures(tx, user.id, 'factor');
  await tx.query('delete from auth.mfa_challenges where id = $1', [challenge.id]);
  await tx.query("update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1", [factor.id]);
  await tx.query("delete from auth.mfa_factors where user_id = $1 and status = 'unverified'", [user.id]);
  const method = factor.factor_type === 'totp' ? 'totp' : 'mfa/phone';
  const raised = await raiseSession(tx, c, { sessionId: session.id, userId: user.id, factorId: factor.id, method });
  await record(tx, c, {
    action: factor.status === 'verified' ? 'factor_verified' : 'factor_added',
    outcome: 'success',
    actor: user.id,
    object: factor.id,
    session: session.id,
    reason: factor.factor_type,
  });
  return raised;
}

function isEnabled(c: Context<Env>, { factor_type: type }: FactorRow): boolean {
  const { mfa } = c.var.identity.project.auth;
  return type !== 'webauthn' && mfa[type].verify_enabled;
}

/** Counts the guess before comparing it, so that parallel guesses cannot bypass the limit. */
async function countGuess(
  tx: Connection,
  c: Context<Env>,
  factor: FactorRow,
  id: string,
): Promise<Challenge | ApiError> {
  if (!isUuid(id)) return errors.challengeNotFound();
  const { rows } = await tx.query<Challenge>(
    `update auth.mfa_challenges set attempts = attempts + case when ip_address = $3::inet then 1 else 0 end
     where id = $1 and factor_id = $2
     returning id, ip_address = $3::inet as is_same_address, attempts, otp_code,
       created_at <= now() - make_interval(secs => ${CHALLENGE_SECONDS}) as is_expired`,
    [id, factor.id, clientAddress(c)],
  );
  const [challenge] = rows;
  if (!challenge) return errors.challengeNotFound();
  if (!challenge.is_same_address) return errors.challengeFromElsewhere();
  if (!challenge.is_expired && challenge.attempts <= MAX_GUESSES) return challenge;
  await tx.query('delete from auth.mfa_challenges where id = $1', [id]);
  return errors.challengeExpired(id);
}

async function isCodeValid(
  tx: Connection,
  c: Context<Env>,
  factor: FactorRow,
  challenge: Challenge,
  code: string,
): Promise<boolean> {
  const { keys } = c.var.identity;
  if (factor.factor_type === 'phone') return codeMatches(keys, challenge.id, code, challenge.otp_code);
  const { rows } = await tx.query<{ secret: string }>('select secret from auth.mfa_factors where id = $1', [factor.id]);
  const step = stepOf(openSeed(keys, factor.id, rows[0]!.secret), code);
  if (step === null) return false;
  // Replay protection: an observed code, or an earlier one, is not accepted again.
  const { rows: accepted } = await tx.query(
    `update auth.mfa_factors set last_used_step = $2
     where id = $1 and (last_used_step is null or last_used_step < $2) returning id`,
    [factor.id, step],
  );
  return accepted.length > 0;
}

async function refuse(tx: Connection, c: Context<Env>, factor: FactorRow, refusal: ApiError): Promise<ApiError> {
  await record(tx, c, {
    action: 'factor_verified',
    outcome: 'refused',
    actor: c.var.user.id,
    object: factor.id,
    session: c.var.sessionId,
    reason: refusal.code,
  });
  return refusal;
}

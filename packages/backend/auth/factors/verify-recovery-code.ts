import type { Context } from 'hono';
import * as z from 'zod';
import type { Connection } from '../../database/database.ts';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { type SignedIn, sessionResponse } from '../sessions/session.ts';
import { lockSession } from './lock-session.ts';
import { raiseSession } from './raise-session.ts';
import { hashOfRecoveryCode, normalizeRecoveryCode } from './recovery-codes.ts';

const Body = z.object({ code: optional(z.string().max(200)) });

export async function verifyRecoveryCode(c: Context<Env>) {
  const { code: text } = await readBody(c, Body);
  const code = normalizeRecoveryCode(text ?? '');
  if (!code) throw errors.invalid('Code needs to be non-empty');
  // A refusal is returned, not thrown, so that the counted guess is committed.
  const outcome = await c.var.identity.db.transaction((tx) => redeem(tx, c, code));
  if (outcome instanceof ApiError) throw outcome;
  return c.json(await sessionResponse(c.var.identity, outcome));
}

async function redeem(tx: Connection, c: Context<Env>, code: string): Promise<SignedIn | ApiError> {
  const { user, session } = await lockSession(tx, c);
  const event = { action: 'recovery_code_used' as const, actor: user.id, session: session.id };
  const refuse = async (refusal: ApiError) => {
    await record(tx, c, { ...event, outcome: 'refused', reason: refusal.code });
    return refusal;
  };
  const wait = await countFailure(tx, user.id, 'factor');
  if (wait > 0) return refuse(errors.recoveryCodesLocked(wait));
  const { rows } = await tx.query(
    `update auth.recovery_codes set used_at = now() where user_id = $1 and code_hash = $2 and used_at is null returning id`,
    [user.id, hashOfRecoveryCode(c.var.identity.keys, user.id, code)],
  );
  if (!rows.length) return refuse(errors.wrongRecoveryCode());
  await resetFailures(tx, user.id, 'factor');
  const proven = { sessionId: session.id, userId: user.id, factorId: null, method: 'mfa/recovery_code' as const };
  const raised = await raiseSession(tx, c, proven);
  await record(tx, c, { ...event, outcome: 'success' });
  return raised;
}

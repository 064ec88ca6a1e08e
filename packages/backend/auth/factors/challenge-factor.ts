import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'hono';
import * as z from 'zod';
import { databaseTime } from '../../database/clock.ts';
import type { Connection } from '../../database/database.ts';
import { record } from '../audit.ts';
import { optional, readOptionalBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { checkChannel, testCodeOf } from '../links/phone.ts';
import { countMessage } from '../rates.ts';
import type { FactorRow, UserRow } from '../users/user.ts';
import { factorOfPath, lockSession } from './lock-session.ts';
import { hashOfCode, newCode } from './phone-code.ts';

export const CHALLENGE_SECONDS = 300;

const Body = z.object({ channel: optional(z.string()) });

export async function challengeFactor(c: Context<Env>) {
  const { db } = c.var.identity;
  const { channel } = await readOptionalBody(c, Body);
  const id = randomUUID();
  const expiresAt = Math.floor(databaseTime() / 1000) + CHALLENGE_SECONDS;
  const { factor, code, user } = await db.transaction(async (tx) => {
    const own = await lockSession(tx, c);
    const factor = factorOfPath(own.user, c);
    const code = await createCode(tx, c, factor, channel);
    await insert(tx, c, { id, factor, code });
    return { factor, code, user: own.user };
  });
  // Sent after the commit: the SMS provider may take seconds, and the row lock must not be held meanwhile.
  if (code !== null) await send(c, factor.phone!, code, user);
  return c.json({ id, type: factor.factor_type, expires_at: expiresAt });
}

/** The code to send; null for TOTP. @throws ApiError 422 when not offered, 429 when requested too soon */
async function createCode(
  tx: Connection,
  c: Context<Env>,
  factor: FactorRow,
  channel: string | null,
): Promise<string | null> {
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
  return testCodeOf(project, factor.phone!) ?? newCode(phone.otp_length);
}

async function send(c: Context<Env>, phone: string, code: string, user: UserRow): Promise<void> {
  const { project, sms, rates, log } = c.var.identity;
  if (testCodeOf(project, phone) !== null) return;
  const installationWait = await rates.allMessages.use('all');
  if (installationWait > 0) throw errors.tooManyMessages(installationWait);
  await sms!.send({ phone, code, user, kind: 'mfa' }).catch((err: unknown) => {
    log.warn({ err, request: c.env.id }, 'sending a second-factor code failed');
    throw errors.messageNotSent();
  });
}

async function insert(
  tx: Connection,
  c: Context<Env>,
  { id, factor, code }: { id: string; factor: FactorRow; code: string | null },
): Promise<void> {
  await tx.query(
    `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code) values ($1, $2, now(), $3::inet, $4)`,
    [id, factor.id, clientAddress(c), code === null ? null : hashOfCode(c.var.identity.keys, id, code)],
  );
  // Only one open code per factor: guesses cannot be spread over many.
  await tx.query('delete from auth.mfa_challenges where factor_id = $1 and id <> $2 and otp_code is not null', [
    factor.id,
    id,
  ]);
  await tx.query('update auth.mfa_factors set last_challenged_at = now() where id = $1', [factor.id]);
  await record(tx, c, {
    action: 'factor_challenged',
    outcome: 'success',
    actor: c.var.user.id,
    object: factor.id,
    session: c.var.sessionId,
    reason: factor.factor_type,
  });
}

/** Client address as `inet`; a challenge can only be verified from the address that created it. */
export function clientAddress(c: Context<Env>): string {
  const [address] = c.env.address.split('/');
  return isIP(address!) ? address! : '0.0.0.0';
}

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Connection, hasRow } from '../../database/database.ts';
import { record } from '../audit.ts';
import { optional, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { phoneNumber } from '../links/phone.ts';
import { insertRow } from '../rows.ts';
import type { FactorRow } from '../users/user.ts';
import { factorOfPath, isVerified, type LockedSession, lockSession } from './lock-session.ts';
import { createSeed, qrCode, sealSeed, uriOf } from './totp.ts';

export async function unenrollFactor(c: AuthRequest) {
  const id = await c.var.identity.db.transaction(async (tx) => {
    const { user, session } = await lockSession(tx, c);
    const factor = factorOfPath(user, c);
    if (isVerified(factor) && session.aal !== 'aal2') throw errors.insufficientAal(422, 'unenroll verified factor');
    await removeFactor(tx, user.id, factor.id);
    await record(tx, c, { action: 'factor_removed', object: factor.id, reason: factor.factor_type });
    return factor.id;
  });
  return c.json({ id });
}

/** Removes a factor and lowers the sessions it raised. With the last verified factor the recovery codes are deleted. */
export async function removeFactor(tx: Connection, userId: string, factorId: string): Promise<void> {
  await tx.query('delete from auth.mfa_factors where id = $1 and user_id = $2', [factorId, userId]);
  const verified = "select from auth.mfa_factors where user_id = $1 and status = 'verified' limit 1";
  const isLast = !(await hasRow(tx, verified, [userId]));
  if (isLast) await tx.query('delete from auth.recovery_codes where user_id = $1', [userId]);
  const text = `with lowered as (
       update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
       where user_id = $1 and aal = 'aal2' and (factor_id = $2 or $3::boolean) returning id
     )
     delete from auth.mfa_amr_claims where session_id in (select id from lowered)
       and authentication_method in ('totp', 'mfa/phone', 'mfa/recovery_code')`;
  await tx.query(text, [userId, factorId, isLast]);
}

export const friendlyName = optional(
  z
    .string()
    .max(100, 'must be at most 100 characters')
    .regex(/^[^\p{Cc}]*$/u, 'must be one line')
    .transform((text) => text.trim()),
);

const Body = z.object({ ...texts('factor_type', 'phone'), friendly_name: friendlyName, issuer: friendlyName });

export async function enrollFactor(c: AuthRequest) {
  const { factor_type: type, friendly_name: name, issuer, phone } = await readBody(c, Body);
  if (c.var.user.is_anonymous) throw errors.anonymousFactor();
  if (type === 'totp') return c.json(await enrollTotp(c, name || null, issuer));
  if (type === 'phone') return c.json(await enrollPhone(c, name || null, phone));
  if (type === 'webauthn') throw errors.factorTypeOff('webauthn', 'enroll');
  throw errors.invalid('factor_type needs to be totp, phone, or webauthn');
}

async function enrollTotp(c: AuthRequest, name: string | null, issuer: string | null) {
  const { db, keys, project, config } = c.var.identity;
  if (!project.auth.mfa.totp.enroll_enabled) throw errors.factorTypeOff('totp', 'enroll');
  const seed = createSeed();
  const id = randomUUID();
  const user = await db.transaction(async (tx) => {
    const locked = await lockSession(tx, c);
    await addFactor(tx, c, locked, { id, factor_type: 'totp', friendly_name: name, secret: sealSeed(keys, id, seed) });
    return locked.user;
  });
  const account = user.email ?? user.phone ?? user.id;
  const uri = uriOf(seed, { issuer: issuer || new URL(config.siteUrl).hostname, account });
  return { id, type: 'totp', friendly_name: name ?? '', totp: { qr_code: qrCode(uri), secret: seed, uri } };
}

async function enrollPhone(c: AuthRequest, name: string | null, number: string | null) {
  const { db, project, sms } = c.var.identity;
  if (!project.auth.mfa.phone.enroll_enabled || !sms) throw errors.factorTypeOff('phone', 'enroll');
  if (!number) throw errors.invalid('Phone number required to enroll Phone factor');
  const phone = phoneNumber(number);
  const id = randomUUID();
  await db.transaction(async (tx) => {
    const { user, session } = await lockSession(tx, c);
    const previous = user.factors.find((factor) => factor.phone === phone);
    if (previous && isVerified(previous)) throw errors.phoneFactorExists();
    if (previous) await tx.query('delete from auth.mfa_factors where id = $1', [previous.id]);
    const others = { ...user, factors: user.factors.filter((factor) => factor !== previous) };
    await addFactor(tx, c, { user: others, session }, { id, factor_type: 'phone', friendly_name: name, phone });
  });
  return { id, type: 'phone', friendly_name: name ?? '', phone: `+${phone}` };
}

type NewFactor = Pick<FactorRow, 'id' | 'factor_type' | 'friendly_name'> & { secret?: string; phone?: string };

/** Deletes factors left unverified for five minutes first. @throws ApiError 422, 403 when the session needs aal2 */
async function addFactor(tx: Connection, c: AuthRequest, { user, session }: LockedSession, factor: NewFactor) {
  const text = `delete from auth.mfa_factors
     where user_id = $1 and status = 'unverified' and created_at < now() - interval '5 minutes' returning id`;
  const { rows: expired } = await tx.query<{ id: string }>(text, [user.id]);
  const name = factor.friendly_name;
  const factors = user.factors.filter(({ id }) => !expired.some((row) => row.id === id));
  if (name && factors.some((other) => other.friendly_name === name)) throw errors.factorNameTaken(name);
  if (factors.length >= c.var.identity.project.auth.mfa.max_enrolled_factors) throw errors.tooManyFactors();
  if (factors.some(isVerified) && session.aal !== 'aal2') throw errors.insufficientAal(403, 'enroll a new factor');
  await insertRow(tx, 'mfa_factors', { ...factor, user_id: user.id, status: 'unverified' });
  await record(tx, c, { action: 'factor_begun', object: factor.id, reason: factor.factor_type });
}

import * as z from 'zod';
import { hasRow, type Transaction } from '../../database/database.ts';
import { recordInBackground } from '../audit.ts';
import { readBody, texts } from '../body.ts';
import { requireCaptcha } from '../captcha.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { digitsOf } from '../links/phone.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { countRequest } from '../rates.ts';
import { logIn, sessionResponse } from '../sessions/session.ts';
import { findUserByEmail, findUserByPhone, type UserRow } from '../users/user.ts';
import { isImportedHash } from './hash.ts';
import { weaknesses, weaknessMessage } from './policy.ts';

const Body = z.object(texts('email', 'phone', 'password'));

/** `grant_type=password`. Unknown account, missing password and wrong password get the same response and timing. */
export async function passwordGrant(c: AuthRequest) {
  const { db, project, passwords } = c.var.identity;
  await countRequest(c, 'signIn');
  await requireCaptcha(c);
  const { email: address, phone, password } = await readBody(c, Body);
  if (!address && !phone) throw errors.invalid('missing email or phone');
  if (address && phone) throw errors.invalid('Only an email address or phone number should be provided on login.');
  if (address && !project.auth.email.enable_signup) throw errors.emailSignInDisabled();
  if (phone && !project.auth.sms.enable_signup) throw errors.phoneDisabled(422);
  const identifier = address ? address.trim().toLowerCase() : digitsOf(phone!);

  const wait = await countFailure(db, identifier, 'password', c.env.address);
  if (wait > 0) throw errors.tooManyRequests(wait);
  const attempt = async () => {
    const user = await (address ? findUserByEmail(db, identifier) : findUserByPhone(db, identifier));
    const isRight = await passwords.matches(password ?? '', user?.encrypted_password ?? null);
    const refusal = checkUser(user, isRight, address ? 'email' : 'phone');
    if (refusal || !user) return refuse(c, user, refusal ?? errors.badCredentials());
    const started = await db.transaction(async (tx) => {
      if (!(await isStillValid(tx, user))) return null;
      await resetFailures(tx, identifier, 'password', c.env.address);
      return logIn(tx, c, user.id, 'password');
    });
    return { user, started };
  };
  // The hash may have been replaced during the comparison (for example rehashed): retry once with the new one.
  const first = await attempt();
  const { user, started } = first.started ? first : await attempt();
  if (!started) return refuse(c, user, errors.badCredentials());
  rehashImported(c.var.identity, user, password ?? '');
  const response = await sessionResponse(c.var.identity, started);
  const reasons = weaknesses(password ?? '', project.auth, address ? identifier : null);
  if (!reasons.length) return c.json(response);
  return c.json({ ...response, weak_password: { message: weaknessMessage(reasons, project.auth), reasons } });
}

// Comparing takes a while: re-check that the hash is current, and lock the row until the session exists.
function isStillValid(tx: Transaction, user: UserRow): Promise<boolean> {
  const text = `select from auth.users where id = $1 and encrypted_password = $2 and deleted_at is null
       and not coalesce(banned_until > now(), false) for update`;
  return hasRow(tx, text, [user.id, user.encrypted_password]);
}

// Only a caller with the right password learns that an account is banned or unconfirmed.
function checkUser(user: UserRow | null, isRight: boolean, by: 'email' | 'phone') {
  if (!user || !isRight) return errors.badCredentials();
  if (user.is_banned) return errors.banned(400);
  if (by === 'email') return user.email_confirmed_at ? null : errors.emailNotConfirmed(400);
  return user.phone_confirmed_at ? null : errors.phoneNotConfirmed(400);
}

function refuse(c: AuthRequest, user: UserRow | null, refusal: Error & { code: string }): never {
  const id = user?.id ?? null;
  const subject = refusal.code === 'invalid_credentials' ? { object: id } : { actor: id };
  recordInBackground(c, { action: 'login', outcome: 'refused', ...subject, reason: refusal.code });
  throw refusal;
}

/** Rehashes an imported password after a successful sign-in, in the background; skipped if it was changed meanwhile. */
function rehashImported(identity: AuthContext, user: UserRow, password: string): void {
  const { db, passwords, later } = identity;
  const stored = user.encrypted_password;
  if (!stored || !isImportedHash(stored)) return;
  later(async () => {
    const ownHash = await passwords.hash(password);
    const text = 'update auth.users set encrypted_password = $2 where id = $1 and encrypted_password = $3';
    await db.query(text, [user.id, ownHash, stored]);
  });
}

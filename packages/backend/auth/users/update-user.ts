import * as z from 'zod';
import { databaseTime } from '../../database/clock.ts';
import { hasRow, type Transaction } from '../../database/database.ts';
import type { SmsMessage } from '../../hooks/sms-hook.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors, transactOrRefuse } from '../errors.ts';
import { startEmailChange } from '../links/email-change.ts';
import { redeemCode } from '../links/one-time-token.ts';
import { checkChannel, checkReachable, messageFor, phoneNumber, sendMessage } from '../links/phone.ts';
import { countFailure, resetFailures } from '../login-throttle.ts';
import { requireStrong } from '../password/policy.ts';
import { type Challenge, readChallenge } from '../providers/flow-state.ts';
import { countMail, countMessage, countRequest } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { setUserColumns } from '../rows.ts';
import { changeIdentifier, confirmIdentifier, mergeMetadata, setPassword } from './account.ts';
import { findUser, findUserByEmail, findUserByPhone, showUser } from './user.ts';

const Body = z.object({
  ...texts('email', 'phone', 'password', 'current_password', 'nonce', 'channel'),
  ...texts('code_challenge', 'code_challenge_method'),
  data: metadata,
  app_metadata: z.optional(z.unknown()),
});

/** `PUT /user`: a new address or number becomes effective when confirmed; claims in the metadata prove nothing. */
export async function updateUser(c: AuthRequest) {
  const { identity } = c.var;
  const change = await readChange(c);
  const changed = await transactOrRefuse(identity.db, (tx) => apply(tx, c, change));
  if (changed.message) await sendMessage(identity, changed.message);
  if (!changed.user) throw errors.userOfTokenGone();
  return c.json(showUser(changed.user));
}

type Change = Awaited<ReturnType<typeof readChange>>;

async function readChange(c: AuthRequest) {
  const { identity, user } = c.var;
  const body = await readBody(c, Body);
  if (body.app_metadata !== undefined && body.app_metadata !== null) throw errors.notAdmin();
  const email = changedValue(body.email && emailAddress(body.email), user.email);
  const phone = changedValue(body.phone && phoneNumber(body.phone), user.phone);
  const { password } = body;
  const nonce = body.nonce || null;
  requireChangeAllowed(c, { email, phone, password, nonce });
  if (phone) checkChannel(body.channel);
  const challenge = readChallenge(body);
  if (email) await checkNewEmail(c, email);
  if (phone) await checkNewPhone(c, phone);
  if (password !== null) await allowNewPassword(c, password, body.current_password, nonce);
  const stored = user.encrypted_password;
  const isSamePassword = password !== null && stored !== null && (await identity.passwords.matches(password, stored));
  const passwordHash = password === null ? null : await identity.passwords.hash(password);
  return { email, phone, passwordHash, isSamePassword, nonce, data: body.data, challenge };
}

const changedValue = (value: string | null, current: string | null) => (value && value !== current ? value : null);

function requireChangeAllowed(c: AuthRequest, change: Record<'email' | 'phone' | 'password' | 'nonce', string | null>) {
  const { user, aal } = c.var;
  const changesCredentials = change.email !== null || change.phone !== null || change.password !== null;
  const hasFactor = user.factors.some(({ status }) => status === 'verified');
  if (changesCredentials && hasFactor && aal === 'aal1')
    throw errors.insufficientAal(401, 'change address, number or password');
  if (user.is_sso_user && (changesCredentials || change.nonce)) throw errors.managedElsewhere();
  if (user.is_anonymous && change.password !== null && !change.email && !change.phone) throw errors.anonymousPassword();
}

async function checkNewEmail(c: AuthRequest, email: string): Promise<void> {
  const { identity, user } = c.var;
  if (await findUserByEmail(identity.db, email)) throw errors.emailExists();
  if (!identity.project.auth.email.enable_confirmations) return;
  await countRequest(c, 'requestEmail');
  for (const mailbox of [user.email ?? user.id, email]) await countMail(identity.rates, 'email_change', mailbox);
}

async function checkNewPhone(c: AuthRequest, phone: string): Promise<void> {
  const { identity } = c.var;
  const { sms } = identity.project.auth;
  if (!sms.enable_signup) throw errors.phoneDisabled(422);
  if (await findUserByPhone(identity.db, phone)) throw errors.phoneExists();
  if (!sms.enable_confirmations) return;
  checkReachable(identity, phone);
  await countRequest(c, 'requestEmail');
  await countMessage(identity.rates, 'phone_change', phone);
}

const RECENT_MS = 24 * 60 * 60 * 1000;

// Protects an unattended session: needs a sign-in within 24 hours, a fresh code (redeemed with the change), or the old
// password, which with `secure_password_change` is not enough.
async function allowNewPassword(c: AuthRequest, password: string, current: string | null, nonce: string | null) {
  const { project } = c.var.identity;
  const { user } = c.var;
  const storedHash = user.encrypted_password;
  requireStrong(password, project.auth, user.email);
  const knowsCurrent = current !== null && storedHash !== null;
  if (knowsCurrent) await requireCurrent(c, current, storedHash);
  const isSufficient = nonce !== null || (knowsCurrent && !project.auth.email.secure_password_change);
  if (!isSufficient && databaseTime() - c.var.signedInAt > RECENT_MS) throw errors.reauthenticationNeeded();
}

async function requireCurrent(c: AuthRequest, current: string, storedHash: string): Promise<void> {
  const { db, passwords } = c.var.identity;
  const { user } = c.var;
  const name = user.email ?? user.phone ?? user.id;
  const wait = await countFailure(db, name, 'password', c.env.address);
  if (wait > 0) throw errors.tooManyRequests(wait);
  if (!(await passwords.matches(current, storedHash))) throw errors.wrongCurrentPassword();
  await resetFailures(db, name, 'password', c.env.address);
}

async function redeemNonce(tx: Transaction, c: AuthRequest, nonce: string): Promise<boolean> {
  const { user } = c.var;
  const sentTo = user.email ?? user.phone;
  const redeemed = sentTo ? await redeemCode(tx, c, sentTo, nonce, ['reauthentication']) : null;
  const isRight = redeemed?.userId === user.id;
  await record(tx, c, { action: 'user_reauthenticated', outcome: isRight ? 'success' : 'refused' });
  return isRight;
}

async function apply(tx: Transaction, c: AuthRequest, change: Change) {
  const { user, sessionId } = c.var;
  if (change.passwordHash && change.nonce && !(await redeemNonce(tx, c, change.nonce)))
    return errors.reauthenticationNotValid();
  // Only now, or a stolen session could guess the password with wrong codes.
  if (change.isSamePassword) return errors.samePassword();
  // First, because it invalidates all pending confirmations.
  if (change.passwordHash) {
    await setPassword(tx, user.id, change.passwordHash, sessionId);
    await record(tx, c, { action: 'password_changed' });
  }
  if (change.email) await applyEmail(tx, c, change.email, change.challenge);
  const message = change.phone ? await applyPhone(tx, c, change.phone) : null;
  if (change.data) await mergeMetadata(tx, user.id, 'raw_user_meta_data', change.data);
  // It may have ended while this waited for the lock of the user.
  if (sessionId && !(await hasRow(tx, 'select from auth.sessions where id = $1', [sessionId])))
    throw errors.sessionOfTokenGone();
  return { user: await findUser(tx, user.id), message };
}

async function applyEmail(tx: Transaction, c: AuthRequest, email: string, challenge: Challenge | null): Promise<void> {
  const { identity, user } = c.var;
  if (identity.project.auth.email.enable_confirmations) {
    await record(tx, c, { action: 'email_change_requested' });
    return startEmailChange(tx, c, email, { redirectTo: redirectOf(c), challenge });
  }
  await changeIdentifier(tx, user.id, 'email', email);
  await confirmIdentifier(tx, user.id, 'email');
  await record(tx, c, { action: 'email_changed' });
}

async function applyPhone(tx: Transaction, c: AuthRequest, phone: string): Promise<SmsMessage | null> {
  const { identity, user } = c.var;
  if (identity.project.auth.sms.enable_confirmations) {
    await record(tx, c, { action: 'phone_change_requested' });
    await tx.query("delete from auth.one_time_tokens where user_id = $1 and purpose = 'phone_change'", [user.id]);
    await setUserColumns(tx, user.id, { phone_change: phone });
    return messageFor(tx, identity, user, 'phone_change', phone);
  }
  await changeIdentifier(tx, user.id, 'phone', phone);
  await confirmIdentifier(tx, user.id, 'phone');
  await record(tx, c, { action: 'phone_changed' });
  return null;
}

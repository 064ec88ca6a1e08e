import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Connection, findRow, type Transaction } from '../../database/database.ts';
import type { SmsMessage } from '../../hooks/sms-hook.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, optional, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import { isUnverified } from '../linking/competing-sign-ups.ts';
import { type Challenge, readChallenge } from '../providers/flow-state.ts';
import { countMail, countMessage, isWithinLimit } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { createAccount } from '../users/account.ts';
import { findUserByEmail, findUserOf, type Recipient, USER_COLUMNS, type UserRow } from '../users/user.ts';
import { sendConfirmation, sendEmail } from './auth-emails.ts';
import { sendPendingChange } from './email-change.ts';
import { checkChannel, checkReachable, messageFor, phoneNumber, postMessage, sendMessage } from './phone.ts';

const OtpBody = z.object({
  ...texts('email', 'phone', 'channel', 'code_challenge', 'code_challenge_method'),
  create_user: optional(z.boolean()),
  data: metadata,
});

const RecoverBody = z.object(texts('email', 'code_challenge', 'code_challenge_method'));
const LinkBody = RecoverBody.extend({ data: metadata });

export async function magicLink(c: AuthRequest) {
  const { email, data, ...pair } = await readBody(c, LinkBody);
  if (!email?.trim()) throw new ApiError(422, 'validation_failed', 'Password recovery requires an email');
  return sendSignInEmail(c, email, { createUser: true, data: data ?? {} }, readChallenge(pair));
}

type SignInOptions = { createUser: boolean; data: Record<string, unknown> };

function sendSignInEmail(c: AuthRequest, address: string, options: SignInOptions, challenge: Challenge | null) {
  const { identity } = c.var;
  if (!identity.project.auth.email.enable_signup) throw errors.emailSignInDisabled();
  const email = emailAddress(address);
  const target = { redirectTo: redirectOf(c), challenge };
  return sendEmailLater(c, 'magiclink', email, async (tx) => {
    const user = await findOrCreateUser(tx, c, options, { email, phone: null });
    if (!user) return;
    // A `signup` e-mail would activate a password set by another person; `magiclink` removes it.
    const purpose = user.email_confirmed_at || isUnverified(user) ? 'magiclink' : 'signup';
    await sendEmail(tx, identity, user, purpose, target);
  });
}

/** Says 503 while the database is unavailable; a task after the response cannot. */
const requireDatabase = (db: Connection) => db.query('select from internal.limits limit 1');

/** Looked up after the response: neither its content nor its duration reveals whether the account exists. */
async function sendEmailLater(c: AuthRequest, kind: string, email: string, send: (tx: Transaction) => Promise<void>) {
  const { rates, later, db } = c.var.identity;
  await countMail(rates, kind, email);
  await requireDatabase(db);
  later(() => db.transaction(send));
  return c.json({});
}

async function findOrCreateUser(tx: Transaction, c: AuthRequest, options: SignInOptions, recipient: Recipient) {
  const { createUser, data } = options;
  const existing = await findUserOf(tx, recipient);
  const created =
    !existing && createUser && c.var.identity.project.auth.enable_signup
      ? await createAccount(tx, { ...recipient, userMetadata: data })
      : null;
  const user = existing ?? created ?? (await findUserOf(tx, recipient));
  const isAllowed = user !== null && !user.is_banned;
  await record(tx, c, {
    action: created ? 'user_signedup' : 'user_code_requested',
    outcome: isAllowed ? 'success' : 'refused',
    ...(created ? { actor: created.id } : { object: user?.id ?? null }),
  });
  return isAllowed ? user : null;
}

/** Known and unknown recipients get the same response, also with `create_user: false`. */
export async function otp(c: AuthRequest) {
  const { email, phone, create_user: createUser, channel, data, ...pair } = await readBody(c, OtpBody);
  if (!email && !phone) throw errors.invalid('One of email or phone must be set');
  if (email && phone) throw errors.invalid('Only an email address or phone number should be provided');
  const challenge = readChallenge(pair);
  const options = { createUser: createUser ?? true, data: data ?? {} };
  if (email) return sendSignInEmail(c, email, options, challenge);
  checkChannel(channel);
  return sendSignInMessage(c, phone!, options);
}

function sendSignInMessage(c: AuthRequest, number: string, options: SignInOptions) {
  const { identity } = c.var;
  if (!identity.project.auth.sms.enable_signup) throw errors.phoneDisabled(422);
  const phone = phoneNumber(number);
  return sendMessageLater(c, 'sms', phone, async (tx, id) => {
    const user = await findOrCreateUser(tx, c, options, { email: null, phone });
    return user && messageFor(tx, identity, user, isUnverified(user) ? 'magiclink' : 'sms', phone, id);
  });
}

async function sendMessageLater(
  c: AuthRequest,
  kind: string,
  phone: string,
  create: (tx: Transaction, id: string) => Promise<SmsMessage | null>,
) {
  const { identity } = c.var;
  checkReachable(identity, phone);
  await countMessage(identity.rates, kind, phone);
  await requireDatabase(identity.db);
  const id = randomUUID();
  identity.later(async () => {
    const message = await identity.db.transaction((tx) => create(tx, id));
    if (message) postMessage(identity, message);
  });
  return c.json({ message_id: id });
}

const ResendBody = z.object(texts('type', 'email', 'phone', 'code_challenge', 'code_challenge_method'));

/** Same response for unknown, confirmed and unconfirmed recipients. */
export async function resend(c: AuthRequest) {
  const { type, email, phone, ...pair } = await readBody(c, ResendBody);
  if (type === 'signup' || type === 'email_change') {
    if (!email || phone) throw errors.invalid('Type provided requires an email address');
    return resendEmail(c, type, emailAddress(email), readChallenge(pair));
  }
  if (type === 'sms' || type === 'phone_change') {
    if (!phone || email) throw errors.invalid('Type provided requires a phone number');
    return resendMessage(c, type, phoneNumber(phone));
  }
  throw errors.invalid('Missing one of these types: signup, email_change, sms, phone_change');
}

function resendEmail(c: AuthRequest, type: 'signup' | 'email_change', email: string, challenge: Challenge | null) {
  const { identity } = c.var;
  const target = { redirectTo: redirectOf(c), challenge };
  return sendEmailLater(c, type, email, async (tx) => {
    const user = await findUnconfirmed(tx, c, { email, phone: null }, type === 'email_change');
    if (!user) return;
    if (type === 'signup') return sendConfirmation(tx, identity, user, target);
    const maySend = async (to: string) => to === email || isWithinLimit(countMail(identity.rates, type, to, tx));
    await sendPendingChange(tx, identity, user, target, maySend);
  });
}

function resendMessage(c: AuthRequest, type: 'sms' | 'phone_change', phone: string) {
  const { identity } = c.var;
  if (!identity.project.auth.sms.enable_signup) throw errors.phoneDisabled(400);
  return sendMessageLater(c, type, phone, async (tx, id) => {
    const user = await findUnconfirmed(tx, c, { email: null, phone }, type === 'phone_change');
    if (!user) return null;
    const to = type === 'sms' ? phone : user.phone_change!;
    const maySend = to === phone || (await isWithinLimit(countMessage(identity.rates, type, to, tx)));
    return maySend ? messageFor(tx, identity, user, type, to, id) : null;
  });
}

/** Whose address or number, or change of it, waits for its confirmation. */
async function findUnconfirmed(tx: Transaction, c: AuthRequest, recipient: Recipient, isChange: boolean) {
  const user = await (isChange ? findUserWithPendingChange : findUserOf)(tx, recipient);
  const isConfirmed = recipient.email ? user?.email_confirmed_at : user?.phone_confirmed_at;
  if (!user || user.is_banned || (!isChange && isConfirmed)) return null;
  await record(tx, c, { action: 'user_confirmation_requested', object: user.id });
  return user;
}

function findUserWithPendingChange(tx: Connection, { email, phone }: Recipient): Promise<UserRow | null> {
  const what = email ? 'email' : 'phone';
  const text = `select ${USER_COLUMNS} from auth.users u
     where ${what}_change <> '' and (${what} = $1 or ${what}_change = $1) and not is_sso_user and deleted_at is null
     order by ${what} is not distinct from $1 desc, ${what}_change_sent_at desc limit 1`;
  return findRow<UserRow>(tx, text, [email ?? phone]);
}

export async function reauthenticate(c: AuthRequest) {
  const { user } = c.var;
  if (user.email) return sendEmailCode(c, user.email);
  if (user.phone) return sendMessageCode(c, user.phone);
  throw errors.invalid('Reauthentication requires the user to have an email or a phone number');
}

async function sendEmailCode(c: AuthRequest, email: string) {
  const { identity, user } = c.var;
  if (!user.email_confirmed_at) throw errors.emailNotConfirmed(422);
  await countMail(identity.rates, 'reauthentication', email);
  await identity.db.transaction(async (tx) => {
    await record(tx, c, { action: 'user_reauthentication_requested' });
    await sendEmail(tx, identity, user, 'reauthentication', { redirectTo: redirectOf(c) });
  });
  return c.json({});
}

async function sendMessageCode(c: AuthRequest, phone: string) {
  const { identity, user } = c.var;
  if (!user.phone_confirmed_at) throw errors.phoneNotConfirmed(422);
  checkReachable(identity, phone);
  await countMessage(identity.rates, 'reauthentication', phone);
  const message = await identity.db.transaction(async (tx) => {
    await record(tx, c, { action: 'user_reauthentication_requested' });
    return messageFor(tx, identity, user, 'reauthentication', phone);
  });
  await sendMessage(identity, message);
  return c.json({ message_id: message.id });
}

export async function recover(c: AuthRequest) {
  const { identity } = c.var;
  const { email: address, ...pair } = await readBody(c, RecoverBody);
  if (!address) throw errors.invalid('Password recovery requires an email');
  const challenge = readChallenge(pair);
  const email = emailAddress(address);
  const target = { redirectTo: redirectOf(c), challenge };
  return sendEmailLater(c, 'recovery', email, async (tx) => {
    const user = await findUserByEmail(tx, email);
    const isAllowed = user !== null && !user.is_banned;
    const outcome = isAllowed ? 'success' : 'refused';
    await record(tx, c, { action: 'user_recovery_requested', outcome, object: user?.id ?? null });
    if (isAllowed) await sendEmail(tx, identity, user, 'recovery', target);
  });
}

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { databaseTime } from '../../database/clock.ts';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, readBody, texts } from '../body.ts';
import { requireCaptcha } from '../captcha.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { clearContestedPassword, storeApplicant } from '../linking/competing-sign-ups.ts';
import { sendConfirmation } from '../links/auth-emails.ts';
import { checkChannel, checkReachable, messageFor, phoneNumber, postMessage } from '../links/phone.ts';
import { requireStrong } from '../password/policy.ts';
import { type Challenge, readChallenge } from '../providers/flow-state.ts';
import { countMail, countMessage, countRequest } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { sessionResponse, startSession } from '../sessions/session.ts';
import { createAccount, identityData } from './account.ts';
import { findUserOf, type Recipient, showIdentity, showUser } from './user.ts';

async function signInAnonymously(c: AuthRequest, data: Record<string, unknown>) {
  const { db, project } = c.var.identity;
  if (!project.auth.enable_anonymous_sign_ins) throw errors.anonymousDisabled();
  const signedIn = await db.transaction(async (tx) => {
    const user = await createAccount(tx, { userMetadata: data, isAnonymous: true, identities: [] });
    const started = await startSession(tx, c, user!.id, 'anonymous');
    await record(tx, c, { action: 'user_signedup', actor: user!.id, session: started.session.id });
    return started;
  });
  return c.json(await sessionResponse(c.var.identity, signedIn));
}

/** Security: other fields (`role`, `app_metadata` …) are ignored. */
const Body = z.object({
  ...texts('email', 'phone', 'password', 'channel', 'code_challenge', 'code_challenge_method'),
  data: metadata,
});

export async function signUp(c: AuthRequest) {
  const { identity } = c.var;
  const { project, passwords, rates } = identity;
  const { email: address, phone: number, password, channel, data, ...pair } = await readBody(c, Body);
  await countRequest(c, address || number ? 'signUp' : 'anonymous');
  await requireCaptcha(c);
  if (!project.auth.enable_signup) throw errors.signUpDisabled();
  if (!address && !number) return signInAnonymously(c, data ?? {});
  if (!password) throw errors.invalid('Signup requires a valid password');
  requireStrong(password, project.auth, address?.trim().toLowerCase() ?? null);
  if (address && number) throw errors.invalid('Only an email address or phone number should be provided on signup.');
  if (number) checkChannel(channel);
  const challenge = readChallenge(pair);
  if (number && challenge) throw errors.invalid('PKCE not supported for phone signups');

  const identifier = recipientOf(identity, address, number);
  const mustConfirm = project.auth[address ? 'email' : 'sms'].enable_confirmations;
  if (mustConfirm && identifier.phone) checkReachable(identity, identifier.phone);
  const passwordHash = await passwords.hash(password);
  try {
    if (mustConfirm && identifier.email) await countMail(rates, 'signup', identifier.email);
    if (mustConfirm && identifier.phone) await countMessage(rates, 'sms', identifier.phone);
  } catch (refusal) {
    clearContestedPassword(identity, identifier, password, { passwordHash, sendsEmail: false });
    throw refusal;
  }
  const request = { ...identifier, passwordHash, userMetadata: data ?? {}, confirmed: !mustConfirm, challenge };
  const outcome = await register(c, request);
  if (mustConfirm) clearContestedPassword(identity, identifier, password, { passwordHash, sendsEmail: true });
  if (outcome.message) postMessage(identity, outcome.message);
  return c.json(outcome.signedIn ? await sessionResponse(identity, outcome.signedIn) : outcome.user);
}

function recipientOf({ project: { auth } }: AuthContext, address: string | null, number: string | null): Recipient {
  if (address && !auth.email.enable_signup) throw errors.emailSignUpDisabled();
  if (number && !auth.sms.enable_signup) throw errors.phoneDisabled(400);
  return address ? { email: emailAddress(address), phone: null } : { email: null, phone: phoneNumber(number!) };
}

type SignUp = Recipient & {
  passwordHash: string;
  userMetadata: Record<string, unknown>;
  confirmed: boolean;
  challenge: Challenge | null;
};

function register(c: AuthRequest, request: SignUp) {
  const { identity } = c.var;
  const { email, phone, passwordHash, userMetadata, confirmed, challenge } = request;
  return identity.db.transaction(async (tx) => {
    const confirmations = { emailConfirmed: confirmed && email !== null, phoneConfirmed: confirmed && phone !== null };
    const created = await createAccount(tx, { email, phone, passwordHash, userMetadata, ...confirmations });
    const user = created ?? (await findUserOf(tx, request));
    if (!created && confirmed) throw errors.alreadyRegistered();
    // One audit row in every case, so that all cases take the same time.
    await record(tx, c, {
      action: created ? 'user_signedup' : 'user_repeated_signup',
      ...(created ? { actor: created.id } : { outcome: 'refused', object: user?.id ?? null }),
    });
    if (created && confirmed) return { signedIn: await startSession(tx, c, created.id, 'password') };
    if (!user || user[email ? 'email_confirmed_at' : 'phone_confirmed_at'] || user.is_banned)
      return { user: await fakeUser(tx, request) };
    const response = created
      ? showUser({ ...created, confirmation_sent_at: new Date(databaseTime()) })
      : await fakeNewUser(tx, request);
    const message = phone ? await messageFor(tx, identity, user, 'sms', phone) : null;
    if (!phone) await sendConfirmation(tx, identity, user, { redirectTo: redirectOf(c), challenge });
    const applicant = { password_hash: passwordHash, user_metadata: userMetadata, address: c.env.address };
    await storeApplicant(tx, user.id, applicant);
    return { user: response, message };
  });
}

/** Response for an unconfirmed account: looks like a new user with the submitted data, not the stored account. */
async function fakeNewUser(tx: Transaction, request: SignUp) {
  const user = await fakeUser(tx, request);
  const time = user.created_at.toISOString();
  const identity = showIdentity({
    id: randomUUID(),
    provider_id: user.id,
    user_id: user.id,
    identity_data: user.user_metadata,
    provider: user.app_metadata.provider,
    email: request.email,
    last_sign_in_at: time,
    created_at: time,
    updated_at: time,
  });
  return { ...user, role: 'authenticated', identities: [identity] };
}

/** Response for an existing account: a made-up user, so that accounts cannot be enumerated. */
async function fakeUser(tx: Transaction, { email, phone, userMetadata }: SignUp) {
  const now = new Date(databaseTime());
  const id = randomUUID();
  const provider = email ? 'email' : 'phone';
  const identity = identityData(id, { email, phone }, userMetadata);
  // jsonb orders object members; another order would reveal the made-up user.
  const { rows } = await tx.query<{ data: typeof identity }>('select $1::jsonb as data', [identity]);
  return {
    id,
    aud: 'authenticated',
    role: '',
    email: email ?? '',
    phone: phone ?? '',
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: rows[0]!.data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

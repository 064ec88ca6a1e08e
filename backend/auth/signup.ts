import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as z from 'zod';
import { createAccount, identityData } from './account.ts';
import { record } from './audit.ts';
import { emailAddress, metadata, optional, read } from './body.ts';
import { errors } from './errors.ts';
import type { Env } from './identity.ts';
import { type Letter, letterFor, post } from './letters.ts';
import { requireStrong } from './password-policy.ts';
import { countMail } from './rates.ts';
import { redirectOf } from './redirect.ts';
import { type SignedIn, sessionAnswer, startSession } from './session.ts';
import { findUserByEmail, showUser, type UserRow } from './user.ts';

/** What a client may say about its new account. Whatever else it sends (role, app_metadata …) is not even read. */
const Body = z.object({
  email: optional(z.string()),
  phone: optional(z.string()),
  password: optional(z.string()),
  data: metadata,
});

/** `POST /signup`: an account by e-mail and password; signed in at once, or after the mailbox is confirmed. */
export async function signUp(c: Context<Env>) {
  const { project, passwords, rates } = c.var.identity;
  const { email: address, phone, password, data } = await read(c, Body);
  if (!project.auth.enable_signup) throw errors.signUpDisabled();
  if (!address && !phone) throw errors.anonymousDisabled();
  if (!password) throw errors.invalid('Signup requires a valid password');
  requireStrong(password, project.auth.minimum_password_length, address?.trim().toLowerCase() ?? null);
  if (address && phone) throw errors.invalid('Only an email address or phone number should be provided on signup.');
  if (!address) throw errors.phoneDisabled(400);
  if (!project.auth.email.enable_signup) throw errors.emailSignUpDisabled();
  const email = emailAddress(address);

  const mustConfirm = project.auth.email.enable_confirmations;
  const passwordHash = await passwords.hash(password);
  if (mustConfirm) await countMail(rates, 'signup', email);
  const outcome = await register(c, { email, passwordHash, userMetadata: data ?? {}, confirmed: !mustConfirm });
  if (outcome.letter) post(c.var.identity, outcome.letter);
  return c.json(outcome.signedIn ? await sessionAnswer(c.var.identity, outcome.signedIn) : outcome.user);
}

interface Outcome {
  user?: object;
  signedIn?: SignedIn;
  letter?: Letter;
}

type Application = { email: string; passwordHash: string; userMetadata: Record<string, unknown>; confirmed: boolean };

function register(c: Context<Env>, application: Application): Promise<Outcome> {
  const redirectTo = redirectOf(c);
  return c.var.identity.db.transaction(async (tx) => {
    const made = await createAccount(tx, application);
    const user = made ?? (await findUserByEmail(tx, application.email));
    if (!made && application.confirmed) throw errors.alreadyRegistered();
    // One audit row in every case, so that all cases cost one commit.
    await record(tx, c, {
      action: made ? 'user_signedup' : 'user_repeated_signup',
      outcome: made ? 'success' : 'refused',
      actor: user?.id ?? null,
    });
    if (made && application.confirmed) return { signedIn: await startSession(tx, c, made.id, 'password') };
    if (!user || user.email_confirmed_at || user.is_banned) return { user: nobody(application) };
    const letter = await letterFor(tx, c.var.identity, user, 'signup', redirectTo);
    const asked = { ...user, confirmation_sent_at: new Date() };
    return { user: showUser(made ? asked : inOwnWords(asked, application)), letter };
  });
}

/** Somebody who signs up again with an unconfirmed address is told their own words, not those of whoever was first. */
function inOwnWords(user: UserRow, { email, userMetadata }: Application): UserRow {
  const known = identityData(user.id, email, false, userMetadata);
  return {
    ...user,
    raw_user_meta_data: known,
    identities: user.identities.map((identity) => ({ ...identity, identity_data: known })),
  };
}

/** The answer for an address that already has an account: it looks like a new user, and exists nowhere. */
function nobody({ email, userMetadata }: Application) {
  const now = new Date();
  const id = randomUUID();
  return {
    id,
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: identityData(id, email, false, userMetadata),
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

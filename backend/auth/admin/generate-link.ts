import type { Context } from 'hono';
import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, optional, read } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { isUnverified, removeUnverified } from '../linking/unverified-account.ts';
import { type AuthEmail, emailFor, linkOf } from '../links/auth-emails.ts';
import { awaitEmail } from '../links/email-change.ts';
import { requireStrong } from '../password/policy.ts';
import { isAllowed, redirectOf } from '../redirect.ts';
import { createAccount, mergeMetadata, setPassword } from '../users/account.ts';
import { findUser, findUserByEmail, showUser, type UserRow } from '../users/user.ts';
import { invitee } from './invite.ts';

const TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const;
type LinkType = (typeof TYPES)[number];

const Body = z.object({
  type: optional(z.string()),
  email: optional(z.string()),
  new_email: optional(z.string()),
  password: optional(z.string()),
  data: metadata,
  redirect_to: optional(z.string()),
});

interface Wish {
  type: LinkType;
  email: string;
  newEmail: string | null;
  password: string | null;
  data: Record<string, unknown>;
  redirectTo: string;
}

/** `POST /admin/generate_link`: returns the link and code of an e-mail instead of sending it. */
export async function generateLink(c: Context<Env>) {
  const { db, config, passwords } = c.var.identity;
  const wish = await wishOf(c);
  const passwordHash = wish.password === null ? null : await passwords.hash(wish.password);
  const { user, letter, type } = await db.transaction(async (tx) => {
    const made = await letterOf(tx, c, wish, passwordHash);
    await record(tx, c, { action: 'link_generated', outcome: 'success', object: made.user.id, reason: made.type });
    return { ...made, user: (await findUser(tx, made.user.id))! };
  });
  return c.json({
    ...showUser(user),
    action_link: linkOf(config.siteUrl, letter),
    email_otp: letter.token.code,
    hashed_token: letter.token.linkToken,
    redirect_to: letter.redirectTo,
    verification_type: type,
  });
}

async function wishOf(c: Context<Env>): Promise<Wish> {
  const { project, config } = c.var.identity;
  const body = await read(c, Body);
  const type = TYPES.find((known) => known === body.type);
  if (!type) throw errors.invalid(`Invalid email action link type requested: ${(body.type ?? '').slice(0, 40)}`);
  if (!body.email) throw errors.invalid('A link requires an email');
  const email = emailAddress(body.email);
  if (type === 'signup' && !body.password) throw errors.invalid('Signup requires a valid password');
  const password = type === 'signup' ? body.password : null;
  if (password) requireStrong(password, project.auth, email);
  const changes = type === 'email_change_current' || type === 'email_change_new';
  if (changes && !body.new_email) throw errors.invalid('A change of address requires a new_email');
  if (type === 'email_change_current' && !project.auth.email.double_confirm_changes)
    throw errors.invalid('Enable secure email change to generate link for current email');
  const named = body.redirect_to;
  const allowed = (to: string) => isAllowed(to, config.siteUrl, project.auth.additional_redirect_urls);
  return {
    type,
    email,
    newEmail: changes ? emailAddress(body.new_email!) : null,
    password,
    data: body.data ?? {},
    redirectTo: named && allowed(named) ? named : redirectOf(c),
  };
}

type Made = { user: UserRow; letter: AuthEmail; type: LinkType };

async function letterOf(tx: Transaction, c: Context<Env>, wish: Wish, passwordHash: string | null): Promise<Made> {
  const { type, email, redirectTo } = wish;
  const write = async (user: UserRow, as: LinkType, to = email): Promise<Made> => ({
    user,
    letter: await emailFor(tx, c.var.identity, user, as, redirectTo, { to }),
    type: as,
  });
  if (type === 'invite') return write(await invitee(tx, email, wish.data), 'invite');
  const user = await findUserByEmail(tx, email);
  if (type === 'signup') return write(await signingUp(tx, user, wish, passwordHash), 'signup');
  if (!user && type === 'magiclink') return write(await signingUp(tx, null, wish, null), 'signup');
  if (!user) throw errors.emailNotFound();
  if (!wish.newEmail) return write(user, type);
  if (await findUserByEmail(tx, wish.newEmail)) throw errors.emailExists();
  const waiting = await awaitEmail(tx, c.var.identity, user, wish.newEmail);
  return write(waiting, type, type === 'email_change_new' ? wish.newEmail : email);
}

async function signingUp(
  tx: Transaction,
  user: UserRow | null,
  { email, data }: Wish,
  passwordHash: string | null,
): Promise<UserRow> {
  if (user) {
    if (user.email_confirmed_at || user.is_banned) throw errors.emailExists();
    // Security: discards a password that an unverified sign-up may have set before the owner of the address appeared.
    if (isUnverified(user)) await removeUnverified(tx, user.id);
    if (passwordHash) await setPassword(tx, user.id, passwordHash, null);
    await mergeMetadata(tx, user.id, 'raw_user_meta_data', data);
    return user;
  }
  const made = await createAccount(tx, {
    email,
    phone: null,
    passwordHash,
    userMetadata: data,
    madeByAdmin: true,
    emailConfirmed: false,
    phoneConfirmed: false,
    identities: 'own',
  });
  if (!made) throw errors.emailExists();
  return made;
}

import * as z from 'zod';
import type { Transaction } from '../../database/database.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { isUnverified, removeUnverifiedCredentials } from '../linking/competing-sign-ups.ts';
import { issueEmail, linkOf, sendEmail } from '../links/auth-emails.ts';
import { storeEmailChange } from '../links/email-change.ts';
import { requireStrong } from '../password/policy.ts';
import { countMail } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { createAccount, mergeMetadata, setPassword } from '../users/account.ts';
import { findUser, findUserByEmail, showUser, type UserRow } from '../users/user.ts';

const InviteBody = z.object({ ...texts('email'), data: metadata });

export async function invite(c: AuthRequest) {
  const { identity } = c.var;
  const { email: address, data } = await readBody(c, InviteBody);
  if (!address) throw errors.invalid('An invitation requires an email');
  const email = emailAddress(address);
  const redirectTo = redirectOf(c);
  await countMail(identity.rates, 'invite', email);
  const user = await identity.db.transaction(async (tx) => {
    const invited = await findOrCreateInvitee(tx, email, data ?? {});
    await sendEmail(tx, identity, invited, 'invite', { redirectTo });
    await record(tx, c, { action: 'user_invited', object: invited.id });
    return (await findUser(tx, invited.id))!;
  });
  return c.json(showUser(user));
}

/** @throws ApiError 422 email_exists unless the address is unconfirmed */
async function findUnconfirmed(tx: Transaction, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email);
  if (!user || user.email_confirmed_at || user.is_banned) throw errors.emailExists();
  // Security: confirming the mailbox must not activate a password set by another person.
  if (isUnverified(user)) await removeUnverifiedCredentials(tx, user.id);
  return user;
}

const findOrCreateInvitee = async (tx: Transaction, email: string, data: Record<string, unknown>) =>
  (await createAccount(tx, { email, userMetadata: data, byAdmin: true })) ?? findUnconfirmed(tx, email);

const TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const;

const LinkBody = z.object({ ...texts('type', 'email', 'new_email', 'password', 'redirect_to'), data: metadata });

type LinkRequest = Awaited<ReturnType<typeof parseRequest>>;

/** `POST /admin/generate_link`: returns the link and code of an e-mail instead of sending it. */
export async function generateLink(c: AuthRequest) {
  const { db, config, passwords } = c.var.identity;
  const request = await parseRequest(c);
  const passwordHash = request.password === null ? null : await passwords.hash(request.password);
  const { user, authEmail, type } = await db.transaction(async (tx) => {
    const issued = await issueLink(tx, c, request, passwordHash);
    await record(tx, c, { action: 'link_generated', object: issued.user.id, reason: issued.type });
    return { ...issued, user: (await findUser(tx, issued.user.id))! };
  });
  return c.json({
    ...showUser(user),
    action_link: linkOf(config.siteUrl, authEmail),
    email_otp: authEmail.token.code,
    hashed_token: authEmail.token.linkToken,
    redirect_to: authEmail.redirectTo,
    verification_type: type,
  });
}

async function parseRequest(c: AuthRequest) {
  const { project } = c.var.identity;
  const body = await readBody(c, LinkBody);
  const type = TYPES.find((candidate) => candidate === body.type);
  if (!type) throw errors.invalid(`Invalid email action link type requested: ${(body.type ?? '').slice(0, 40)}`);
  if (!body.email) throw errors.invalid('A link requires an email');
  const email = emailAddress(body.email);
  if (type === 'signup' && !body.password) throw errors.invalid('Signup requires a valid password');
  const password = type === 'signup' ? body.password : null;
  if (password) requireStrong(password, project.auth, email);
  const isChange = type === 'email_change_current' || type === 'email_change_new';
  if (isChange && !body.new_email) throw errors.invalid('A change of address requires a new_email');
  if (type === 'email_change_current' && !project.auth.email.double_confirm_changes)
    throw errors.invalid('Enable secure email change to generate link for current email');
  const newEmail = isChange ? emailAddress(body.new_email!) : null;
  return { type, email, newEmail, password, data: body.data ?? {}, redirectTo: redirectOf(c, body.redirect_to) };
}

async function issueLink(tx: Transaction, c: AuthRequest, request: LinkRequest, passwordHash: string | null) {
  const { type, email, redirectTo } = request;
  const issue = async (user: UserRow, as: (typeof TYPES)[number], to = email) => ({
    user,
    authEmail: await issueEmail(tx, c.var.identity, user, as, { redirectTo, to }),
    type: as,
  });
  if (type === 'invite') return issue(await findOrCreateInvitee(tx, email, request.data), 'invite');
  if (type === 'signup') return issue(await findOrCreateSignUp(tx, request, passwordHash), 'signup');
  const user = await findUserByEmail(tx, email);
  if (!user && type === 'magiclink') return issue(await findOrCreateSignUp(tx, request, null), 'signup');
  if (!user) throw errors.emailNotFound();
  if (!request.newEmail) return issue(user, type);
  if (await findUserByEmail(tx, request.newEmail)) throw errors.emailExists();
  const changing = await storeEmailChange(tx, c.var.identity, user, request.newEmail);
  return issue(changing, type, type === 'email_change_new' ? request.newEmail : email);
}

async function findOrCreateSignUp(tx: Transaction, { email, data }: LinkRequest, passwordHash: string | null) {
  const created = await createAccount(tx, { email, passwordHash, userMetadata: data, byAdmin: true });
  if (created) return created;
  const user = await findUnconfirmed(tx, email);
  if (passwordHash) await setPassword(tx, user.id, passwordHash, null);
  await mergeMetadata(tx, user.id, 'raw_user_meta_data', data);
  return user;
}

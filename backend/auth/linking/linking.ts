import type { Transaction } from '../../database/database.ts';
import { type ApiError, errors } from '../errors.ts';
import { forgetFlows } from '../providers/flow-state.ts';
import type { ProviderLogin } from '../providers/provider.ts';
import {
  addIdentity,
  confirmEmail,
  createAccount,
  mergeClaims,
  type NewIdentity,
  refreshProviders,
} from '../users/account.ts';
import { findUser, type UserRow } from '../users/user.ts';
import { removeUnverified } from './unverified-account.ts';

/** Whose account a provider's word opens. Everything here runs inside the transaction that also opens the session. */

export interface LinkingContext {
  /** Whether strangers may get accounts. */
  signUps: boolean;
  /** Whether an address counts only once its owner has shown to read it. */
  confirmations: boolean;
}

export type Decision =
  | { kind: 'in'; user: UserRow; how: 'login' | 'identity_linked' | 'user_signedup' }
  /** `mailTo`: an account that waits for its address to be confirmed. */
  | { kind: 'refused'; error: ApiError; actor: string | null; mailTo?: UserRow };

const refused = (error: ApiError, actor: string | null = null): Decision => ({ kind: 'refused', error, actor });

/**
 * The account of somebody who comes back, joins an account of theirs, or is new. An identity joins an existing account
 * only when both sides have verified the address; an account that somebody made with an address that was not theirs is
 * handed to its owner, without whatever the stranger could still come in by.
 */
export async function accountOf(tx: Transaction, login: ProviderLogin, house: LinkingContext): Promise<Decision> {
  const { email, emailVerified } = login.profile;
  await queueUp(tx, login);
  const ownerId = await ownerOf(tx, login);
  if (ownerId) return comeBack(tx, ownerId, login, house);
  if (!email) return refused(errors.noProviderEmail());
  const confirmed = emailVerified ? await confirmedAccounts(tx, email) : [];
  if (confirmed.length > 1) return refused(errors.severalAccounts(login.provider));
  if (confirmed[0]) return join(tx, confirmed[0], login);
  const claimed = emailVerified ? await lockByEmail(tx, email) : null;
  if (claimed && !claimed.phone_confirmed_at) return takeOver(tx, claimed, login);
  // Its number was proven to be theirs, the address was not: they keep the account and lose the address.
  if (claimed) await releaseAddress(tx, claimed.id);
  return makeAccount(tx, login, house);
}

/** Adds a way in to the account of somebody who is signed in and asked for it. */
export async function linkTo(tx: Transaction, userId: string, login: ProviderLogin): Promise<Decision> {
  const { email, emailVerified, claims } = login.profile;
  await queueUp(tx, login);
  const user = await lock(tx, userId);
  if (!user) return refused(errors.userOfTokenGone());
  if (user.is_banned) return refused(errors.banned(403), user.id);
  if (user.is_sso_user) return refused(errors.managedElsewhere(), user.id);
  const ownerId = await ownerOf(tx, login);
  if (ownerId) return refused(errors.identityExists(ownerId === user.id), user.id);
  if (!user.email && email && emailVerified && !(await moveAddress(tx, user.id, email)))
    return refused(errors.emailExists(), user.id);
  if (!(await addIdentity(tx, user.id, identityOf(login)))) return refused(errors.identityExists(false), user.id);
  // What the user said about themselves stays.
  await mergeClaims(tx, user.id, { ...claims, ...user.raw_user_meta_data });
  await tx.query('update auth.users set is_anonymous = false, updated_at = now() where id = $1', [user.id]);
  return { kind: 'in', user: (await findUser(tx, user.id))!, how: 'identity_linked' };
}

/** Rivals with the same person or the same address wait for each other, so that each sees what the one before made. */
async function queueUp(tx: Transaction, { provider, profile }: ProviderLogin): Promise<void> {
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))',
    [`identity ${provider} ${profile.id}`, `address ${profile.email ?? profile.id}`],
  );
}

const identityOf = ({ provider, profile }: ProviderLogin): NewIdentity => ({
  provider,
  providerId: profile.id,
  data: profile.claims,
});

async function ownerOf(tx: Transaction, { provider, profile }: ProviderLogin): Promise<string | null> {
  const { rows } = await tx.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider, profile.id],
  );
  return rows[0]?.user_id ?? null;
}

/** Accounts of people who have proven the address, to us or to a provider. Those of single sign-on are never joined. */
async function confirmedAccounts(tx: Transaction, email: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select u.id from auth.users u
     where not u.is_sso_user and u.deleted_at is null and u.email_confirmed_at is not null and (u.email = $1 or exists (
       select from auth.identities i where i.user_id = u.id and i.email = $1 and i.provider not in ('email', 'phone')
         and i.provider not like 'sso:%' and i.identity_data -> 'email_verified' = 'true'))
     limit 2`,
    [email],
  );
  return rows.map(({ id }) => id);
}

async function lockByEmail(tx: Transaction, email: string): Promise<UserRow | null> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from auth.users where email = $1 and not is_sso_user and deleted_at is null',
    [email],
  );
  return rows[0] ? lock(tx, rows[0].id) : null;
}

async function lock(tx: Transaction, userId: string): Promise<UserRow | null> {
  await tx.query('select from auth.users where id = $1 for update', [userId]);
  const user = await findUser(tx, userId);
  return user?.deleted_at ? null : user;
}

async function comeBack(
  tx: Transaction,
  userId: string,
  login: ProviderLogin,
  house: LinkingContext,
): Promise<Decision> {
  const { profile, provider } = login;
  const user = await lock(tx, userId);
  if (!user || user.is_banned) return refused(errors.banned(403), userId);
  if (user.email && !user.email_confirmed_at && !user.phone_confirmed_at) {
    const proven = profile.emailVerified || (!house.confirmations && profile.email === user.email);
    if (!proven)
      return { kind: 'refused', error: errors.unverifiedProviderEmail(provider), actor: userId, mailTo: user };
    if (!(await moveAddress(tx, userId, profile.email!))) return refused(errors.emailExists(), userId);
    await evict(tx, userId);
    await addIdentity(tx, userId, identityOf(login));
  }
  await tx.query(
    `update auth.identities set identity_data = $3::jsonb, last_sign_in_at = now(), updated_at = now()
     where provider = $1 and provider_id = $2`,
    [provider, profile.id, profile.claims],
  );
  return enter(tx, userId, login, 'login');
}

async function join(tx: Transaction, userId: string, login: ProviderLogin): Promise<Decision> {
  const user = await lock(tx, userId);
  if (!user || user.is_banned) return refused(errors.banned(403), userId);
  if (!(await addIdentity(tx, userId, identityOf(login)))) return refused(errors.identityExists(false), userId);
  return enter(tx, userId, login, 'identity_linked');
}

/** The account was made with this address by somebody who never proved it; now its owner is here. */
async function takeOver(tx: Transaction, user: UserRow, login: ProviderLogin): Promise<Decision> {
  if (user.is_banned) return refused(errors.banned(403), user.id);
  await evict(tx, user.id);
  await addIdentity(tx, user.id, identityOf(login));
  await confirmEmail(tx, user.id);
  return enter(tx, user.id, login, 'identity_linked');
}

/** Everything by which somebody else could still come in, and everything they wrote. */
async function evict(tx: Transaction, userId: string): Promise<void> {
  await removeUnverified(tx, userId);
  await tx.query("update auth.users set phone = null, raw_user_meta_data = '{}', updated_at = now() where id = $1", [
    userId,
  ]);
  await tx.query('delete from auth.identities where user_id = $1', [userId]);
  await forgetFlows(tx, userId);
}

async function releaseAddress(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    `update auth.users set email = null, updated_at = now(),
       raw_user_meta_data = raw_user_meta_data - 'email' where id = $1`,
    [userId],
  );
  await tx.query("delete from auth.identities where user_id = $1 and provider = 'email'", [userId]);
  await refreshProviders(tx, userId);
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId]);
}

async function makeAccount(tx: Transaction, login: ProviderLogin, house: LinkingContext): Promise<Decision> {
  const { email, emailVerified, claims } = login.profile;
  if (!house.signUps) return refused(errors.signUpDisabled());
  const emailConfirmed = emailVerified || !house.confirmations;
  const made = await createAccount(tx, {
    email,
    phone: null,
    passwordHash: null,
    userMetadata: claims,
    emailConfirmed,
    phoneConfirmed: false,
    identities: [identityOf(login)],
  });
  // The address is somebody's already. Said in the words of a new account, so that nobody learns whose mail we know.
  if (!made) return refused(errors.unverifiedProviderEmail(login.provider));
  if (emailConfirmed) return enter(tx, made.id, login, 'user_signedup');
  return { kind: 'refused', error: errors.unverifiedProviderEmail(login.provider), actor: made.id, mailTo: made };
}

async function enter(
  tx: Transaction,
  userId: string,
  { profile }: ProviderLogin,
  how: 'login' | 'identity_linked' | 'user_signedup',
): Promise<Decision> {
  await mergeClaims(tx, userId, profile.claims);
  return { kind: 'in', user: (await findUser(tx, userId))!, how };
}

/**
 * Gives an account another address that its provider has verified, without an e-mail sign-in of its own.
 * @returns false when somebody else has it
 */
export async function moveAddress(tx: Transaction, userId: string, email: string): Promise<boolean> {
  const { rows } = await tx.query(
    `update auth.users set email = $2, email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', $2::text, 'email_verified', true)
     where id = $1 and not exists (select from auth.users where email = $2 and not is_sso_user and id <> $1) returning id`,
    [userId, email],
  );
  return rows.length > 0;
}

import type { SupabaseProject } from '../../config/supabase-config.ts';
import { hasRow, type Transaction } from '../../database/database.ts';
import { type ApiError, errors } from '../errors.ts';
import type { ProviderLogin } from '../providers/provider.ts';
import { setUserColumns } from '../rows.ts';
import {
  addIdentity,
  confirmIdentifier,
  createAccount,
  findIdentityOwner,
  mergeClaims,
  recordSignIn,
  refreshProviders,
} from '../users/account.ts';
import { findUser, findUserByEmail, type UserRow } from '../users/user.ts';
import { removeUnverifiedCredentials } from './competing-sign-ups.ts';

type AuthSettings = SupabaseProject['auth'];

type Way = 'login' | 'identity_linked' | 'user_signedup';

type LoginDecision =
  | { kind: 'signed in'; user: UserRow; how: Way }
  | { kind: 'refused'; error: ApiError; actor: string | null; unconfirmedUser: UserRow | null };

function refused(error: ApiError, actor: string | null = null, unconfirmedUser: UserRow | null = null): LoginDecision {
  return { kind: 'refused', error, actor, unconfirmedUser };
}

/**
 * Links an identity to an existing account only when both sides verified the address. An unverified account with that
 * address is handed to the verified owner after all credentials of its creator are removed.
 */
export async function resolveAccount(tx: Transaction, login: ProviderLogin, auth: AuthSettings) {
  const { email, emailVerified } = login.profile;
  await lockLogin(tx, login);
  const ownerId = await findIdentityOwner(tx, identityOf(login));
  if (ownerId) return signInExisting(tx, ownerId, login, auth);
  if (!email) return refused(errors.noProviderEmail());
  const confirmed = emailVerified ? await confirmedAccounts(tx, email) : [];
  if (confirmed.length > 1) return refused(errors.severalAccounts(login.provider));
  if (confirmed[0]) return linkToExisting(tx, confirmed[0], login);
  const found = emailVerified ? await findUserByEmail(tx, email) : null;
  const unverified = found && (await lockUser(tx, found.id));
  if (unverified?.email_confirmed_at) return linkToExisting(tx, unverified.id, login);
  if (unverified && !unverified.phone_confirmed_at) return transferAccount(tx, unverified, login);
  // The account has a verified phone number but an unverified address: it keeps the account and loses the address.
  if (unverified) await releaseAddress(tx, unverified.id);
  return createNew(tx, login, auth);
}

export async function linkIdentity(tx: Transaction, userId: string, login: ProviderLogin): Promise<LoginDecision> {
  const { email, emailVerified, claims } = login.profile;
  await lockLogin(tx, login);
  const user = await lockUser(tx, userId);
  if (!user) return refused(errors.userOfTokenGone());
  if (user.is_banned) return refused(errors.banned(403), user.id);
  if (user.is_sso_user) return refused(errors.managedElsewhere(), user.id);
  const ownerId = await findIdentityOwner(tx, identityOf(login));
  if (ownerId) return refused(errors.identityExists(ownerId === user.id), user.id);
  if (!user.email && email && emailVerified && !(await setVerifiedEmail(tx, user.id, email)))
    return refused(errors.emailExists(), user.id);
  if (!(await addIdentity(tx, user.id, identityOf(login)))) return refused(errors.identityExists(false), user.id);
  // Values set by the user win over the provider's claims.
  await mergeClaims(tx, user.id, { ...claims, ...user.raw_user_meta_data });
  await setUserColumns(tx, user.id, { is_anonymous: false });
  return { kind: 'signed in', user: (await findUser(tx, user.id))!, how: 'identity_linked' };
}

/** Serializes concurrent logins with the same identity or address, so that each sees the previous result. */
async function lockLogin(tx: Transaction, { provider, profile }: ProviderLogin): Promise<void> {
  const text = 'select pg_advisory_xact_lock(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))';
  await tx.query(text, [`identity ${provider} ${profile.id}`, `address ${profile.email ?? profile.id}`]);
}

const identityOf = ({ provider, profile: { id, claims } }: ProviderLogin) => ({
  provider,
  providerId: id,
  data: claims,
});

/** Accounts with the address confirmed by us or a provider. SSO accounts are never linked. */
async function confirmedAccounts(tx: Transaction, email: string): Promise<string[]> {
  const text = `select u.id from auth.users u
     where not u.is_sso_user and u.deleted_at is null and u.email_confirmed_at is not null and (u.email = $1 or exists (
       select from auth.identities i where i.user_id = u.id and i.email = $1 and i.provider not in ('email', 'phone')
         and i.provider not like 'sso:%' and i.identity_data -> 'email_verified' = 'true'))
     limit 2`;
  const { rows } = await tx.query<{ id: string }>(text, [email]);
  return rows.map(({ id }) => id);
}

async function lockUser(tx: Transaction, userId: string): Promise<UserRow | null> {
  await tx.query('select from auth.users where id = $1 for update', [userId]);
  const user = await findUser(tx, userId);
  return user?.deleted_at ? null : user;
}

async function signInExisting(tx: Transaction, userId: string, login: ProviderLogin, auth: AuthSettings) {
  const { profile, provider } = login;
  const user = await lockUser(tx, userId);
  if (!user || user.is_banned) return refused(errors.banned(403), userId);
  if (user.email && !user.email_confirmed_at && !user.phone_confirmed_at) {
    const isProven = profile.emailVerified || (!auth.email.enable_confirmations && profile.email === user.email);
    if (!isProven) return refused(errors.unverifiedProviderEmail(provider), userId, user);
    if (!(await setVerifiedEmail(tx, userId, profile.email!))) return refused(errors.emailExists(), userId);
    await removeCredentials(tx, userId);
    await addIdentity(tx, userId, identityOf(login));
  }
  await recordSignIn(tx, identityOf(login));
  return signedIn(tx, userId, login, 'login');
}

async function linkToExisting(tx: Transaction, userId: string, login: ProviderLogin): Promise<LoginDecision> {
  const user = await lockUser(tx, userId);
  if (!user || user.is_banned) return refused(errors.banned(403), userId);
  if (!(await addIdentity(tx, userId, identityOf(login)))) return refused(errors.identityExists(false), userId);
  return signedIn(tx, userId, login, 'identity_linked');
}

async function transferAccount(tx: Transaction, user: UserRow, login: ProviderLogin): Promise<LoginDecision> {
  if (user.is_banned) return refused(errors.banned(403), user.id);
  await removeCredentials(tx, user.id);
  await addIdentity(tx, user.id, identityOf(login));
  await confirmIdentifier(tx, user.id, 'email');
  return signedIn(tx, user.id, login, 'identity_linked');
}

/** Security: removes every credential and all data of the person who created the unverified account. */
async function removeCredentials(tx: Transaction, userId: string): Promise<void> {
  await removeUnverifiedCredentials(tx, userId);
  await setUserColumns(tx, userId, { phone: null, raw_user_meta_data: {} });
  await tx.query('delete from auth.identities where user_id = $1', [userId]);
}

async function releaseAddress(tx: Transaction, userId: string): Promise<void> {
  await clearAddress(tx, userId);
  await tx.query("delete from auth.identities where user_id = $1 and provider = 'email'", [userId]);
  await refreshProviders(tx, userId);
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId]);
}

export async function clearAddress(tx: Transaction, userId: string): Promise<void> {
  const text = `update auth.users set email = null, email_confirmed_at = null, updated_at = now(),
       raw_user_meta_data = raw_user_meta_data - 'email' where id = $1`;
  await tx.query(text, [userId]);
}

async function createNew(tx: Transaction, login: ProviderLogin, auth: AuthSettings): Promise<LoginDecision> {
  const { email, emailVerified, claims } = login.profile;
  if (!auth.enable_signup) return refused(errors.signUpDisabled());
  const emailConfirmed = emailVerified || !auth.email.enable_confirmations;
  const identities = [identityOf(login)];
  const created = await createAccount(tx, { email, userMetadata: claims, emailConfirmed, identities });
  // The address is taken. Same error as for a new account, so that existing addresses cannot be enumerated.
  const unverified = errors.unverifiedProviderEmail(login.provider);
  if (!created) return refused(unverified);
  return emailConfirmed ? signedIn(tx, created.id, login, 'user_signedup') : refused(unverified, created.id, created);
}

async function signedIn(tx: Transaction, userId: string, { profile }: ProviderLogin, how: Way): Promise<LoginDecision> {
  await mergeClaims(tx, userId, profile.claims);
  return { kind: 'signed in', user: (await findUser(tx, userId))!, how };
}

/** Sets an address verified by a provider. @returns false when another account has it */
export function setVerifiedEmail(tx: Transaction, userId: string, email: string): Promise<boolean> {
  const text = `update auth.users set email = $2, email_confirmed_at = coalesce(email_confirmed_at, now()),
       updated_at = now(), raw_user_meta_data =
         coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', $2::text, 'email_verified', true)
     where id = $1 and not exists (select from auth.users where email = $2 and not is_sso_user and id <> $1) returning id`;
  return hasRow(tx, text, [userId, email]);
}

import { hash } from 'node:crypto';
import * as z from 'zod';
import { durationMs } from '../../config/supabase-config.ts';
import { databaseTime } from '../../database/clock.ts';
import type { Connection, Transaction } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { record } from '../audit.ts';
import { emailAddress, metadata, optional, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { friendlyName, removeFactor } from '../factors/enroll-factor.ts';
import { factorOfPath } from '../factors/lock-session.ts';
import { phoneNumber } from '../links/phone.ts';
import { kindOfHash } from '../password/hash.ts';
import { requireStrong } from '../password/policy.ts';
import { NIL_UUID, setUserColumns } from '../rows.ts';
import { changeIdentifier, confirmIdentifier, createAccount, mergeMetadata, setPassword } from '../users/account.ts';
import {
  findUser,
  findUserByEmail,
  findUserByPhone,
  listUsers,
  lockUser,
  showFactor,
  showUser,
  type UserRow,
} from '../users/user.ts';
import { pageHeaders, pageOf } from './paging.ts';

const AccountFields = z.object({
  ...texts('email', 'phone', 'password', 'password_hash', 'ban_duration', 'role', 'aud'),
  id: optional(z.guid()),
  email_confirm: optional(z.boolean()),
  phone_confirm: optional(z.boolean()),
  user_metadata: metadata,
  app_metadata: metadata,
});

type Account = Awaited<ReturnType<typeof parseAccount>>;

/** Validates and hashes without writing. @param knownEmail the password must not equal it. @throws ApiError 400, 422 */
async function parseAccount(c: AuthRequest, fields: z.output<typeof AccountFields>, knownEmail: string | null) {
  // The role in a token becomes a database role; only regular users may be created.
  if ((fields.role && fields.role !== 'authenticated') || (fields.aud && fields.aud !== 'authenticated'))
    throw errors.invalid('role and aud can only be authenticated');
  if (fields.id === NIL_UUID) throw errors.invalid('id cannot be the nil UUID');
  if (fields.password && fields.password_hash)
    throw errors.invalid('Only a password or a password hash should be provided');
  const email = fields.email ? emailAddress(fields.email) : null;
  const { passwords, project } = c.var.identity;
  // Verifiable at a cost that one sign-in can afford.
  if (fields.password_hash && !kindOfHash(fields.password_hash))
    throw errors.invalid('password_hash must be an argon2 or bcrypt hash of usual cost');
  if (fields.password) requireStrong(fields.password, project.auth, email ?? knownEmail);
  return {
    id: fields.id ?? undefined,
    email,
    emailConfirm: fields.email_confirm ?? false,
    phone: fields.phone ? phoneNumber(fields.phone) : null,
    phoneConfirm: fields.phone_confirm ?? false,
    userMetadata: fields.user_metadata,
    appMetadata: withoutProviders(fields.app_metadata),
    ban: fields.ban_duration ? { until: bannedUntil(fields.ban_duration) } : null,
    passwordHash: fields.password ? await passwords.hash(fields.password) : fields.password_hash || null,
  };
}

// The list of providers is derived from the identities.
function withoutProviders(metadata: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!metadata) return null;
  const { provider: _, providers: __, ...rest } = metadata;
  return rest;
}

const MAX_BAN_MS = 100 * 365 * 24 * 3_600_000;

/** @returns null for `none`, which lifts a ban. @throws ApiError 400 for a malformed duration */
function bannedUntil(duration: string): Date | null {
  if (duration === 'none') return null;
  const ms = duration.length > 64 ? null : durationMs(duration);
  if (ms === null) throw errors.invalid('invalid format for ban duration: must be a duration such as 24h, or none');
  return new Date(databaseTime() + Math.min(ms, MAX_BAN_MS));
}

/** The user in `/admin/users/{id}`. @throws ApiError 404, also for the shared guest account, which must not change */
export async function userOfPath(db: Connection, c: AuthRequest, mayBeDeleted = false): Promise<UserRow> {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw errors.notUuid('user_id');
  const user = await findUser(db, id);
  const isHidden = user?.raw_app_meta_data?.['provider'] === 'none' || (user?.deleted_at && !mayBeDeleted);
  if (!user || isHidden) throw errors.userNotFound();
  return user;
}

export async function adminListUsers(c: AuthRequest) {
  const { db, issuer } = c.var.identity;
  const page = pageOf(c);
  const filter = (c.req.query('filter') ?? '').trim().slice(0, 255);
  const { users, total } = await listUsers(db, { ...page, filter });
  const body = { users: users.map(showUser), aud: 'authenticated' };
  return c.json(body, 200, pageHeaders(`${issuer}/admin/users`, page, total));
}

export const adminShowUser = async (c: AuthRequest) => c.json(showUser(await userOfPath(c.var.identity.db, c, true)));

/** `POST /admin/users`: sends no e-mail; without `email_confirm` the address stays unconfirmed. */
export async function adminCreateUser(c: AuthRequest) {
  const fields = await readBody(c, AccountFields);
  if (!fields.email && !fields.phone) throw errors.invalid('Cannot create a user without either an email or phone');
  const account = await parseAccount(c, fields, null);
  const user = await c.var.identity.db.transaction(async (tx) => {
    const created = await createAccount(tx, {
      ...account,
      userMetadata: account.userMetadata ?? {},
      appMetadata: account.appMetadata ?? {},
      byAdmin: true,
      emailConfirmed: account.email !== null && account.emailConfirm,
      phoneConfirmed: account.phone !== null && account.phoneConfirm,
      bannedUntil: account.ban?.until ?? null,
    });
    if (!created) throw await conflictError(tx, account);
    await record(tx, c, { action: 'user_created', object: created.id });
    return created;
  });
  return c.json(showUser(user));
}

async function conflictError(tx: Connection, { email, phone }: { email: string | null; phone: string | null }) {
  if (email && (await findUserByEmail(tx, email))) return errors.emailExists();
  if (phone && (await findUserByPhone(tx, phone))) return errors.phoneExists();
  return errors.alreadyRegistered();
}

/** `PUT /admin/users/{id}`: applies immediately without confirmation e-mails; metadata is merged. */
export async function adminUpdateUser(c: AuthRequest) {
  const { db } = c.var.identity;
  const { email } = await userOfPath(db, c);
  const account = await parseAccount(c, await readBody(c, AccountFields), email);
  const user = await db.transaction(async (tx) => {
    const current = await userOfPath(tx, c);
    const changes = await apply(tx, current, account);
    await record(tx, c, { action: 'user_modified', object: current.id, reason: changes.join(' ') });
    return findUser(tx, current.id);
  });
  if (!user) throw errors.userNotFound();
  return c.json(showUser(user));
}

async function apply(tx: Transaction, user: UserRow, account: Account): Promise<string[]> {
  const { id } = user;
  const changes = {
    email: account.email !== null && account.email !== user.email,
    phone: account.phone !== null && account.phone !== user.phone,
    email_confirm: account.emailConfirm && Boolean(account.email ?? user.email),
    phone_confirm: account.phoneConfirm && Boolean(account.phone ?? user.phone),
    password: account.passwordHash !== null,
    user_metadata: account.userMetadata !== null,
    app_metadata: account.appMetadata !== null,
    [account.ban?.until ? 'ban' : 'unban']: account.ban !== null,
  };
  // Lock order: tokens before the user, as when redeeming.
  if (account.passwordHash) await setPassword(tx, id, account.passwordHash, null);
  if (changes.email) await changeIdentifier(tx, id, 'email', account.email!);
  if (changes.phone) await changeIdentifier(tx, id, 'phone', account.phone!);
  if (changes.email_confirm) await confirmIdentifier(tx, id, 'email');
  if (changes.phone_confirm) await confirmIdentifier(tx, id, 'phone');
  if (account.userMetadata) await mergeMetadata(tx, id, 'raw_user_meta_data', account.userMetadata);
  if (account.appMetadata) await mergeMetadata(tx, id, 'raw_app_meta_data', account.appMetadata);
  if (account.ban) await setUserColumns(tx, id, { banned_until: account.ban.until });
  if (account.ban?.until) await tx.query('delete from auth.sessions where user_id = $1', [id]);
  return Object.entries(changes).flatMap(([name, isChanged]) => (isChanged ? [name] : []));
}

const DeleteBody = z.object({ should_soft_delete: optional(z.boolean()) });

/** `DELETE /admin/users/{id}`: deletes the row, or with `should_soft_delete` keeps it without personal data. */
export async function adminDeleteUser(c: AuthRequest) {
  const { should_soft_delete: isSoft } = await readBody(c, DeleteBody, { mayBeEmpty: true });
  await c.var.identity.db.transaction(async (tx) => {
    const user = await userOfPath(tx, c, !isSoft);
    if (isSoft) await anonymize(tx, user);
    else await tx.query('delete from auth.users where id = $1', [user.id]);
    await record(tx, c, { action: 'user_deleted', object: user.id, reason: isSoft ? 'soft' : 'hard' });
  });
  return c.json({});
}

async function anonymize(tx: Transaction, user: UserRow): Promise<void> {
  const placeholder = hash('sha256', `${user.id}${user.email ?? ''}`, 'base64url');
  const deleteFrom = (table: string) => tx.query(`delete from auth.${table} where user_id = $1`, [user.id]);
  // Lock order: tokens and flows before the user, as when redeeming.
  for (const table of ['one_time_tokens', 'flow_state']) await deleteFrom(table);
  const text = `update auth.users set deleted_at = now(), updated_at = now(), email = $2, phone = null,
       encrypted_password = null, email_change = '', phone_change = '', raw_user_meta_data = '{}',
       raw_app_meta_data = '{}' where id = $1`;
  await tx.query(text, [user.id, placeholder]);
  for (const table of ['sessions', 'identities', 'mfa_factors', 'recovery_codes']) await deleteFrom(table);
}

export async function adminListFactors(c: AuthRequest) {
  const { factors } = await userOfPath(c.var.identity.db, c);
  return c.json(factors.map(showFactor));
}

async function lockFactor(tx: Transaction, c: AuthRequest) {
  const user = await lockUser(tx, (await userOfPath(tx, c)).id);
  if (!user) throw errors.userNotFound();
  return { user, factor: factorOfPath(user, c, 'fid') };
}

const FactorBody = z.object({ friendly_name: friendlyName, phone: optional(z.string()) });

export async function adminUpdateFactor(c: AuthRequest) {
  const { friendly_name: name, phone: number } = await readBody(c, FactorBody);
  const phone = number ? phoneNumber(number) : null;
  const changed = await c.var.identity.db.transaction(async (tx) => {
    const { user, factor } = await lockFactor(tx, c);
    const others = user.factors.filter(({ id }) => id !== factor.id);
    if (phone && factor.factor_type !== 'phone') throw errors.invalid('Only a phone factor has a number');
    if (name && others.some((other) => other.friendly_name === name)) throw errors.factorNameTaken(name);
    if (phone && others.some((other) => other.phone === phone)) throw errors.phoneFactorExists();
    const text = `update auth.mfa_factors set friendly_name = coalesce($2, friendly_name), phone = coalesce($3, phone),
       updated_at = now() where id = $1`;
    await tx.query(text, [factor.id, name || null, phone]);
    await record(tx, c, { action: 'factor_changed', object: user.id, reason: factor.factor_type });
    return (await findUser(tx, user.id))!.factors.find(({ id }) => id === factor.id)!;
  });
  return c.json(showFactor(changed));
}

export async function adminDeleteFactor(c: AuthRequest) {
  const factor = await c.var.identity.db.transaction(async (tx) => {
    const { user, factor: removed } = await lockFactor(tx, c);
    await removeFactor(tx, user.id, removed.id);
    await record(tx, c, { action: 'factor_removed', object: user.id, reason: removed.factor_type });
    return removed;
  });
  return c.json(showFactor(factor));
}

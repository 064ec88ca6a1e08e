import type { Context } from 'hono';
import * as z from 'zod';
import { databaseTime } from '../../database/clock.ts';
import { emailAddress, metadata, optional } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { phoneNumber } from '../links/phone.ts';
import { kindOfHash } from '../password/hash.ts';
import { requireStrong } from '../password/policy.ts';

export const AccountFields = z.object({
  id: optional(z.guid()),
  email: optional(z.string()),
  phone: optional(z.string()),
  password: optional(z.string()),
  password_hash: optional(z.string()),
  email_confirm: optional(z.boolean()),
  phone_confirm: optional(z.boolean()),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: optional(z.string()),
  role: optional(z.string()),
  aud: optional(z.string()),
});

export type Fields = z.output<typeof AccountFields>;

const NIL = '00000000-0000-0000-0000-000000000000';

export interface Account {
  id: string | undefined;
  email: string | null;
  phone: string | null;
  passwordHash: string | null;
  emailConfirm: boolean;
  phoneConfirm: boolean;
  userMetadata: Record<string, unknown> | null;
  appMetadata: Record<string, unknown> | null;
  ban: { until: Date | null } | null;
}

/**
 * Validates the fields and hashes the password, without writing anything.
 * @param knownEmail the account's current address, which the password must not equal
 * @throws ApiError 400 or 422 for the first invalid field
 */
export async function parseAccount(c: Context<Env>, fields: Fields, knownEmail: string | null): Promise<Account> {
  // The role in a token becomes a database role; only regular users may be created.
  if ((fields.role && fields.role !== 'authenticated') || (fields.aud && fields.aud !== 'authenticated'))
    throw errors.invalid('role and aud can only be authenticated');
  if (fields.id === NIL) throw errors.invalid('id cannot be the nil UUID');
  if (fields.password && fields.password_hash)
    throw errors.invalid('Only a password or a password hash should be provided');
  const email = fields.email ? emailAddress(fields.email) : null;
  const phone = fields.phone ? phoneNumber(fields.phone) : null;
  const ban = fields.ban_duration ? { until: bannedUntil(fields.ban_duration) } : null;
  const { passwords, project } = c.var.identity;
  let passwordHash = fields.password_hash ? requireSupportedHash(fields.password_hash) : null;
  if (fields.password) {
    requireStrong(fields.password, project.auth, email ?? knownEmail);
    passwordHash = await passwords.hash(fields.password);
  }
  return {
    id: fields.id ?? undefined,
    email,
    phone,
    passwordHash,
    emailConfirm: fields.email_confirm ?? false,
    phoneConfirm: fields.phone_confirm ?? false,
    userMetadata: fields.user_metadata,
    appMetadata: withoutProviders(fields.app_metadata),
    ban,
  };
}

// The list of providers is derived from the identities.
function withoutProviders(metadata: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!metadata) return null;
  const { provider: _, providers: __, ...rest } = metadata;
  return rest;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_MS = 100 * 365 * 24 * UNIT_MS['h']!;

/** Parses a Go duration such as `24h` or `1h30m`. @returns null for `none`, which lifts a ban. @throws ApiError 400 */
export function bannedUntil(duration: string): Date | null {
  if (duration === 'none') return null;
  if (duration.length > 64 || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(duration))
    throw errors.invalid('invalid format for ban duration: must be a duration such as 24h, or none');
  const parts = duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  const ms = parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNIT_MS[unit!]!, 0);
  return new Date(databaseTime() + Math.min(ms, MAX_MS));
}

// An imported hash must be verifiable at a cost that one sign-in can afford.
function requireSupportedHash(hash: string): string {
  if (!kindOfHash(hash)) throw errors.invalid('password_hash must be an argon2 or bcrypt hash of usual cost');
  return hash;
}

import type { Context } from 'hono';
import * as z from 'zod';
import { houseTime } from '../../clock.ts';
import { emailAddress, metadata, optional } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { phoneNumber } from '../links/phone.ts';
import { kindOfHash } from '../password/hash.ts';
import { requireStrong } from '../password/policy.ts';

/** What a holder of the service key may say about an account. */
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

/** The fields, each in the form in which it is stored; null for what was not given. */
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
 * Checks the fields before anything is written.
 * @param knownEmail the account's address, if it has one: its password may not be that
 * @throws ApiError 400 or 422 for the first that does not hold
 */
export async function accountOf(c: Context<Env>, fields: Fields, knownEmail: string | null): Promise<Account> {
  // The role in a token is a role of the database; no accounts but those of people exist.
  if ((fields.role && fields.role !== 'authenticated') || (fields.aud && fields.aud !== 'authenticated'))
    throw errors.invalid('role and aud can only be authenticated');
  if (fields.id === NIL) throw errors.invalid('id cannot be the nil UUID');
  if (fields.password && fields.password_hash)
    throw errors.invalid('Only a password or a password hash should be provided');
  const email = fields.email ? emailAddress(fields.email) : null;
  const phone = fields.phone ? phoneNumber(fields.phone) : null;
  const ban = fields.ban_duration ? { until: bannedUntil(fields.ban_duration) } : null;
  const { passwords, project } = c.var.identity;
  let passwordHash = fields.password_hash ? requireKnownHash(fields.password_hash) : null;
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

/** Which ways in an account has follows from its identities. */
function withoutProviders(metadata: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!metadata) return null;
  const { provider: _, providers: __, ...rest } = metadata;
  return rest;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_MS = 100 * 365 * 24 * UNIT_MS['h']!;

/** A Go duration such as `24h` or `1h30m`; `none` lifts a ban. @returns null for no ban */
export function bannedUntil(duration: string): Date | null {
  if (duration === 'none') return null;
  if (duration.length > 64 || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(duration))
    throw errors.invalid('invalid format for ban duration: must be a duration such as 24h, or none');
  const parts = duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  const ms = parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNIT_MS[unit!]!, 0);
  return new Date(houseTime() + Math.min(ms, MAX_MS));
}

/** A hash made elsewhere must be one that we can check, at a cost that one sign-in can afford. */
function requireKnownHash(hash: string): string {
  if (!kindOfHash(hash)) throw errors.invalid('password_hash must be an argon2 or bcrypt hash of usual cost');
  return hash;
}

import * as z from 'zod';
import { metadata, optional } from '../body.ts';
import { errors } from '../errors.ts';

/** What a holder of the service key may say about an account. */
export const AccountFields = z.object({
  id: optional(z.uuid()),
  email: optional(z.string()),
  phone: optional(z.string()),
  password: optional(z.string()),
  password_hash: optional(z.string()),
  email_confirm: optional(z.boolean()),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: optional(z.string()),
  role: optional(z.string()),
  aud: optional(z.string()),
});

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const MAX_MS = 100 * 365 * 24 * UNIT_MS['h']!;

/** A Go duration such as `24h` or `1h30m`; `none` lifts a ban. @returns null for no ban */
export function bannedUntil(duration: string): Date | null {
  if (duration === 'none') return null;
  if (duration.length > 64 || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(duration))
    throw errors.invalid('invalid format for ban duration: must be a duration such as 24h, or none');
  const parts = duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  const ms = parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNIT_MS[unit!]!, 0);
  return new Date(Date.now() + Math.min(ms, MAX_MS));
}

/** The role in a token is a role of the database; no account but those of people exists. */
export function requirePersonsRole({ role, aud }: { role: string | null; aud: string | null }): void {
  if ((role && role !== 'authenticated') || (aud && aud !== 'authenticated'))
    throw errors.invalid('role and aud can only be authenticated');
}

/** A hash made elsewhere must be one that we can check. */
export function requireKnownHash(hash: string): string {
  if (hash.length > 255 || !/^\$argon2id\$v=19\$m=\d{1,6},t=\d{1,2},p=\d\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(hash))
    throw errors.invalid('password_hash must be an argon2id hash');
  return hash;
}

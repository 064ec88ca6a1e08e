import * as z from 'zod';
import { emailAddress } from '../../auth/body.ts';
import { ApiError } from '../../auth/errors.ts';
import { kindOfHash } from '../../auth/password/hash.ts';
import { jsonDepth } from '../../http/limits.ts';
import type { AccountRow, AccountTableName } from './accounts-database.ts';

type SourceRow = { row: AccountRow; place: string };

export type SourceRows = Record<AccountTableName, SourceRow[]>;

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX_DEPTH = 32;

const isTimestamp = (text: string) => /^-?infinity$/.test(text) || !Number.isNaN(Date.parse(text));
const timestampText = z.string().refine(isTimestamp, 'is not a valid timestamp');
const timestamp = z.nullish(timestampText).transform((value) => value ?? null);
const timestampOrNow = timestamp.transform((value) => value ?? new Date().toISOString());
const booleanFlag = z
  .nullish(z.union([z.boolean(), z.enum(['t', 'f', 'true', 'false'])]))
  .transform((value) => value === true || value === 't' || value === 'true');
const optionalText = (length: number) => z.nullish(z.string().max(length)).transform((value) => value || null);
const jsonObject = z
  .nullish(z.record(z.string(), z.unknown()))
  .transform((value) => value ?? {})
  .refine((value) => jsonDepth(JSON.stringify(value)) <= MAX_DEPTH, `is nested deeper than ${MAX_DEPTH} levels`);
const email = optionalText(255).transform((value, context) => {
  try {
    return value && (/^[\w-]{43}$/.test(value) ? value : emailAddress(value)); // A soft deletion leaves a hash.
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
const phone = optionalText(32)
  .transform((value) => value?.replace(/^\+/, '') ?? null)
  .refine((value) => value === null || /^([1-9]\d{4,14}|[\w-]{15})$/.test(value), 'is not a phone number');

const User = z.object({
  id: z.guid().refine((id) => id !== NIL, 'is the nil UUID'),
  email,
  phone,
  encrypted_password: optionalText(255),
  email_confirmed_at: timestamp,
  phone_confirmed_at: timestamp,
  invited_at: timestamp,
  confirmation_sent_at: timestamp,
  recovery_sent_at: timestamp,
  last_sign_in_at: timestamp,
  raw_app_meta_data: jsonObject,
  raw_user_meta_data: jsonObject,
  created_at: timestampOrNow,
  updated_at: timestampOrNow,
  banned_until: timestamp,
  deleted_at: timestamp,
  is_sso_user: booleanFlag,
  is_anonymous: booleanFlag,
  // The database role in tokens is never imported.
  aud: z.optional(z.unknown()).transform(() => 'authenticated'),
  role: z.optional(z.unknown()).transform(() => 'authenticated'),
  instance_id: z.optional(z.unknown()).transform(() => NIL),
});

const Identity = z.object({
  id: z.guid(),
  user_id: z.guid(),
  provider: z.string().min(1).max(255),
  provider_id: z.string().min(1).max(1024),
  identity_data: jsonObject,
  last_sign_in_at: timestamp,
  created_at: timestampOrNow,
  updated_at: timestampOrNow,
});

const Factor = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    friendly_name: optionalText(255),
    factor_type: z.enum(['totp', 'phone'], 'is of a type this server does not offer'),
    status: z.enum(['unverified', 'verified']),
    phone,
    secret: optionalText(255),
    created_at: timestampOrNow,
    updated_at: timestampOrNow,
    last_challenged_at: timestamp,
  })
  .refine((factor) => factor.factor_type !== 'totp' || /^[A-Z2-7]{16,128}=*$/i.test(factor.secret ?? ''), {
    path: ['secret'],
    message: 'is not plain base32',
  });

export type Accounts = ReturnType<typeof checkRows>['accounts'];
export function checkRows(rows: SourceRows) {
  const problems: string[] = [];
  // The accounts could be loaded without these.
  const invalidFactors: string[] = [];
  const accounts = {
    users: parseRows(rows.users, User, problems),
    identities: parseRows(rows.identities, Identity, problems),
    factors: parseRows(rows.mfa_factors, Factor, invalidFactors),
  };
  const { users, identities, factors } = accounts;
  const localUsers = users.filter((user) => !user.is_sso_user);
  findDuplicates(users, (user) => user.id, 'the id', problems);
  findDuplicates(localUsers, (user) => user.email, 'the address', problems);
  findDuplicates(users, (user) => user.phone, 'the number', problems);
  findDuplicates(identities, ({ id }) => id, 'the id', problems);
  findDuplicates(identities, ({ provider, provider_id }) => `${provider_id} at ${provider}`, 'the identity', problems);
  findDuplicates(factors, ({ id }) => id, 'the id', problems);
  // An invalid user is reported once, not for every row that belongs to it.
  const userIds = new Set(rows.users.map(({ row }) => row['id']));
  for (const { user_id, place } of [...identities, ...factors])
    if (!userIds.has(user_id)) problems.push(`${place}: its user ${user_id} is not in the archive`);
  const withUnknownHash = users.filter(
    ({ encrypted_password: hash, deleted_at }) => hash !== null && deleted_at === null && !kindOfHash(hash),
  );
  const unknownHashes = withUnknownHash.map((user) => user.email ?? user.phone ?? user.id);
  return { accounts, problems, invalidFactors, unknownHashes };
}

function parseRows<Shape extends z.ZodType<object>>(found: SourceRow[], shape: Shape, problems: string[]) {
  const valid: (z.output<Shape> & { place: string })[] = [];
  for (const { row, place } of found) {
    const result = shape.safeParse(row);
    if (result.success) valid.push({ ...result.data, place });
    else for (const issue of result.error.issues) problems.push(`${place}: ${issue.path.join('.')} ${issue.message}`);
  }
  return valid;
}

function findDuplicates<Item extends { place: string }>(
  items: Item[],
  keyOf: (item: Item) => string | null,
  label: string,
  problems: string[],
): void {
  const firstPlaces = new Map<string, string>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const first = firstPlaces.get(key);
    if (first) problems.push(`${item.place}: ${label} ${key} is also in ${first}`);
    else firstPlaces.set(key, item.place);
  }
}

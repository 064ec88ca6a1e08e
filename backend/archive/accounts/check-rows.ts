import * as z from 'zod';
import { emailAddress } from '../../auth/body.ts';
import { ApiError } from '../../auth/errors.ts';
import { kindOfHash } from '../../auth/password/hash.ts';
import { jsonDepth } from '../../http/limits.ts';
import type { Row, TableName } from './tables.ts';

interface Found {
  row: Row;
  place: string;
}

export type Rows = Record<TableName, Found[]>;

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX_DEPTH = 32;

const time = z
  .nullish(
    z
      .string()
      .refine((text) => /^-?infinity$/.test(text) || !Number.isNaN(Date.parse(text)), 'is not a valid timestamp'),
  )
  .transform((value) => value ?? null);
const madeAt = time.transform((value) => value ?? new Date().toISOString());
const flag = z
  .nullish(z.union([z.boolean(), z.enum(['t', 'f', 'true', 'false'])]))
  .transform((value) => value === true || value === 't' || value === 'true');
const text = (length: number) => z.nullish(z.string().max(length)).transform((value) => value || null);
const data = z
  .nullish(z.record(z.string(), z.unknown()))
  .transform((value) => value ?? {})
  .refine((value) => jsonDepth(JSON.stringify(value)) <= MAX_DEPTH, `is nested deeper than ${MAX_DEPTH} levels`);
const email = text(255).transform((value, context) => {
  try {
    return value && emailAddress(value);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
const phone = text(32)
  .transform((value) => value?.replace(/^\+/, '') ?? null)
  .refine((value) => value === null || /^[1-9]\d{5,14}$/.test(value), 'is not a phone number');

const User = z.object({
  id: z.guid().refine((id) => id !== NIL, 'is the nil UUID'),
  email,
  phone,
  encrypted_password: text(255),
  email_confirmed_at: time,
  phone_confirmed_at: time,
  invited_at: time,
  confirmation_sent_at: time,
  recovery_sent_at: time,
  last_sign_in_at: time,
  raw_app_meta_data: data,
  raw_user_meta_data: data,
  created_at: madeAt,
  updated_at: madeAt,
  banned_until: time,
  deleted_at: time,
  is_sso_user: flag,
  is_anonymous: flag,
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
  identity_data: data,
  last_sign_in_at: time,
  created_at: madeAt,
  updated_at: madeAt,
});

const Factor = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    friendly_name: text(255),
    factor_type: z.enum(['totp', 'phone'], 'is of a type this server does not offer'),
    status: z.enum(['unverified', 'verified']),
    phone,
    secret: text(255),
    created_at: madeAt,
    updated_at: madeAt,
    last_challenged_at: time,
  })
  .refine((factor) => factor.factor_type !== 'totp' || /^[A-Z2-7]{16,128}=*$/i.test(factor.secret ?? ''), {
    path: ['secret'],
    message: 'is not plain base32',
  });

export interface Accounts {
  users: (z.output<typeof User> & { place: string })[];
  identities: (z.output<typeof Identity> & { place: string })[];
  factors: (z.output<typeof Factor> & { place: string })[];
}

export interface Checked {
  accounts: Accounts;
  problems: string[];
  /** Invalid second factors: the accounts could be loaded without them. */
  unfit: string[];
  unknownHashes: string[];
}

export function checkRows(rows: Rows): Checked {
  const problems: string[] = [];
  const unfit: string[] = [];
  const accounts: Accounts = {
    users: parsed(rows.users, User, problems),
    identities: parsed(rows.identities, Identity, problems),
    factors: parsed(rows.mfa_factors, Factor, unfit),
  };
  const { users, identities, factors } = accounts;
  const local = users.filter((user) => !user.is_sso_user);
  findTwins(users, (user) => user.id, 'the id', problems);
  findTwins(local, (user) => user.email, 'the address', problems);
  findTwins(users, (user) => user.phone, 'the number', problems);
  findTwins(identities, ({ id }) => id, 'the id', problems);
  findTwins(identities, ({ provider, provider_id }) => `${provider_id} at ${provider}`, 'the identity', problems);
  findTwins(factors, ({ id }) => id, 'the id', problems);
  // An invalid user is reported once, not for every row that belongs to it.
  const known = new Set(rows.users.map(({ row }) => row['id']));
  for (const { user_id, place } of [...identities, ...factors])
    if (!known.has(user_id)) problems.push(`${place}: its user ${user_id} is not in the archive`);
  const unknownHashes = users.filter(
    ({ encrypted_password: hash, deleted_at }) => hash !== null && deleted_at === null && !kindOfHash(hash),
  );
  return { accounts, problems, unfit, unknownHashes: unknownHashes.map((user) => user.email ?? user.phone ?? user.id) };
}

function parsed<Shape extends z.ZodType<object>>(found: Found[], shape: Shape, problems: string[]) {
  const good: (z.output<Shape> & { place: string })[] = [];
  for (const { row, place } of found) {
    const result = shape.safeParse(row);
    if (result.success) good.push({ ...result.data, place });
    else for (const issue of result.error.issues) problems.push(`${place}: ${issue.path.join('.')} ${issue.message}`);
  }
  return good;
}

function findTwins<Item extends { place: string }>(
  items: Item[],
  keyOf: (item: Item) => string | null,
  what: string,
  problems: string[],
): void {
  const seen = new Map<string, string>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const first = seen.get(key);
    if (first) problems.push(`${item.place}: ${what} ${key} is also in ${first}`);
    else seen.set(key, item.place);
  }
}

import type { Connection } from '../../database/database.ts';
import { emailAddress } from '../body.ts';
import { ApiError, errors } from '../errors.ts';
import { createAccount } from '../users/account.ts';
import { findUser, type UserRow } from '../users/user.ts';
import type { Assertion } from './read-response.ts';
import type { AttributeMapping, SsoProvider } from './sso-provider.ts';

export interface Person {
  id: string;
  email: string;
  data: Record<string, unknown>;
}

const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const EMAIL_NAMES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
];
const MAX_ID = 512;
const MAX_DATA_BYTES = 8 * 1024;
const STANDARD_CLAIMS = new Set(
  `name family_name given_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo
   locale full_name avatar_url user_name slug`.split(/\s+/),
);

/** @throws ApiError saml_assertion_no_user_id, saml_assertion_no_email */
export function personOf(assertion: Assertion, provider: SsoProvider): Person {
  const id = persistentId(assertion);
  if (!id || id.length > MAX_ID) throw errors.assertionWithoutUserId();
  const mapped = applyMapping(assertion, provider.attribute_mapping);
  const email = emailOf(mapped.get('email') ?? firstValue(assertion, EMAIL_NAMES));
  const standard = [...mapped].filter(([name]) => STANDARD_CLAIMS.has(name));
  const custom = [...mapped].filter(([name]) => !STANDARD_CLAIMS.has(name) && name !== 'email');
  const data = {
    ...Object.fromEntries(standard),
    ...(custom.length ? { custom_claims: Object.fromEntries(custom) } : {}),
    iss: provider.entity_id,
    sub: id,
    email,
    email_verified: true,
    phone_verified: false,
  };
  // Limited because all of it is part of every access token.
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES)
    throw errors.invalid('The SAML assertion has too much in mapped attributes');
  return { id, email, data };
}

function persistentId(assertion: Assertion): string | null {
  const subjectId = firstValue(assertion, [SUBJECT_ID]);
  if (subjectId) return subjectId;
  if (assertion.nameIdFormat === TRANSIENT) return null;
  return assertion.nameIdFormat === EMAIL_FORMAT ? (assertion.nameId?.toLowerCase() ?? null) : assertion.nameId;
}

function emailOf(text: unknown): string {
  if (typeof text !== 'string' || !text) throw errors.assertionWithoutEmail();
  try {
    return emailAddress(text);
  } catch (error) {
    throw error instanceof ApiError ? errors.assertionWithoutEmail() : error;
  }
}

function applyMapping(assertion: Assertion, mapping: AttributeMapping | null): Map<string, unknown> {
  const mapped = new Map<string, unknown>();
  for (const [key, attribute] of Object.entries(mapping?.keys ?? {})) {
    const names = attribute.name ? [attribute.name] : (attribute.names ?? []);
    const values = names.map((name) => valuesOf(assertion, name)).find((found) => found.length) ?? [];
    if (values.length) mapped.set(key, attribute.array ? values : values[0]);
    else if (attribute.default !== undefined && attribute.default !== null) mapped.set(key, attribute.default);
  }
  return mapped;
}

const valuesOf = ({ attributes }: Assertion, name: string): string[] =>
  attributes
    .filter((attribute) => attribute.name === name || attribute.friendlyName === name)
    .flatMap(({ values }) => values);

const firstValue = (assertion: Assertion, names: string[]): string | null =>
  names.flatMap((name) => valuesOf(assertion, name))[0] ?? null;

export const identityProviderOf = (provider: SsoProvider) => `sso:${provider.id}`;

/**
 * Finds or creates the account by the provider's user id. Security: never matched by e-mail address, because one
 * company's claim about an address must not open other accounts.
 * @throws ApiError when the account is banned or deleted, or sign-ups are closed
 */
export async function findOrCreateAccount(
  tx: Connection,
  provider: SsoProvider,
  person: Person,
  signUps: 'allowed' | 'refused',
): Promise<UserRow> {
  const name = identityProviderOf(provider);
  let user = await findByIdentity(tx, name, person.id);
  if (!user) {
    if (signUps === 'refused') throw errors.signUpDisabled();
    const created = await createAccount(tx, {
      email: person.email,
      userMetadata: {},
      emailConfirmed: true,
      isSsoUser: true,
      identities: [{ provider: name, providerId: person.id, data: person.data }],
    });
    user = created ?? (await findByIdentity(tx, name, person.id));
  }
  if (!user || user.deleted_at) throw errors.userNotFound();
  if (user.is_banned) throw errors.banned(403);
  await refresh(tx, name, user.id, person);
  return user;
}

async function findByIdentity(tx: Connection, provider: string, providerId: string): Promise<UserRow | null> {
  const { rows } = await tx.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider, providerId],
  );
  return rows[0] ? findUser(tx, rows[0].user_id) : null;
}

async function refresh(tx: Connection, provider: string, userId: string, person: Person): Promise<void> {
  await tx.query(
    `update auth.identities set identity_data = $3::jsonb, last_sign_in_at = now(), updated_at = now()
     where provider = $1 and provider_id = $2`,
    [provider, person.id, person.data],
  );
  await tx.query(
    `update auth.users set email = $2, email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $3::jsonb
     where id = $1`,
    [userId, person.email, person.data],
  );
}

import { emailAddressOrNull } from '../body.ts';

export type Profile = ReturnType<typeof parseProfile>;

export class BadProfile extends Error {
  override readonly name = 'BadProfile';
}

type ProviderClaims = { issuer: string; id: unknown } & Partial<
  Record<'email' | 'emailVerified' | 'name' | 'userName' | 'picture', unknown>
>;

const MAX_ID = 255;
const MAX_NAME = 200;
const MAX_ADDRESS = 1000;

/** Sanitizes provider data: untrusted text that ends up in tokens and on pages. @throws BadProfile for a bad id */
export function parseProfile(claims: ProviderClaims) {
  const id = text(claims.id, MAX_ID);
  if (!id || id !== claims.id) throw new BadProfile('the user id is not usable');
  const email = emailAddressOrNull(claims.email);
  // Some issuers send the boolean as a string.
  const emailVerified = email !== null && (claims.emailVerified === true || claims.emailVerified === 'true');
  const name = text(claims.name, MAX_NAME);
  const userName = text(claims.userName, MAX_NAME);
  const picture = webAddress(claims.picture);
  return {
    id,
    email,
    emailVerified,
    claims: {
      iss: claims.issuer,
      sub: id,
      provider_id: id,
      ...(name ? { name, full_name: name } : {}),
      ...(userName ? { preferred_username: userName, user_name: userName } : {}),
      ...(picture ? { picture, avatar_url: picture } : {}),
      ...(email ? { email } : {}),
      email_verified: emailVerified,
      phone_verified: false,
    },
  };
}

function text(value: unknown, limit: number): string | null {
  if (typeof value !== 'string' || !value.isWellFormed()) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a name.
  const plain = value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return plain.slice(0, limit).toWellFormed() || null;
}

function webAddress(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= MAX_ADDRESS ? URL.parse(value) : null;
  return url && /^https?:$/.test(url.protocol) && !url.username ? url.href : null;
}

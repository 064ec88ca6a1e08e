import { limits } from '../../config/config.ts';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { errors, type WeakReason } from '../errors.ts';
import { isCommonPassword } from './common-passwords.ts';

const MAX_BYTES = limits.passwordBytes.value;

type Policy = Pick<
  SupabaseProject['auth'],
  'minimum_password_length' | 'password_requirements' | 'reject_common_passwords'
>;

const [LOWER, UPPER, DIGITS] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
const REQUIRED: Record<Policy['password_requirements'], string[]> = {
  '': [],
  letters_digits: [LOWER + UPPER, DIGITS],
  lower_upper_letters_digits: [LOWER, UPPER, DIGITS],
  lower_upper_letters_digits_symbols: [LOWER, UPPER, DIGITS, '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'],
};

/**
 * @param email the account's address, which the password must not equal
 * @throws ApiError 422 weak_password with reasons, 400 when over 512 bytes
 */
export function requireStrong(password: string, policy: Policy, email: string | null): void {
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw errors.invalid(`Password cannot be longer than ${MAX_BYTES} bytes`);
  const reasons = weaknesses(password, policy, email);
  if (reasons.includes('length')) throw errors.weakPassword(tooShort(policy.minimum_password_length), reasons);
  if (reasons.includes('characters'))
    throw errors.weakPassword(
      `Password should contain at least one character of each: ${REQUIRED[policy.password_requirements].join(', ')}.`,
      reasons,
    );
  if (reasons.length)
    throw errors.weakPassword(
      'Password is known to be weak and easy to guess, please choose a different one.',
      reasons,
    );
}

export function weaknesses(password: string, policy: Policy, email: string | null): WeakReason[] {
  const reasons: WeakReason[] = [];
  if ([...password].length < policy.minimum_password_length) reasons.push('length');
  if (REQUIRED[policy.password_requirements].some((kind) => ![...password].some((letter) => kind.includes(letter))))
    reasons.push('characters');
  if (!policy.reject_common_passwords) return reasons;
  const lower = password.toLowerCase();
  if (isCommonPassword(lower) || (email !== null && (lower === email || lower === email.split('@')[0])))
    reasons.push('pwned');
  return reasons;
}

export const tooShort = (minimum: number) => `Password should be at least ${minimum} characters.`;

import { ApiError, messageOf } from '#lib/data/api-error.ts';
import { accounts, arrivalFailed, arrivalWords } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';

type IdentityError = Error & { code?: string; details?: { error: string; code: string } | null };

const WORDS: Record<string, string> = {
  email_exists: 'Another account has this email address already.',
  same_password: 'This is your current password. Choose another one.',
  current_password_invalid: 'Your current password is not right.',
  user_sso_managed: 'Your company manages this account. Ask its administrator.',
  insufficient_aal: 'First sign out, then sign in again with your second factor.',
  mfa_factor_name_conflict: 'You already have a second factor with this name. Choose another name.',
  too_many_enrolled_mfa_factors: 'You have the maximum number of second factors. Remove one first.',
  mfa_verified_factor_exists: 'This number is already one of your second factors.',
  mfa_factor_not_found: 'That took too long. Start again from here.',
  mfa_totp_enroll_not_enabled: 'Authenticator apps are switched off here.',
  mfa_phone_enroll_not_enabled: 'Codes by message are switched off here.',
  mfa_recovery_codes_enroll_not_enabled: 'Recovery codes are switched off here.',
  sms_send_failed: 'The message could not be sent. Check the number, or try again in a moment.',
  single_identity_not_deletable: 'This is your only way to sign in, so it can’t be removed.',
  email_conflict_identity_not_deletable: 'Without it your account would have no email address.',
  manual_linking_disabled: 'Accounts cannot be connected here.',
  otp_expired: accounts.wrongCode,
  reauthentication_not_valid: accounts.wrongCode,
  over_request_rate_limit: accounts.tooManyTries,
  over_email_send_rate_limit: accounts.tooManyMails,
  over_sms_send_rate_limit: accounts.tooManyMails,
  mfa_verification_failed: accounts.wrongFactorCode,
  mfa_challenge_expired: accounts.wrongCode,
  mfa_ip_address_mismatch: 'Your network changed during the sign-in. Try again.',
  mfa_recovery_codes_locked: accounts.tooManyTries,
  sso_provider_not_found: arrivalWords['sso_provider_not_found']!,
  saml_provider_disabled: arrivalWords['saml_provider_disabled']!,
};

export function requireSuccess<Reply extends { error: Error | null }>(reply: Reply): Extract<Reply, { error: null }> {
  if (reply.error) throw reply.error;
  return reply as Extract<Reply, { error: null }>;
}

/** The message to show for an error of the identity service or the connection to it. */
export function identityMessage(thrown: unknown, otherwise: string = messages.anErrorOccurred): string {
  if (!(thrown instanceof Error)) return otherwise;
  const error = thrown as IdentityError;
  // The gate recognises a failed captcha by this word and shows hints.
  if (error.name === 'AuthRetryableFetchError' && !/captcha/i.test(error.message)) return accounts.unreachable;
  // Not a response of our service, perhaps a proxy's page: the client's message describes only a parse error.
  if (error.name === 'AuthUnknownError' || error.message.startsWith('{')) return otherwise;
  if (error.code !== undefined && Object.hasOwn(WORDS, error.code)) return WORDS[error.code]!;
  if (!(error instanceof ApiError) && error.name !== 'Error' && !error.name.startsWith('Auth'))
    return `Unexpected error: ${error.message}`;
  return messageOf(error, otherwise);
}

export const identityErrors = { failed: messages.anErrorOccurred, inWords: identityMessage };

/** The message for an address with an error. Never the text in the address: anyone can write a link. */
export function arrivalMessage(error: Error): string {
  const { name, message, details } = error as IdentityError;
  if (name !== 'AuthImplicitGrantRedirectError') return identityMessage(error, arrivalFailed);
  if (!details) return message;
  const isUnspecific = ['unspecified_code', 'unexpected_failure'].includes(details.code);
  const code = isUnspecific ? details.error : details.code;
  return Object.hasOwn(arrivalWords, code) ? arrivalWords[code]! : arrivalFailed;
}

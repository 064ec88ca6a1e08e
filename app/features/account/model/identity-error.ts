import { ApiError, messageOf } from '#lib/data/api-error.ts';
import { accounts, arrivalFailed, arrivalWords } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { accountRefusals } from '../words.ts';

interface IdentityError extends Error {
  code?: string;
  status?: number;
  details?: { error: string; code: string } | null;
}

const WORDS: Record<string, string> = {
  ...accountRefusals,
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

export function requireSuccess<Answer extends { error: Error | null }>(
  answer: Answer,
): Extract<Answer, { error: null }> {
  if (answer.error) throw answer.error;
  return answer as Extract<Answer, { error: null }>;
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

const UNSPECIFIC_CODES = new Set(['unspecified_code', 'unexpected_failure']);

/** The message for an address with an error. Never the text in the address: anyone can write a link. */
export function arrivalMessage(error: Error): string {
  const { name, message, details } = error as IdentityError;
  if (name !== 'AuthImplicitGrantRedirectError') return identityMessage(error, arrivalFailed);
  if (!details) return message;
  const code = UNSPECIFIC_CODES.has(details.code) ? details.error : details.code;
  return Object.hasOwn(arrivalWords, code) ? arrivalWords[code]! : arrivalFailed;
}

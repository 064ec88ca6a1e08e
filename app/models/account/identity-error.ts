import { accounts, arrivalFailed, arrivalWords } from '../../copy/accounts.ts';
import { messages } from '../../copy/messages.ts';
import { ApiError, messageOf } from '../data/api-error.ts';

/** What the official identity client throws or returns. */
interface IdentityError extends Error {
  code?: string;
  status?: number;
  /** Of an address that brought an error. */
  details?: { error: string; code: string } | null;
}

/** Refusals whose own words help nobody who is not a developer. */
const WORDS: Record<string, string> = {
  otp_expired: accounts.wrongCode,
  reauthentication_not_valid: accounts.wrongCode,
  over_request_rate_limit: accounts.tooManyTries,
  over_email_send_rate_limit: accounts.tooManyMails,
  over_sms_send_rate_limit: accounts.tooManyMails,
  mfa_verification_failed: accounts.wrongFactorCode,
  mfa_challenge_expired: accounts.wrongCode,
  mfa_ip_address_mismatch: accounts.connectionChanged,
  mfa_recovery_codes_locked: accounts.tooManyTries,
  sso_provider_not_found: arrivalWords['sso_provider_not_found']!,
  saml_provider_disabled: arrivalWords['saml_provider_disabled']!,
};

/** The sentence to show for what the identity service, or the way to it, refused. */
export function identityMessage(thrown: unknown, otherwise: string): string {
  if (!(thrown instanceof Error)) return otherwise;
  const error = thrown as IdentityError;
  // The gate has hints for a check for humans that failed, by this word.
  if (error.name === 'AuthRetryableFetchError' && !/captcha/i.test(error.message)) return accounts.unreachable;
  // Nobody of ours wrote it, a proxy's page perhaps: the client's words are about its form.
  if (error.name === 'AuthUnknownError' || error.message.startsWith('{')) return otherwise;
  if (error.code !== undefined && Object.hasOwn(WORDS, error.code)) return WORDS[error.code]!;
  // Not a refusal: something broke on the way.
  if (!(error instanceof ApiError) && error.name !== 'Error' && !error.name.startsWith('Auth'))
    return messages.unexpectedError(error.message);
  return messageOf(error, otherwise);
}

const UNSAID = new Set(['unspecified_code', 'unexpected_failure']);

/**
 * The sentence for an address that brought an error instead of a session. Never the words that stand in the address:
 * anybody can write a link.
 */
export function arrivalMessage(error: Error): string {
  const { name, message, details } = error as IdentityError;
  if (name !== 'AuthImplicitGrantRedirectError') return identityMessage(error, arrivalFailed);
  if (!details) return message;
  // The other side's own word counts only where our service had none.
  const code = UNSAID.has(details.code) ? details.error : details.code;
  return Object.hasOwn(arrivalWords, code) ? arrivalWords[code]! : arrivalFailed;
}

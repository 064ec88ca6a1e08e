import { NO_ROOM, NO_ROOM_RETRY_SECONDS } from '../data-dir/disk-space.ts';
import type { Database, Transaction } from '../database/database.ts';

export type WeakReason = 'length' | 'characters' | 'pwned';

interface ErrorDetails {
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  weakReasons?: readonly WeakReason[];
  allow?: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetails;
  constructor(status: number, code: string, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Throws the refusal that `work` returns after the commit, so that a counted guess and a used code stay. */
export async function transactOrRefuse<T>(db: Database, work: (tx: Transaction) => Promise<T | ApiError>): Promise<T> {
  const outcome = await db.transaction(work);
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

/** For `catch`: ignores an expected refusal and throws any other error. */
export function ignoreRefusal(error: unknown): false {
  if (error instanceof ApiError) return false;
  throw error;
}

const refusal = (status: number, code: string, message: string, details?: ErrorDetails) => () =>
  new ApiError(status, code, message, details);

/** @param message by default names the seconds to wait */
const limitReached = (code: string, message?: string) => (seconds: number) =>
  new ApiError(429, code, message ?? `For security purposes, you can only request this after ${seconds} seconds.`, {
    retryAfter: seconds,
  });

const unprocessable = (code: string, message: string) => refusal(422, code, message);

const refusalOf =
  (status: number, code: string, message: (value: string) => string) =>
  (value: string): ApiError =>
    new ApiError(status, code, message(value));

export const errors = {
  invalid: (message: string) => new ApiError(400, 'validation_failed', message),
  badJson: (message = 'Could not parse request body as JSON') => new ApiError(400, 'bad_json', message),
  tooLarge: (message: string) => new ApiError(413, 'request_entity_too_large', message),
  notFound: refusal(404, 'unknown', 'Endpoint not found'),
  methodNotAllowed: (allow: string) => new ApiError(405, 'unknown', 'Method not allowed', { allow }),
  unexpected: refusal(500, 'unexpected_failure', 'Unexpected failure, please check server logs for more information'),
  busy: refusal(503, 'unexpected_failure', 'The service is busy. Try again shortly.', { retryAfter: 2 }),
  noRoom: refusal(507, 'unexpected_failure', NO_ROOM, { retryAfter: NO_ROOM_RETRY_SECONDS }),
  tooManyRequests: limitReached('over_request_rate_limit', 'Request rate limit reached'),
  mailTooSoon: limitReached('over_email_send_rate_limit'),
  tooManyMails: limitReached('over_email_send_rate_limit', 'email rate limit exceeded'),
  messageTooSoon: limitReached('over_sms_send_rate_limit'),
  tooManyMessages: limitReached('over_sms_send_rate_limit', 'SMS rate limit exceeded'),
  messageNotSent: unprocessable('sms_send_failed', 'The message with the code could not be sent'),

  noAuthorization: refusal(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  badJwt: refusalOf(403, 'bad_jwt', (detail) => `invalid JWT: unable to parse or verify signature, ${detail}`),
  missingSubject: refusal(403, 'bad_jwt', 'invalid claim: missing sub claim'),
  badSubject: refusal(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'),
  userOfTokenGone: refusal(403, 'user_not_found', 'User from sub claim in JWT does not exist'),
  sessionOfTokenGone: refusal(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  banned: (status: 400 | 403) => new ApiError(status, 'user_banned', 'User is banned'),
  notAdmin: refusal(403, 'not_admin', 'User not allowed'),

  signUpDisabled: unprocessable('signup_disabled', 'Signups not allowed for this instance'),
  anonymousDisabled: unprocessable('anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  emailSignUpDisabled: refusal(400, 'email_provider_disabled', 'Email signups are disabled'),
  emailSignInDisabled: unprocessable('email_provider_disabled', 'Email logins are disabled'),
  phoneDisabled: (status: 400 | 422) => new ApiError(status, 'phone_provider_disabled', 'Phone sign-in is not enabled'),
  alreadyRegistered: unprocessable('user_already_exists', 'User already registered'),
  emailExists: unprocessable('email_exists', 'A user with this email address has already been registered'),
  phoneExists: unprocessable('phone_exists', 'A user with this phone number has already been registered'),
  weakPassword: (message: string, weakReasons: readonly WeakReason[]) =>
    new ApiError(422, 'weak_password', message, { weakReasons }),
  samePassword: unprocessable('same_password', 'New password should be different from the old password.'),
  reauthenticationNeeded: refusal(400, 'reauthentication_needed', 'Password update requires reauthentication'),
  wrongCurrentPassword: refusal(400, 'current_password_invalid', 'The current password is incorrect'),
  reauthenticationNotValid: unprocessable('reauthentication_not_valid', 'Nonce has expired or is invalid'),
  managedElsewhere: unprocessable(
    'user_sso_managed',
    'This account’s address, number and password are managed by its company',
  ),
  anonymousPassword: unprocessable(
    'validation_failed',
    'Updating password of an anonymous user without an email or phone is not allowed',
  ),
  badCredentials: refusal(400, 'invalid_credentials', 'Invalid login credentials'),
  captcha: refusalOf(400, 'captcha_failed', (detail) => `captcha protection: request disallowed (${detail})`),
  captchaAway: refusal(500, 'unexpected_failure', 'captcha verification process failed'),
  phoneNotConfirmed: (status: 400 | 422) => new ApiError(status, 'phone_not_confirmed', 'Phone not confirmed'),
  emailNotConfirmed: (status: 400 | 422) => new ApiError(status, 'email_not_confirmed', 'Email not confirmed'),
  unsupportedGrant: refusal(400, 'invalid_credentials', 'unsupported_grant_type'),
  linkExpired: refusal(403, 'otp_expired', 'Email link is invalid or has expired'),
  codeExpired: refusal(403, 'otp_expired', 'Token has expired or is invalid'),
  unknownFlow: refusal(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  expiredFlow: unprocessable('flow_state_expired', 'invalid flow state, flow state has expired'),
  wrongVerifier: refusal(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  providerDisabled: refusalOf(400, 'provider_disabled', (issuer) => `Provider (issuer "${issuer}") is not enabled`),
  providerUnreachable: (provider: string) =>
    new ApiError(503, 'unexpected_failure', `${provider} cannot be reached. Try again shortly.`, { retryAfter: 10 }),
  badOauthState: refusal(400, 'bad_oauth_state', 'OAuth state is unknown, expired or already used'),
  badOauthCallback: refusal(400, 'bad_oauth_callback', 'Unable to exchange external code'),
  noProviderEmail: unprocessable('email_address_invalid', 'Error getting user email from external provider'),
  unverifiedProviderEmail: refusalOf(
    422,
    'provider_email_needs_verification',
    (name) => `Unverified email with ${name}. A confirmation email has been sent to your ${name} email`,
  ),
  severalAccounts: refusalOf(
    422,
    'unexpected_failure',
    (name) => `Multiple accounts with the same email address in the same linking domain detected: ${name}`,
  ),
  identityExists: (own: boolean) =>
    new ApiError(422, 'identity_already_exists', `Identity is already linked${own ? '' : ' to another user'}`),
  identityNotFound: unprocessable('identity_not_found', "Identity doesn't exist"),
  lastIdentity: unprocessable('single_identity_not_deletable', 'User must have at least 1 identity after unlinking'),
  identityEmailConflict: unprocessable(
    'email_conflict_identity_not_deletable',
    'Unable to unlink identity due to email conflict',
  ),
  linkingDisabled: refusal(404, 'manual_linking_disabled', 'Manual linking is disabled'),

  unknownRefreshToken: refusal(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  reusedRefreshToken: refusal(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  sessionExpired: refusal(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),
  bannedAtRefresh: refusal(400, 'user_banned', 'Invalid Refresh Token: User Banned'),

  factorTypeOff: (type: 'totp' | 'phone' | 'webauthn', what: 'enroll' | 'verify') =>
    new ApiError(422, `mfa_${type}_${what}_not_enabled`, `MFA ${what} is disabled for ${type}`),
  anonymousFactor: refusal(403, 'no_authorization', 'Anonymous users cannot enroll a second factor'),
  factorNameTaken: refusalOf(
    422,
    'mfa_factor_name_conflict',
    (name) => `A factor with the friendly name "${name}" for this user already exists`,
  ),
  tooManyFactors: unprocessable(
    'too_many_enrolled_mfa_factors',
    'Maximum number of enrolled factors reached, unenroll to continue',
  ),
  phoneFactorExists: unprocessable(
    'mfa_verified_factor_exists',
    'A verified phone factor already exists, unenroll the existing factor to continue',
  ),
  insufficientAal: (status: 401 | 403 | 422, what: string) =>
    new ApiError(status, 'insufficient_aal', `AAL2 required to ${what}`),
  factorNotFound: refusal(404, 'mfa_factor_not_found', 'Factor not found'),
  challengeNotFound: unprocessable('mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'),
  challengeExpired: refusalOf(
    422,
    'mfa_challenge_expired',
    (id) => `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
  ),
  challengeFromElsewhere: unprocessable('mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.'),
  wrongFactorCode: (kind: 'TOTP' | 'MFA Phone' | 'recovery') =>
    new ApiError(422, 'mfa_verification_failed', `Invalid ${kind} code entered`),
  recoveryCodesLocked: limitReached(
    'mfa_recovery_codes_locked',
    'Too many failed verification attempts, try again later',
  ),
  recoveryCodesAlone: unprocessable(
    'mfa_recovery_codes_sole_factor',
    'At least one other verified factor is required to generate recovery codes',
  ),
  noRecoveryCodes: refusal(404, 'mfa_factor_not_found', 'The user has not enrolled recovery codes'),

  samlDisabled: refusal(404, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  noSuchSsoProvider: (message = 'No such SSO provider') => new ApiError(404, 'sso_provider_not_found', message),
  ssoProviderDisabled: unprocessable('sso_provider_disabled', 'This SSO provider is disabled'),
  ssoDomainTaken: refusalOf(422, 'sso_domain_already_exists', (domain) => `SSO Domain '${domain}' is already in use`),
  samlIdpTaken: refusalOf(
    422,
    'saml_idp_already_exists',
    (entityId) => `SAML Identity Provider with this EntityID (${entityId}) already exists`,
  ),
  samlEntityIdDiffers: unprocessable(
    'saml_entity_id_mismatch',
    'SAML Metadata can be updated only if the EntityID matches for the provider',
  ),
  metadataNotFetched: refusalOf(400, 'saml_metadata_fetch_failed', (why) => `SAML Metadata not fetched: ${why}`),
  noSuchIdp: refusal(404, 'saml_idp_not_found', 'A SAML connection has not been established with this IdP'),
  relayStateNotFound: refusal(
    404,
    'saml_relay_state_not_found',
    'SAML RelayState does not exist, try logging in again',
  ),
  relayStateExpired: unprocessable('saml_relay_state_expired', 'SAML RelayState has expired, try logging in again'),
  assertionWithoutUserId: refusal(
    400,
    'saml_assertion_no_user_id',
    'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
  ),
  assertionWithoutEmail: refusal(400, 'saml_assertion_no_email', 'SAML Assertion does not contain an email address'),

  userNotFound: refusal(404, 'user_not_found', 'User not found'),
  emailNotFound: refusal(404, 'user_not_found', 'User with this email not found'),
  notUuid: (name: string) => new ApiError(404, 'validation_failed', `${name} must be an UUID`),
};

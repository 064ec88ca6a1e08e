// Long: the catalogue of errors, with the messages and status codes of the upstream auth service.
import type { Context } from 'hono';
import { NO_ROOM, NO_ROOM_RETRY_SECONDS } from '../data-dir/disk-space.ts';
import { DatabaseError, DatabaseUnavailable, DISK_FULL } from '../database/database.ts';
import { BodyError } from '../http/limits.ts';
import { recordRefused } from './audit.ts';
import type { Env } from './context.ts';

export type WeakReason = 'length' | 'characters' | 'pwned';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter: number | null;
  readonly weakReasons: readonly WeakReason[] | null;
  readonly allow: string | null;
  constructor(
    status: number,
    code: string,
    message: string,
    options: { retryAfter?: number; weakReasons?: readonly WeakReason[]; allow?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
    this.weakReasons = options.weakReasons ?? null;
    this.allow = options.allow ?? null;
  }
}

export const errors = {
  invalid: (message: string) => new ApiError(400, 'validation_failed', message),
  badJson: (message = 'Could not parse request body as JSON') => new ApiError(400, 'bad_json', message),
  tooLarge: (message: string) => new ApiError(413, 'request_entity_too_large', message),
  notFound: () => new ApiError(404, 'unknown', 'Endpoint not found'),
  methodNotAllowed: (allow: string) => new ApiError(405, 'unknown', 'Method not allowed', { allow }),
  busy: () => new ApiError(503, 'unexpected_failure', 'The service is busy. Try again shortly.', { retryAfter: 2 }),
  noRoom: () => new ApiError(507, 'unexpected_failure', NO_ROOM, { retryAfter: NO_ROOM_RETRY_SECONDS }),
  conflict: () => new ApiError(409, 'conflict', 'Too many concurrent token refresh requests on the same session'),
  tooManyRequests: (seconds: number) =>
    new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter: seconds }),
  mailTooSoon: (seconds: number) =>
    new ApiError(
      429,
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${seconds} seconds.`,
      { retryAfter: seconds },
    ),
  messageTooSoon: (seconds: number) =>
    new ApiError(
      429,
      'over_sms_send_rate_limit',
      `For security purposes, you can only request this after ${seconds} seconds.`,
      { retryAfter: seconds },
    ),
  tooManyMessages: (seconds: number) =>
    new ApiError(429, 'over_sms_send_rate_limit', 'SMS rate limit exceeded', { retryAfter: seconds }),
  messageNotSent: () => new ApiError(422, 'sms_send_failed', 'The message with the code could not be sent'),
  tooManyMails: (seconds: number) =>
    new ApiError(429, 'over_email_send_rate_limit', 'email rate limit exceeded', { retryAfter: seconds }),

  noAuthorization: () => new ApiError(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  badJwt: (detail: string) =>
    new ApiError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${detail}`),
  missingSubject: () => new ApiError(403, 'bad_jwt', 'invalid claim: missing sub claim'),
  badSubject: () => new ApiError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'),
  userOfTokenGone: () => new ApiError(403, 'user_not_found', 'User from sub claim in JWT does not exist'),
  sessionOfTokenGone: () =>
    new ApiError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  banned: (status: 400 | 403) => new ApiError(status, 'user_banned', 'User is banned'),
  notAdmin: () => new ApiError(403, 'not_admin', 'User not allowed'),

  signUpDisabled: () => new ApiError(422, 'signup_disabled', 'Signups not allowed for this instance'),
  anonymousDisabled: () => new ApiError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  emailSignUpDisabled: () => new ApiError(400, 'email_provider_disabled', 'Email signups are disabled'),
  emailSignInDisabled: () => new ApiError(422, 'email_provider_disabled', 'Email logins are disabled'),
  phoneDisabled: (status: 400 | 422) => new ApiError(status, 'phone_provider_disabled', 'Phone sign-in is not enabled'),
  alreadyRegistered: () => new ApiError(422, 'user_already_exists', 'User already registered'),
  emailExists: () => new ApiError(422, 'email_exists', 'A user with this email address has already been registered'),
  phoneExists: () => new ApiError(422, 'phone_exists', 'A user with this phone number has already been registered'),
  weakPassword: (message: string, weakReasons: readonly WeakReason[]) =>
    new ApiError(422, 'weak_password', message, { weakReasons }),
  samePassword: () => new ApiError(422, 'same_password', 'New password should be different from the old password.'),
  reauthenticationNeeded: () =>
    new ApiError(400, 'reauthentication_needed', 'Password update requires a recent sign-in or the current password'),
  wrongCurrentPassword: () => new ApiError(400, 'current_password_invalid', 'The current password is incorrect'),
  reauthenticationNotValid: () => new ApiError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),
  managedElsewhere: () =>
    new ApiError(422, 'user_sso_managed', 'This account’s address, number and password are managed by its company'),
  anonymousPassword: () =>
    new ApiError(
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    ),
  badCredentials: () => new ApiError(400, 'invalid_credentials', 'Invalid login credentials'),
  captcha: (detail: string) =>
    new ApiError(400, 'captcha_failed', `captcha protection: request disallowed (${detail})`),
  captchaAway: () => new ApiError(500, 'unexpected_failure', 'captcha verification process failed'),
  phoneNotConfirmed: (status: 400 | 422) => new ApiError(status, 'phone_not_confirmed', 'Phone not confirmed'),
  emailNotConfirmed: (status: 400 | 422 = 400) => new ApiError(status, 'email_not_confirmed', 'Email not confirmed'),
  unsupportedGrant: () => new ApiError(400, 'invalid_credentials', 'unsupported_grant_type'),
  linkExpired: () => new ApiError(403, 'otp_expired', 'Email link is invalid or has expired'),
  codeExpired: () => new ApiError(403, 'otp_expired', 'Token has expired or is invalid'),
  unknownFlow: () => new ApiError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  expiredFlow: () => new ApiError(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  wrongVerifier: () =>
    new ApiError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  unsupportedProvider: (detail: string) => errors.invalid(`Unsupported provider: ${detail}`),
  providerDisabled: (issuer: string) =>
    new ApiError(400, 'provider_disabled', `Provider (issuer "${issuer}") is not enabled`),
  providerUnreachable: (provider: string) =>
    new ApiError(503, 'unexpected_failure', `${provider} cannot be reached. Try again shortly.`, { retryAfter: 10 }),
  badOauthState: () => new ApiError(400, 'bad_oauth_state', 'OAuth state is unknown, expired or already used'),
  badOauthCallback: () => new ApiError(400, 'bad_oauth_callback', 'Unable to exchange external code'),
  noProviderEmail: () => new ApiError(422, 'email_address_invalid', 'Error getting user email from external provider'),
  unverifiedProviderEmail: (provider: string) =>
    new ApiError(
      422,
      'provider_email_needs_verification',
      `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`,
    ),
  severalAccounts: (provider: string) =>
    new ApiError(
      422,
      'unexpected_failure',
      `Multiple accounts with the same email address in the same linking domain detected: ${provider}`,
    ),
  identityExists: (own: boolean) =>
    new ApiError(
      422,
      'identity_already_exists',
      own ? 'Identity is already linked' : 'Identity is already linked to another user',
    ),
  identityNotFound: () => new ApiError(422, 'identity_not_found', "Identity doesn't exist"),
  identityIdNotUuid: () => new ApiError(404, 'validation_failed', 'identity_id must be an UUID'),
  lastIdentity: () =>
    new ApiError(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking'),
  identityEmailConflict: () =>
    new ApiError(422, 'email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict'),
  linkingDisabled: () => new ApiError(404, 'manual_linking_disabled', 'Manual linking is disabled'),

  malformedRefreshToken: () => errors.invalid('Refresh token is not valid'),
  unknownRefreshToken: () =>
    new ApiError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  reusedRefreshToken: () => new ApiError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  sessionExpired: () => new ApiError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),
  bannedAtRefresh: () => new ApiError(400, 'user_banned', 'Invalid Refresh Token: User Banned'),

  factorTypeOff: (type: 'totp' | 'phone' | 'webauthn', what: 'enroll' | 'verify') =>
    new ApiError(422, `mfa_${type}_${what}_not_enabled`, `MFA ${what} is disabled for ${type}`),
  anonymousFactor: () => new ApiError(403, 'no_authorization', 'Anonymous users cannot enroll a second factor'),
  factorNameTaken: (name: string) =>
    new ApiError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${name}" for this user already exists`,
    ),
  tooManyFactors: () =>
    new ApiError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of enrolled factors reached, unenroll to continue',
    ),
  phoneFactorExists: () =>
    new ApiError(
      422,
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    ),
  insufficientAal: (status: 401 | 403 | 422, what: string) =>
    new ApiError(status, 'insufficient_aal', `AAL2 required to ${what}`),
  factorIdNotUuid: () => new ApiError(404, 'validation_failed', 'factor_id must be an UUID'),
  factorNotFound: () => new ApiError(404, 'mfa_factor_not_found', 'Factor not found'),
  challengeNotFound: () =>
    new ApiError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'),
  challengeExpired: (id: string) =>
    new ApiError(
      422,
      'mfa_challenge_expired',
      `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    ),
  challengeFromElsewhere: () =>
    new ApiError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.'),
  wrongFactorCode: (type: string) =>
    new ApiError(
      422,
      'mfa_verification_failed',
      type === 'totp' ? 'Invalid TOTP code entered' : 'Invalid MFA Phone code entered',
    ),
  wrongRecoveryCode: () => new ApiError(422, 'mfa_verification_failed', 'Invalid recovery code entered'),
  recoveryCodesLocked: (seconds: number) =>
    new ApiError(429, 'mfa_recovery_codes_locked', 'Too many failed verification attempts, try again later', {
      retryAfter: seconds,
    }),
  recoveryCodesAlone: () =>
    new ApiError(
      422,
      'mfa_recovery_codes_sole_factor',
      'At least one other verified factor is required to generate recovery codes',
    ),
  noRecoveryCodes: () => new ApiError(404, 'mfa_factor_not_found', 'The user has not enrolled recovery codes'),

  samlDisabled: () => new ApiError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  noSuchSsoProvider: (message: string) => new ApiError(404, 'sso_provider_not_found', message),
  ssoProviderDisabled: () => new ApiError(422, 'sso_provider_disabled', 'This SSO provider is disabled'),
  ssoDomainTaken: (domain: string) =>
    new ApiError(422, 'sso_domain_already_exists', `SSO Domain '${domain}' is already in use`),
  samlIdpTaken: (entityId: string) =>
    new ApiError(
      422,
      'saml_idp_already_exists',
      `SAML Identity Provider with this EntityID (${entityId}) already exists`,
    ),
  samlEntityIdDiffers: () =>
    new ApiError(
      422,
      'saml_entity_id_mismatch',
      'SAML Metadata can be updated only if the EntityID matches for the provider',
    ),
  metadataNotFetched: () =>
    new ApiError(400, 'saml_metadata_fetch_failed', 'SAML Metadata could not be fetched from its URL'),
  noSuchIdp: () => new ApiError(404, 'saml_idp_not_found', 'A SAML connection has not been established with this IdP'),
  relayStateNotFound: () =>
    new ApiError(404, 'saml_relay_state_not_found', 'SAML RelayState does not exist, try logging in again'),
  relayStateExpired: () =>
    new ApiError(422, 'saml_relay_state_expired', 'SAML RelayState has expired, try logging in again'),
  assertionWithoutUserId: () =>
    new ApiError(
      400,
      'saml_assertion_no_user_id',
      'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
    ),
  assertionWithoutEmail: () =>
    new ApiError(400, 'saml_assertion_no_email', 'SAML Assertion does not contain an email address'),

  userNotFound: () => new ApiError(404, 'user_not_found', 'User not found'),
  emailNotFound: () => new ApiError(404, 'user_not_found', 'User with this email not found'),
  idNotUuid: () => new ApiError(404, 'validation_failed', 'user_id must be an UUID'),
};

/** From this API version on the body is `{code, message}`; the browser library always requests it. */
const CODE_VERSION = '2024-01-01';

/** Formats an error for the caller's API version. Unexpected errors are logged and never exposed. */
export function errorResponse(thrown: unknown, c: Context<Env>): Response {
  const error = asApiError(thrown);
  recordRefused(c, error);
  if (error.status === 429) c.var.identity.log.warn({ request: c.env.id, path: c.req.path }, 'rate limit reached');
  if (error.status === 500) {
    const { log } = c.var.identity;
    log.error({ err: thrown, request: c.env.id, path: c.req.path }, 'identity request failed');
  }
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-sb-error-code': error.code });
  if (error.retryAfter !== null) headers.set('retry-after', String(error.retryAfter));
  if (error.allow) headers.set('allow', error.allow);
  const weakPassword = error.weakReasons ? { weak_password: { reasons: error.weakReasons } } : {};
  const apiVersion = Date.parse(c.req.header('x-supabase-api-version') ?? '');
  if (apiVersion >= Date.parse(CODE_VERSION)) {
    // The browser library reads `code` as the error code only when this header is echoed.
    headers.set('x-supabase-api-version', CODE_VERSION);
    return c.body(JSON.stringify({ code: error.code, message: error.message, ...weakPassword }), {
      status: error.status as 400,
      headers,
    });
  }
  const id = error.status >= 500 ? { error_id: c.env.id } : {};
  const legacyBody = { code: error.status, error_code: error.code, msg: error.message, ...id, ...weakPassword };
  return c.body(JSON.stringify(legacyBody), { status: error.status as 400, headers });
}

export const isDiskFull = (thrown: unknown): boolean => {
  const code = (thrown as { code?: unknown } | null)?.code;
  return code === DISK_FULL || code === 'ENOSPC';
};

/** SQLSTATEs for text that PostgreSQL cannot store and our validation missed. */
const BAD_TEXT = new Set(['22P02', '22P05', '22021', '22001']);

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof BodyError) {
    if (thrown.status === 413) return errors.tooLarge(thrown.message);
    return thrown.status === 415 ? new ApiError(415, 'bad_json', thrown.message) : errors.badJson(thrown.message);
  }
  if (thrown instanceof DatabaseUnavailable) return errors.busy();
  if (isDiskFull(thrown)) return errors.noRoom();
  // Business rules raise SQLSTATE PT4xx with a message meant for the user, such as "the last admin cannot be removed".
  const businessRule = thrown instanceof DatabaseError ? /^PT(4\d\d)$/.exec(thrown.code) : null;
  if (businessRule) return new ApiError(Number(businessRule[1]), 'conflict', (thrown as DatabaseError).message);
  if (thrown instanceof DatabaseError && (thrown.code === '40P01' || thrown.code === '40001')) return errors.busy();
  // Two concurrent requests claimed the same address or number.
  if (thrown instanceof DatabaseError && thrown.code === '23505') {
    if (thrown.constraint === 'users_email_partial_key') return errors.emailExists();
    if (thrown.constraint === 'users_phone_key') return errors.phoneExists();
  }
  // The account was deleted during the request.
  if (thrown instanceof DatabaseError && thrown.code === '23503') return errors.userOfTokenGone();
  if (thrown instanceof DatabaseError && BAD_TEXT.has(thrown.code)) return errors.invalid('A value is not valid text');
  return new ApiError(500, 'unexpected_failure', 'Unexpected failure, please check server logs for more information');
}

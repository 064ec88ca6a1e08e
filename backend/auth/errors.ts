import type { Context } from 'hono';
import { DatabaseError, DatabaseUnavailable } from '../database/database.ts';
import { BodyError } from '../http/limits.ts';
import type { Env } from './identity.ts';

/** What the password policy found wrong; the browser library hands these words to the page. */
export type WeakReason = 'length' | 'characters' | 'pwned';

/** A refusal by the identity service: HTTP status, error code of the catalogue, and a sentence for a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter: number | null;
  readonly weakReasons: readonly WeakReason[] | null;
  /** Methods of a path that refused another one, sent as `Allow`. */
  readonly allow: string | null;
  constructor(
    status: number,
    code: string,
    message: string,
    more: { retryAfter?: number; weakReasons?: readonly WeakReason[]; allow?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = more.retryAfter ?? null;
    this.weakReasons = more.weakReasons ?? null;
    this.allow = more.allow ?? null;
  }
}

export const errors = {
  invalid: (message: string) => new ApiError(400, 'validation_failed', message),
  badJson: (message = 'Could not parse request body as JSON') => new ApiError(400, 'bad_json', message),
  tooLarge: (message: string) => new ApiError(413, 'request_entity_too_large', message),
  notFound: () => new ApiError(404, 'unknown', 'There is no such endpoint'),
  methodNotAllowed: (allow: string) =>
    new ApiError(405, 'unknown', 'This endpoint does not take this method', { allow }),
  busy: () => new ApiError(503, 'unexpected_failure', 'The service is busy. Try again shortly.', { retryAfter: 2 }),
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
  phoneDisabled: (status: 400 | 422) =>
    new ApiError(status, 'phone_provider_disabled', 'Sign-in by phone is not offered here'),
  alreadyRegistered: () => new ApiError(422, 'user_already_exists', 'User already registered'),
  emailExists: () => new ApiError(422, 'email_exists', 'A user with this email address has already been registered'),
  phoneExists: () => new ApiError(422, 'phone_exists', 'A user with this phone number has already been registered'),
  weakPassword: (message: string, weakReasons: readonly WeakReason[]) =>
    new ApiError(422, 'weak_password', message, { weakReasons }),
  samePassword: () => new ApiError(422, 'same_password', 'New password should be different from the old password.'),
  reauthenticationNeeded: () =>
    new ApiError(400, 'reauthentication_needed', 'Password update requires a recent sign-in or the current password'),
  wrongCurrentPassword: () => new ApiError(400, 'current_password_invalid', 'The current password is not right'),
  badCredentials: () => new ApiError(400, 'invalid_credentials', 'Invalid login credentials'),
  emailNotConfirmed: () => new ApiError(400, 'email_not_confirmed', 'Email not confirmed'),
  unsupportedGrant: () => new ApiError(400, 'invalid_credentials', 'unsupported_grant_type'),
  linkExpired: () => new ApiError(403, 'otp_expired', 'Email link is invalid or has expired'),
  codeExpired: () => new ApiError(403, 'otp_expired', 'Token has expired or is invalid'),
  notOffered: (what: string) => new ApiError(422, 'feature_disabled', `${what} is not offered by this server`),

  malformedRefreshToken: () => errors.invalid('Refresh token is not valid'),
  unknownRefreshToken: () =>
    new ApiError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
  reusedRefreshToken: () => new ApiError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  sessionExpired: () => new ApiError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'),
  bannedAtRefresh: () => new ApiError(400, 'user_banned', 'Invalid Refresh Token: User Banned'),

  userNotFound: () => new ApiError(404, 'user_not_found', 'User not found'),
  idNotUuid: () => new ApiError(404, 'validation_failed', 'user_id must be an UUID'),
};

/** From this version on the body is `{code, message}`; the browser library always asks for it. */
const CODE_VERSION = '2024-01-01';

/** Turns whatever was thrown into the wire shape the caller's API version expects. The unexpected is logged, never shown. */
export function answerError(thrown: unknown, c: Context<Env>): Response {
  const error = asApiError(thrown);
  if (error.status === 429) c.var.identity.log.warn({ request: c.env.id, path: c.req.path }, 'a limit was reached');
  if (error.status === 500) {
    const { log } = c.var.identity;
    log.error({ err: thrown, request: c.env.id, path: c.req.path }, 'identity request failed');
  }
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-sb-error-code': error.code });
  if (error.retryAfter !== null) headers.set('retry-after', String(error.retryAfter));
  if (error.allow) headers.set('allow', error.allow);
  const weak = error.weakReasons ? { weak_password: { reasons: error.weakReasons } } : {};
  const asked = Date.parse(c.req.header('x-supabase-api-version') ?? '');
  if (asked >= Date.parse(CODE_VERSION)) {
    // The echo is what makes the browser library read `code` as the error code.
    headers.set('x-supabase-api-version', CODE_VERSION);
    return c.body(JSON.stringify({ code: error.code, message: error.message, ...weak }), {
      status: error.status as 400,
      headers,
    });
  }
  const id = error.status >= 500 ? { error_id: c.env.id } : {};
  const old = { code: error.status, error_code: error.code, msg: error.message, ...id, ...weak };
  return c.body(JSON.stringify(old), { status: error.status as 400, headers });
}

/** Text that PostgreSQL cannot hold; everything of the kind that slips past our own checks. */
const BAD_TEXT = new Set(['22P02', '22P05', '22021', '22001']);

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof BodyError) {
    if (thrown.status === 413) return errors.tooLarge(thrown.message);
    return thrown.status === 415 ? new ApiError(415, 'bad_json', thrown.message) : errors.badJson(thrown.message);
  }
  if (thrown instanceof DatabaseUnavailable) return errors.busy();
  // A rule of the product, such as "the last admin cannot be removed", speaks in its own words.
  const ruled = thrown instanceof DatabaseError ? /^PT(4\d\d)$/.exec(thrown.code) : null;
  if (ruled) return new ApiError(Number(ruled[1]), 'conflict', (thrown as DatabaseError).message);
  // The account went away while its owner was being served.
  if (thrown instanceof DatabaseError && thrown.code === '23503') return errors.userOfTokenGone();
  if (thrown instanceof DatabaseError && BAD_TEXT.has(thrown.code)) return errors.invalid('A value is not valid text');
  return new ApiError(500, 'unexpected_failure', 'Unexpected failure, please check server logs for more information');
}

import { DatabaseError, DatabaseUnavailable, DISK_FULL } from '../database/database.ts';
import { BodyError } from '../http/limits.ts';
import { recordRefused } from './audit.ts';
import type { AuthRequest } from './context.ts';
import { ApiError, errors } from './errors.ts';

/** From this API version on the body is `{code, message}`; the browser library always requests it. */
const CODE_VERSION = '2024-01-01';

/** Formats an error for the caller's API version. */
export function errorResponse(thrown: unknown, c: AuthRequest): Response {
  const error = logRefusal(thrown, c);
  recordRefused(c, error);
  const { retryAfter, allow, weakReasons } = error.details;
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-sb-error-code': error.code });
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter));
  if (allow) headers.set('allow', allow);
  const weakPassword = weakReasons ? { weak_password: { reasons: weakReasons } } : {};
  const isCurrent = Date.parse(c.req.header('x-supabase-api-version') ?? '') >= Date.parse(CODE_VERSION);
  // The browser library reads `code` as the error code only when this header is echoed.
  if (isCurrent) headers.set('x-supabase-api-version', CODE_VERSION);
  const id = error.status >= 500 ? { error_id: c.env.id } : {};
  const body = isCurrent
    ? { code: error.code, message: error.message }
    : { code: error.status, error_code: error.code, msg: error.message, ...id };
  return c.body(JSON.stringify({ ...body, ...weakPassword }), { status: error.status as 400, headers });
}

/** Logs unexpected errors, which are never exposed, and reached limits. @returns what the client gets */
export function logRefusal(thrown: unknown, c: AuthRequest): ApiError {
  const error = asApiError(thrown);
  const request = { request: c.env.id, path: c.req.path };
  if (error.status === 429 || error.code === 'over_request_rate_limit')
    c.var.identity.log.warn(request, 'rate limit reached');
  if (error.status === 500) c.var.identity.log.error({ err: thrown, ...request }, 'identity request failed');
  return error;
}

const OF_ACCOUNT = /^(identities|sessions|mfa_factors|flow_state|one_time_tokens|recovery_codes)_/;
/** SQLSTATEs for text that PostgreSQL cannot store and our validation missed. */
const BAD_TEXT = new Set(['22P02', '22P05', '22021', '22001']);

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof BodyError) {
    if (thrown.status === 413) return errors.tooLarge(thrown.message);
    return thrown.status === 415 ? new ApiError(415, 'bad_json', thrown.message) : errors.badJson(thrown.message);
  }
  if (thrown instanceof DatabaseUnavailable) return errors.busy();
  if ([DISK_FULL, 'ENOSPC'].includes((thrown as { code?: string } | null)?.code ?? '')) return errors.noRoom();
  if (!(thrown instanceof DatabaseError)) return errors.unexpected();
  // Business rules raise SQLSTATE PT4xx with a message meant for the user, such as "the last admin cannot be removed".
  const businessRule = /^PT(4\d\d)$/.exec(thrown.code);
  if (businessRule) return new ApiError(Number(businessRule[1]), 'conflict', thrown.message);
  if (['40P01', '40001', '55P03'].includes(thrown.code)) return errors.busy();
  // Two concurrent requests claimed the same address or number.
  if (thrown.constraint === 'users_email_partial_key') return errors.emailExists();
  if (thrown.constraint === 'users_phone_key') return errors.phoneExists();
  // The account or the SSO provider was deleted during the request.
  if (thrown.code === '23503' && OF_ACCOUNT.test(thrown.constraint ?? '')) return errors.userOfTokenGone();
  if (thrown.constraint?.endsWith('_sso_provider_id_fkey')) return errors.noSuchSsoProvider();
  return BAD_TEXT.has(thrown.code) ? errors.invalid('A value is not valid text') : errors.unexpected();
}

import { DatabaseError, DatabaseUnavailable, DISK_FULL } from '../database/database.ts';
import { BodyError } from '../http/limits.ts';
import { recordRefused } from './audit.ts';
import type { AuthRequest } from './context.ts';
import { ApiError, errors } from './errors.ts';

/** From this API version on the body is `{code, message}`; the browser library always requests it. */
const CODE_VERSION = '2024-01-01';

/** Formats an error for the caller's API version. Unexpected errors are logged and never exposed. */
export function errorResponse(thrown: unknown, c: AuthRequest): Response {
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

import { type DatabaseError, DISK_FULL } from '../../database/database.ts';
import { errors, RestError } from '../errors.ts';
import { isHeader, reasonPhrase } from './rows-response.ts';

const EXACT: Record<string, number> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  P0001: 400,
};

const BY_CLASS: Record<string, number> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** Classes whose message may reveal details of the server. */
const HIDDEN_CLASSES = new Set(['08', '53', '58', 'F0', 'XX']);

/** Maps by PostgREST's SQLSTATE table. @param isGuest missing rights are 401 for guests, 403 for users */
export function fromDatabase(error: DatabaseError, isGuest: boolean): RestError {
  if (error.code === 'PGRST') return fromRaise(error);
  if (error.code === DISK_FULL) return errors.noRoom();
  const status = statusOf(error, isGuest);
  // 53400 is raised by functions with their own message.
  const isHidden = HIDDEN_CLASSES.has(error.code.slice(0, 2)) && error.code !== '53400';
  return new RestError(status, error.code, isHidden ? 'The database could not respond' : error.message, {
    details: isHidden ? null : error.detail,
    hint: isHidden ? null : error.hint,
    reason: error.code.startsWith('PT') ? reasonPhrase(error.message) : null,
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(status === 503 ? { 'retry-after': '1' } : {}),
    },
  });
}

function statusOf({ code, message }: DatabaseError, isGuest: boolean): number {
  if (code === '42501') return isGuest ? 401 : 403;
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500;
  if (code === '22023') return message.startsWith('role') && message.endsWith('does not exist') ? 401 : 400;
  if (code.startsWith('PT')) {
    const status = Number(code.slice(2));
    return status >= 200 && status <= 599 ? status : 500;
  }
  return EXACT[code] ?? BY_CLASS[code.slice(0, 2)] ?? 400;
}

/** `raise sqlstate 'PGRST'`: message and detail are JSON that controls the whole response. */
function fromRaise(error: DatabaseError): RestError {
  const message = objectIn(error.message);
  if (typeof message?.['code'] !== 'string' || typeof message['message'] !== 'string')
    return malformedRaise(
      `Invalid JSON value for MESSAGE: '${error.message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    );
  const hint =
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";
  if (error.detail === null) return malformedRaise('DETAIL is missing in the RAISE statement', hint);
  const detail = objectIn(error.detail);
  const status = detail?.['status'];
  const headers = detail?.['headers'];
  const fields = headers && typeof headers === 'object' ? Object.entries(headers) : null;
  const phrase = detail?.['status_text'] ?? null;
  const isValidStatus = Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
  if (
    !isValidStatus ||
    (phrase !== null && typeof phrase !== 'string') ||
    !fields?.every(([name, value]) => isHeader(name, String(value)))
  ) {
    return malformedRaise(`Invalid JSON value for DETAIL: '${error.detail}'`, hint);
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return new RestError(status as number, message['code'], message['message'], {
    details: text(message['details']),
    hint: text(message['hint']),
    reason: reasonPhrase(phrase),
    headers: Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), String(value)])),
  });
}

const malformedRaise = (details: string, hint: string) =>
  new RestError(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', { details, hint });

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

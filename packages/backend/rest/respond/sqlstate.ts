import { type DatabaseError, DISK_FULL } from '../../database/database.ts';
import { errors, RestError } from '../errors.ts';
import { isHeader, reasonPhrase } from './rows-response.ts';

/** SQLSTATEs, and classes of them by their first two characters. */
const STATES_BY_STATUS: Record<number, string> = {
  400: 'P0001',
  403: '0L 0P 28',
  404: '42883 42P01',
  405: '25006',
  409: '23503 23505',
  500: '09 25 2D 38 39 3B 40 42P17 53400 54 55 57 58 F0 HV P0 XX',
  503: '08 53 57P01',
};
const STATUSES = new Map(
  Object.entries(STATES_BY_STATUS).flatMap(([status, states]) =>
    states.split(' ').map((state) => [state, Number(status)] as const),
  ),
);

/** Classes whose message may reveal details of the server. */
const HIDDEN_CLASSES = new Set(['08', '53', '58', 'F0', 'XX']);
const HIDDEN = { message: 'The database could not respond', detail: null, hint: null };
const HEADERS: Record<number, Record<string, string>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': '1' },
};

/** Maps by PostgREST's SQLSTATE table. @param isGuest missing rights are 401 for guests, 403 for users */
export function fromDatabase(error: DatabaseError, isGuest: boolean): RestError {
  if (error.code === 'PGRST') return fromRaise(error);
  if (error.code === DISK_FULL) return errors.noRoom();
  const status = statusOf(error, isGuest);
  // 53400 is raised by functions with their own message.
  const isHidden = HIDDEN_CLASSES.has(error.code.slice(0, 2)) && error.code !== '53400';
  const { message, detail: details, hint } = isHidden ? HIDDEN : error;
  const reason = error.code.startsWith('PT') ? reasonPhrase(error.message) : null;
  return new RestError(status, error.code, message, { details, hint, reason, headers: HEADERS[status] ?? {} });
}

function statusOf({ code, message }: DatabaseError, isGuest: boolean): number {
  if (code === '42501') return isGuest ? 401 : 403;
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500;
  if (code === '22023') return message.startsWith('role') && message.endsWith('does not exist') ? 401 : 400;
  if (code.startsWith('PT')) {
    const status = Number(code.slice(2));
    return status >= 200 && status <= 599 ? status : 500;
  }
  return STATUSES.get(code) ?? STATUSES.get(code.slice(0, 2)) ?? 400;
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
  )
    return malformedRaise(`Invalid JSON value for DETAIL: '${error.detail}'`, hint);
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

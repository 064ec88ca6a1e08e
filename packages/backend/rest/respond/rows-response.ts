import type { Statement } from '../../database/database.ts';
import { errors } from '../errors.ts';
import type { Exchange, RestResponse } from '../exchange.ts';
import type { MediaType, PlanType } from '../parse/media-type.ts';
import { appliedPreferences, type Preferences } from '../parse/preferences.ts';
import { explain, mayRollBack, type Outcome } from '../sql/run-statement.ts';

export function rowsResponse(exchange: Exchange, media: MediaType, offset: number, outcome: Outcome): RestResponse {
  const { rows, total } = outcome;
  if (outcome.tooMuch) throw errors.tooMuch(exchange.limits.responseLength);
  if (media.kind === 'object' && rows !== 1 && !hasErrorStatus(outcome)) throw errors.notSingle(rows);
  const emptyRange = { 'content-range': `*/${total}` };
  if (total !== null && offset > total)
    throw errors.range(`An offset of ${offset} was requested, but there are only ${total} rows.`, emptyRange);
  const status = total !== null && rows < total ? 206 : 200;
  return applySqlSettings(outcome, {
    status,
    body: exchange.method === 'HEAD' ? null : outcome.body,
    headers: {
      'content-type': media.contentType,
      'content-range': contentRange(offset, offset + rows - 1, total),
      'content-location': contentLocation(exchange),
      ...preferenceApplied(exchange, {}),
    },
  });
}

export async function planResponse(exchange: Exchange, statement: Statement, media: PlanType, readOnly: boolean) {
  const body = await explain(exchange, statement, media, readOnly);
  return { status: 200, body, headers: { 'content-type': media.contentType } };
}

/** Parameters sorted by name and merged, so that equal queries have equal URLs. */
function contentLocation({ request, search }: Exchange): string {
  const named = Map.groupBy(new URLSearchParams(search), ([name]) => name);
  const pairs = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entries]) => `${encoded(name)}=${entries.map(([, value]) => encoded(value)).join(',')}`);
  return `${encodeURI(request.path)}${pairs.length ? `?${pairs.join('&')}` : ''}`;
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

export const contentRange = (first: number, last: number, total: number | null): string =>
  `${total !== 0 && first <= last ? `${first}-${last}` : '*'}/${total ?? '*'}`;

export function preferenceApplied(exchange: Exchange, more: Partial<Preferences>): Record<string, string> {
  const { count, handling, timezone, tx } = exchange.preferences;
  const header = appliedPreferences({ count, handling, timezone, tx: mayRollBack(exchange) ? tx : null, ...more });
  return header === null ? {} : { 'preference-applied': header };
}

/** Applies what SQL set in `response.status` and `response.headers`. */
export function applySqlSettings(outcome: Outcome, response: RestResponse): RestResponse {
  const headers = outcome.headers === null ? {} : headersIn(outcome.headers);
  const status = outcome.status === null ? response.status : Number(outcome.status);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw errors.sqlStatus();
  return { ...response, status, headers: { ...response.headers, ...headers } };
}

const hasErrorStatus = ({ status }: Outcome) => status !== null && Number(status) >= 400;

function headersIn(text: string): Record<string, readonly string[]> {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw errors.sqlHeaders();
  }
  if (!Array.isArray(list)) throw errors.sqlHeaders();
  const pairs = list.map((item: unknown) => {
    const entries = item && typeof item === 'object' ? Object.entries(item) : [];
    const [name, value] = entries[0] ?? [];
    if (entries.length !== 1 || typeof value !== 'string' || !isHeader(name!, value)) throw errors.sqlHeaders();
    return { name: name!.toLowerCase(), value: value as string };
  });
  const named = Map.groupBy(pairs, ({ name }) => name);
  return Object.fromEntries([...named].map(([name, entries]) => [name, entries.map(({ value }) => value)]));
}

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

export const isHeader = (name: string, value: string): boolean => NAME.test(name) && isHeaderValue(value);

const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

export const reasonPhrase = (text: string | null): string | null => (text && isHeaderValue(text) ? text : null);

import { quoteName } from '../../database/database.ts';
import type { Column, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import { type Exchange, mayDescribe, type RestResponse } from '../exchange.ts';
import { mediaTypeOf } from '../parse/media-type.ts';
import { Parameters } from '../parse/parameters.ts';
import { parseQuery } from '../parse/query.ts';
import type { WritePlan } from '../plan/plan.ts';
import { planRead } from '../plan/plan-read.ts';
import { planWrite } from '../plan/plan-write.ts';
import { bodyText } from '../sql/body-sql.ts';
import { outputNames, ReadSql } from '../sql/read-sql.ts';
import { type Outcome, RESPONSE_SETTINGS, runStatement } from '../sql/run-statement.ts';
import { insertedSql, neededColumns, type Returning, writeSql } from '../sql/write-sql.ts';
import { applySqlSettings, contentRange, planResponse, preferenceApplied } from './rows-response.ts';

/** The write and its representation are one statement. */
export async function handleWrite(exchange: Exchange, table: Table): Promise<RestResponse> {
  const { preferences, limits } = exchange;
  const query = parseQuery(exchange.search, limits);
  const media = mediaTypeOf(exchange.accept, mayDescribe(exchange));
  const { plan, body } = await planWrite(exchange, table, query);
  // Filters select the rows to write, and limits apply to reads: neither narrows the returned rows.
  const unfiltered = { ...query, root: { ...query.root, filters: [], limit: null, offset: 0 } };
  const read = { ...planRead(exchange, unfiltered, table), limit: null };
  const returnsRows = preferences.return === 'representation' || media.kind === 'plan';
  const returnsLocation =
    plan.verb === 'insert' && preferences.return === 'headers-only' && table.primaryKey.length > 0;
  const isMerge = plan.conflict?.merge === true;
  let returning: Returning = returnsRows ? neededColumns(read) : { columns: [], row: false };
  if (returnsLocation) returning = { columns: table.primaryKey, row: false };
  if (isMerge) returning = withColumns(returning, plan.conflict!.columns);

  const parameters = new Parameters();
  const written = writeSql(plan, body, returning, parameters);
  const rows = returnsRows
    ? new ReadSql(read, parameters, { name: 'written', keepsRow: returning.row }).rows()
    : 'select count(*) from written';
  const statement = {
    text: `with written as (${written}) select (select count(*) from written)::int as rows,
      ${returnsRows ? bodyText(media, outputNames(read)) : 'null'} as body,
      ${isMerge ? `${insertedSql(plan)}::int` : 'null'} as inserted,
      ${returnsLocation ? locationSql(table) : 'null'} as location,
      ${RESPONSE_SETTINGS} from (${rows}) pgrst_rows`,
    values: parameters.values,
  };
  if (media.kind === 'plan') return planResponse(exchange, statement, media, false);
  const check = resultCheck(exchange, media.kind === 'object', plan);
  const outcome = await runStatement(exchange, statement, { readOnly: false, check }).catch((error) => {
    exchange.refusedWrites.recordRefused(exchange, plan, body, error);
    throw error;
  });
  if (outcome.rows === 0) exchange.refusedWrites.recordNoMatch(exchange, plan);
  return writeResponse(exchange, plan, outcome, returnsRows ? media.contentType : null);
}

function withColumns({ columns, row }: Returning, more: readonly Column[]): Returning {
  if (columns === 'all') return { columns, row };
  return { columns: [...new Set([...columns, ...more.map(({ name }) => name)])], row };
}

const locationSql = (table: Table) =>
  `(select json_build_object(${table.primaryKey.map((name) => `'${name.replaceAll("'", "''")}', ${quoteName(name)}::text`).join(', ')})::text from written limit 1)`;

function resultCheck({ preferences, method }: Exchange, isSingle: boolean, plan: WritePlan) {
  const { maxAffected, handling } = preferences;
  const isCapped = plan.verb !== 'insert' && handling === 'strict' && maxAffected !== null;
  if (!isSingle && !isCapped && method !== 'PUT') return null;
  return ({ rows }: Outcome) => {
    if (method === 'PUT' && rows !== 1) throw errors.putKey();
    if (isCapped && rows > maxAffected) throw errors.maxAffected(rows);
    if (isSingle && rows !== 1) throw errors.notSingle(rows);
  };
}

function writeResponse(exchange: Exchange, plan: WritePlan, outcome: Outcome, contentType: string | null) {
  const { preferences, method } = exchange;
  const isInsert = plan.verb === 'insert';
  // The planner has no estimate of written rows.
  const total = preferences.count && preferences.count !== 'planned' ? outcome.rows : null;
  const range = plan.verb === 'update' ? contentRange(0, outcome.rows - 1, total) : contentRange(1, 0, total);
  const location = outcome.location === null ? null : locationOf(exchange, outcome.location);
  const headers: Record<string, string> = {
    ...(method === 'PUT' ? {} : { 'content-range': range }),
    ...(location === null ? {} : { location }),
    ...preferenceApplied(exchange, {
      return: preferences.return,
      missing: plan.verb === 'delete' ? null : preferences.missing,
      resolution: isInsert && plan.conflict && method === 'POST' ? preferences.resolution : null,
      maxAffected: isInsert ? null : preferences.maxAffected,
    }),
  };
  // A merge that inserted nothing created nothing, also for an empty body.
  const isMerge = plan.conflict?.merge || preferences.resolution === 'merge-duplicates';
  const created = isMerge && (outcome.inserted ?? outcome.rows) === 0 ? 200 : 201;
  const response =
    contentType === null
      ? { status: isInsert && method === 'POST' ? created : 204, body: null, headers }
      : { status: isInsert ? created : 200, body: outcome.body, headers: { 'content-type': contentType, ...headers } };
  return applySqlSettings(outcome, response);
}

function locationOf({ request }: Exchange, key: string): string {
  const pairs = Object.entries(JSON.parse(key) as Record<string, string | null>);
  const query = pairs.map(([name, value]) => [name, value === null ? 'is.null' : `eq.${value}`]);
  return `${encodeURI(request.path)}?${new URLSearchParams(query)}`;
}

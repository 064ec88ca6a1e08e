import { quoteName } from '../../database/database.ts';
import { BYTES_TYPE, type Routine, SCALAR } from '../catalog/catalog.ts';
import { type BodyKind, isOneValue } from '../catalog/routines.ts';
import { errors } from '../errors.ts';
import { type Exchange, mayDescribe, type RestResponse } from '../exchange.ts';
import { argumentNames, argumentsText, readPayload } from '../parse/body.ts';
import { mediaTypeOf } from '../parse/media-type.ts';
import { arrayLiteral, Parameters } from '../parse/parameters.ts';
import { requireKnownPreferences } from '../parse/preferences.ts';
import { applyRange, parseQuery } from '../parse/query.ts';
import type { Query } from '../parse/request.ts';
import { chooseRoutine } from '../plan/choose-routine.ts';
import type { CallPlan } from '../plan/plan.ts';
import { planRead } from '../plan/plan-read.ts';
import { bodyText } from '../sql/body-sql.ts';
import { outputNames, ReadSql } from '../sql/read-sql.ts';
import { limitSize, type Outcome, RESPONSE_SETTINGS, runStatement } from '../sql/run-statement.ts';
import { neededColumns } from '../sql/write-sql.ts';
import { handlersFor } from './handle-read.ts';
import { applySqlSettings, planResponse, preferenceApplied, rowsResponse } from './rows-response.ts';

type Arguments = { json: string } | { values: ReadonlyMap<string, readonly string[]> };

function callSql(plan: CallPlan, args: Arguments, keepsRow: boolean, parameters: Parameters): string {
  const { routine } = plan;
  const passed = routine.parameters.filter(({ name }) => plan.argumentNames.includes(name));
  let from = '';
  let list: string;
  if (plan.source === 'body') {
    list = parameters.as(routine.parameters[0]!.column.type, 'json' in args ? args.json : '');
  } else if ('json' in args) {
    const typed = passed.map(({ column }) => `${column.sql} ${column.type}`).join(', ');
    if (passed.length) from = `json_to_record(${parameters.text(args.json)}::json) as pgrst_args(${typed}), lateral `;
    list = passed
      .map(({ column, variadic }) => namedArgument(column.sql, variadic, `pgrst_args.${column.sql}`))
      .join(', ');
  } else {
    list = passed
      .map(({ name, column, variadic }) => {
        const values = args.values.get(name) ?? [];
        const text = variadic ? arrayLiteral(values) : (values.at(-1) ?? '');
        return namedArgument(column.sql, variadic, parameters.as(column.type, text));
      })
      .join(', ');
  }
  const call = `${routine.sql}(${list})`;
  if (routine.returns !== 'composite')
    return `select pgrst_call.${quoteName(SCALAR)} from ${from}${call} as pgrst_call(${quoteName(SCALAR)})`;
  return `select pgrst_call.*${keepsRow ? ', pgrst_call as pgrst_row' : ''} from ${from}${call} as pgrst_call`;
}

const namedArgument = (name: string, variadic: boolean, value: string) =>
  `${variadic ? 'variadic ' : ''}${name} => ${value}`;

export async function handleCall(exchange: Exchange, name: string): Promise<RestResponse> {
  const { method, preferences, limits } = exchange;
  if (method !== 'POST' && method !== 'GET' && method !== 'HEAD') throw errors.functionMethod(method);
  requireKnownPreferences(preferences);
  const byGet = method !== 'POST';
  const query = parseQuery(exchange.search, limits, byGet);
  const { plan, args } = byGet ? planGet(exchange, name, query) : await planPost(exchange, name, query);
  const { routine } = plan;
  applyRange(exchange, query.root);
  const isRows = routine.isSet;
  const isScalar = routine.returns !== 'composite' && query.select.length === 1;
  const media = mediaTypeOf(exchange.accept, mayDescribe(exchange), handlersFor(query, routine.result));
  const isCapped = preferences.handling === 'strict' && preferences.maxAffected !== null;
  if (isCapped && !isRows) throw errors.maxAffectedFunction();

  const read = planRead(exchange, query, routine.result);
  const keepsRow = routine.returns === 'composite' && neededColumns(read).row;
  const parameters = new Parameters();
  const called = callSql(plan, args, keepsRow, parameters);
  const sql = new ReadSql(read, parameters, { name: 'called', keepsRow });
  const shape = media.kind === 'array' && !isRows ? { ...media, kind: 'object' as const } : media;
  const statement = {
    text: limitSize(
      `with called as (${called}) select count(*)::int as rows,
      ${preferences.count ? `${sql.total()}::int` : 'null'} as total,
      ${routine.returns === 'void' ? 'null' : bodyText(shape, outputNames(read), isScalar)} as body,
      ${RESPONSE_SETTINGS} from (${sql.rows()}) pgrst_rows`,
      limits,
    ),
    values: parameters.values,
  };
  const readOnly = byGet || routine.volatility !== 'volatile';
  if (media.kind === 'plan') return planResponse(exchange, statement, media, readOnly);
  const isSingle = media.kind === 'object' && isRows;
  const check = ({ rows }: Outcome) => {
    if (isCapped && rows > preferences.maxAffected!) throw errors.maxAffected(rows);
    if (isSingle && rows !== 1) throw errors.notSingle(rows);
  };
  const outcome = await runStatement(exchange, statement, {
    readOnly,
    check: !readOnly && (isCapped || isSingle) ? check : null,
  });
  if (isCapped) check(outcome);
  if (routine.returns === 'void')
    return applySqlSettings(outcome, { status: 204, body: null, headers: preferenceApplied(exchange, {}) });
  const response = rowsResponse(
    exchange,
    isRows ? media : ({ ...media, kind: 'array' } as typeof media),
    read.offset,
    outcome,
  );
  // The client sends this for `head: true` when an argument does not fit into a URL.
  return preferences.return === 'minimal' ? { ...response, body: null } : response;
}

const BODY_KINDS = new Map<string, BodyKind>([
  ['text/plain', 'text'],
  ['text/xml', 'xml'],
  [BYTES_TYPE, 'bytea'],
  ['text/csv', 'fields'],
  ['application/x-www-form-urlencoded', 'fields'],
]);

interface PlannedCall {
  plan: CallPlan;
  args: Arguments;
}

function planGet({ schema, caller, cleanRichText }: Exchange, name: string, query: Query): PlannedCall {
  const values = Map.groupBy(query.args, ([key]) => key);
  const names = [...values.keys()];
  const routine = chooseRoutine(schema, name, names, null, caller.role);
  if (isUnnamed(routine)) return bodyCall(routine, JSON.stringify(Object.fromEntries(query.args)));
  const rich = new Set(routine.parameters.filter(({ column }) => column.isRichText).map(({ name: key }) => key));
  const texts = new Map(
    [...values].map(([key, pairs]) => [key, pairs.map(([, value]) => (rich.has(key) ? cleanRichText(value) : value))]),
  );
  return { plan: { routine, source: 'text', argumentNames: names }, args: { values: texts } };
}

async function planPost(exchange: Exchange, name: string, query: Query): Promise<PlannedCall> {
  const { schema, limits, caller, contentType, body } = exchange;
  const kind = BODY_KINDS.get(contentType) ?? 'json';
  if (isOneValue(kind)) {
    const routine = chooseRoutine(schema, name, [], kind, caller.role);
    if (!isUnnamed(routine)) return { plan: { routine, source: 'json', argumentNames: [] }, args: { json: '{}' } };
    return bodyCall(routine, kind === 'bytea' ? `\\x${(await body.bytes()).toString('hex')}` : await body.text());
  }
  const text = (await readPayload(exchange)) || '{}';
  const own = argumentNames(text, query.columns !== null, limits);
  const names = query.columns ?? own;
  const routine = chooseRoutine(schema, name, names, kind, caller.role);
  if (isUnnamed(routine)) return bodyCall(routine, text);
  const columns = routine.parameters.filter((parameter) => names.includes(parameter.name)).map(({ column }) => column);
  return {
    plan: { routine, source: 'json', argumentNames: names },
    args: { json: argumentsText(text, columns, exchange.cleanRichText) },
  };
}

const bodyCall = (routine: Routine, json: string): PlannedCall => ({
  plan: { routine, source: 'body', argumentNames: [] },
  args: { json },
});

const isUnnamed = ({ parameters }: Routine) => parameters[0]?.name === '';

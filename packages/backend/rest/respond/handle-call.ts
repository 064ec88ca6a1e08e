import { quoteName } from '../../database/database.ts';
import { BYTES_TYPE, type Parameter, type Routine, SCALAR } from '../catalog/catalog.ts';
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
import { planRead } from '../plan/plan-read.ts';
import { bodyText } from '../sql/body-sql.ts';
import { outputNames, ReadSql } from '../sql/read-sql.ts';
import { limitSize, type Outcome, RESPONSE_SETTINGS, runStatement } from '../sql/run-statement.ts';
import { neededColumns } from '../sql/write-sql.ts';
import { handlersFor } from './handle-read.ts';
import { applySqlSettings, planResponse, preferenceApplied, rowsResponse } from './rows-response.ts';

interface PlannedCall {
  routine: Routine;
  args:
    | { kind: 'body'; text: string }
    | { kind: 'json'; json: string; names: readonly string[] }
    | { kind: 'values'; values: ReadonlyMap<string, readonly string[]> };
}

function callSql({ routine, args }: PlannedCall, keepsRow: boolean, parameters: Parameters): string {
  let from = '';
  let list: string[];
  if (args.kind === 'body') list = [parameters.as(routine.parameters[0]!.column.type, args.text)];
  else if (args.kind === 'json') {
    const passed = routine.parameters.filter(({ name }) => args.names.includes(name));
    const typed = passed.map(({ column }) => `${column.sql} ${column.type}`).join(', ');
    if (passed.length) from = `json_to_record(${parameters.text(args.json)}::json) as pgrst_args(${typed}), lateral `;
    list = passed.map((parameter) => namedArgument(parameter, `pgrst_args.${parameter.column.sql}`));
  } else
    list = routine.parameters.flatMap((parameter) => {
      const values = args.values.get(parameter.name);
      if (!values) return [];
      const text = parameter.variadic ? arrayLiteral(values) : values.at(-1)!;
      return namedArgument(parameter, parameters.as(parameter.column.type, text));
    });
  const call = `${routine.sql}(${list.join(', ')})`;
  if (routine.returns !== 'composite')
    return `select pgrst_call.${quoteName(SCALAR)} from ${from}${call} as pgrst_call(${quoteName(SCALAR)})`;
  return `select pgrst_call.*${keepsRow ? ', pgrst_call as pgrst_row' : ''} from ${from}${call} as pgrst_call`;
}

const namedArgument = ({ column, variadic }: Parameter, value: string) =>
  `${variadic ? 'variadic ' : ''}${column.sql} => ${value}`;

export async function handleCall(exchange: Exchange, name: string): Promise<RestResponse> {
  const { method, preferences, limits } = exchange;
  if (method !== 'POST' && method !== 'GET' && method !== 'HEAD') throw errors.functionMethod(method);
  requireKnownPreferences(preferences);
  const byGet = method !== 'POST';
  const query = parseQuery(exchange.search, limits, byGet);
  const plan = byGet ? planGet(exchange, name, query) : await planPost(exchange, name, query);
  const { routine } = plan;
  applyRange(exchange, query.root);
  const isScalar = routine.returns !== 'composite' && query.select.length === 1;
  const media = mediaTypeOf(exchange.accept, mayDescribe(exchange), handlersFor(query, routine.result));
  const isCapped = preferences.handling === 'strict' && preferences.maxAffected !== null;
  if (isCapped && !routine.isSet) throw errors.maxAffectedFunction();

  const read = planRead(exchange, query, routine.result);
  const keepsRow = routine.returns === 'composite' && neededColumns(read).row;
  const parameters = new Parameters();
  const sql = new ReadSql(read, parameters, { name: 'called', keepsRow });
  const shape = media.kind === 'array' && !routine.isSet ? { ...media, kind: 'object' as const } : media;
  const text = `with called as (${callSql(plan, keepsRow, parameters)}) select count(*)::int as rows,
      ${preferences.count ? `${sql.total()}::int` : 'null'} as total,
      ${routine.returns === 'void' ? 'null' : bodyText(shape, outputNames(read), isScalar)} as body,
      ${RESPONSE_SETTINGS} from (${sql.rows()}) pgrst_rows`;
  const statement = { text: limitSize(text, limits), values: parameters.values };
  const readOnly = byGet || routine.volatility !== 'volatile';
  if (media.kind === 'plan') return planResponse(exchange, statement, media, readOnly);
  const isSingle = media.kind === 'object' && routine.isSet;
  const check = ({ rows }: Outcome) => {
    if (isCapped && rows > preferences.maxAffected!) throw errors.maxAffected(rows);
    if (isSingle && rows !== 1) throw errors.notSingle(rows);
  };
  const writeCheck = !readOnly && (isCapped || isSingle) ? check : null;
  const outcome = await runStatement(exchange, statement, { readOnly, check: writeCheck });
  if (isCapped) check(outcome);
  if (routine.returns === 'void')
    return applySqlSettings(outcome, { status: 204, body: null, headers: preferenceApplied(exchange, {}) });
  const rowsMedia = routine.isSet ? media : ({ ...media, kind: 'array' } as typeof media);
  const response = rowsResponse(exchange, rowsMedia, read.offset, outcome);
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

function planGet({ schema, caller, cleanRichText }: Exchange, name: string, query: Query): PlannedCall {
  const values = Map.groupBy(query.args, ([key]) => key);
  const routine = chooseRoutine(schema, name, [...values.keys()], null, caller.role);
  if (isUnnamed(routine)) return bodyCall(routine, JSON.stringify(Object.fromEntries(query.args)));
  const rich = new Set(routine.parameters.filter(({ column }) => column.isRichText).map(({ name: key }) => key));
  const texts = new Map(
    [...values].map(([key, pairs]) => [key, pairs.map(([, value]) => (rich.has(key) ? cleanRichText(value) : value))]),
  );
  return { routine, args: { kind: 'values', values: texts } };
}

async function planPost(exchange: Exchange, name: string, query: Query): Promise<PlannedCall> {
  const { schema, limits, caller, contentType, body } = exchange;
  const kind = BODY_KINDS.get(contentType) ?? 'json';
  if (isOneValue(kind)) {
    const routine = chooseRoutine(schema, name, [], kind, caller.role);
    if (!isUnnamed(routine)) return { routine, args: { kind: 'json', json: '{}', names: [] } };
    return bodyCall(routine, kind === 'bytea' ? `\\x${(await body.bytes()).toString('hex')}` : await body.text());
  }
  const text = (await readPayload(exchange)) || '{}';
  const own = argumentNames(text, query.columns !== null, limits);
  const names = query.columns ?? own;
  const routine = chooseRoutine(schema, name, names, kind, caller.role);
  if (isUnnamed(routine)) return bodyCall(routine, text);
  const columns = routine.parameters.filter((parameter) => names.includes(parameter.name)).map(({ column }) => column);
  return { routine, args: { kind: 'json', json: argumentsText(text, columns, exchange.cleanRichText), names } };
}

const bodyCall = (routine: Routine, text: string): PlannedCall => ({ routine, args: { kind: 'body', text } });

const isUnnamed = ({ parameters }: Routine) => parameters[0]?.name === '';

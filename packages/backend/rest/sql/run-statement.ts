import { type Connection, DatabaseError, type Result, type Statement } from '../../database/database.ts';
import { markRole, queryAsCaller, runAsCaller } from '../../database/run-as-caller.ts';
import type { Exchange } from '../exchange.ts';
import type { PlanType } from '../parse/media-type.ts';
import type { Limits } from '../plan/limits.ts';

export interface Outcome {
  rows: number;
  total: number | null;
  body: string | Uint8Array<ArrayBuffer> | null;
  tooMuch?: boolean;
  status: string | null;
  headers: string | null;
  inserted: number | null;
  location: string | null;
}

export const RESPONSE_SETTINGS = `nullif(current_setting('response.status', true), '') as status, nullif(current_setting('response.headers', true), '') as headers`;

export const limitSize = (text: string, { responseLength }: Limits): string =>
  `select rows, total, status, headers, coalesce(length(body), 0) > ${responseLength} as "tooMuch",
    case when length(body) <= ${responseLength} then body end as body from (${text}) pgrst_answer`;

const ROLLED_BACK = Symbol('rolled back on request');

type RunOptions = { readOnly: boolean; check?: ((outcome: Outcome) => void) | null };

// Deadlock and serialization failure: PostgreSQL aborted this transaction so that another could proceed.
const RETRYABLE = new Set(['40P01', '40001']);
const MAX_RETRIES = 2;

/** Retries a statement that PostgreSQL aborted in favour of another: it had no effect. */
export async function runStatement(exchange: Exchange, statement: Statement, options: RunOptions): Promise<Outcome> {
  const { readOnly, check } = options;
  const checkRow = check && ((result: Result<Outcome>) => check(onlyRow(result)));
  for (let attempt = 0; ; attempt++) {
    try {
      return onlyRow(await runOnce<Outcome>(exchange, statement, readOnly, checkRow));
    } catch (error) {
      if (!(error instanceof DatabaseError && RETRYABLE.has(error.code)) || attempt === MAX_RETRIES) throw error;
    }
  }
}

/** A single message unless the result may roll the statement back, which needs an interactive transaction. */
async function runOnce<Row>(
  exchange: Exchange,
  statement: Statement,
  readOnly: boolean,
  check?: ((result: Result<Row>) => void) | null,
): Promise<Result<Row>> {
  const { db, caller, request, preferences } = exchange;
  const settings = { readOnly, ...settingsOf(exchange) };
  const rollsBack = !readOnly && preferences.tx === 'rollback' && mayRollBack(exchange);
  if (!check && !rollsBack && preferences.timezone === null)
    return queryAsCaller<Row>(db, caller, request, statement, settings);
  let result: Result<Row> | undefined;
  const work = async (tx: Connection) => {
    if (preferences.timezone !== null)
      await tx.query(`select set_config('timezone', $1::text, true)`, [preferences.timezone]);
    result = await tx.query<Row>(markRole(caller.role, statement.text), statement.values);
    check?.(result);
    if (!rollsBack) return result;
    await tx.query('set constraints all immediate');
    throw ROLLED_BACK;
  };
  return runAsCaller(db, caller, request, work, settings).catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error;
    return result!;
  });
}

/** A broken engine may return nothing and report success. */
function onlyRow({ rows }: Result<Outcome>): Outcome {
  if (rows.length !== 1) throw new Error(`the statement returned ${rows.length} rows instead of one`);
  return rows[0]!;
}

type PlanFormat = Pick<PlanType, 'format' | 'options'>;

export async function explain(exchange: Exchange, statement: Statement, plan: PlanFormat, readOnly: boolean) {
  const { format, options } = plan;
  const text = `explain (${[`format ${format}`, ...options].join(', ')}) ${statement.text}`;
  const { rows } = await runOnce<{ 'QUERY PLAN': unknown }>(exchange, { ...statement, text }, readOnly);
  const lines = rows.map((row) => row['QUERY PLAN']);
  return format === 'json' ? (typeof lines[0] === 'string' ? lines[0] : JSON.stringify(lines[0])) : lines.join('\n');
}

const settingsOf = ({ caller, isAdmin, limits, searches, schema, api }: Exchange) => ({
  timeoutMs: limits.timeoutMs[isAdmin ? 'admin' : caller.role],
  heavy: searches.count > 0,
  unlimited: isAdmin,
  searchPath: [...new Set([schema.name, ...api.extra_search_path])],
});

export const mayRollBack = ({ api, caller }: Exchange): boolean => api.tx_override || caller.role === 'service_role';

import { type Connection, DatabaseError, type Result, type Statement } from '../../database/database.ts';
import { queryAsCaller, runAsCaller } from '../../database/run-as-caller.ts';
import type { Exchange } from '../exchange.ts';
import type { MediaType } from '../parse/media-type.ts';
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

export const withinAnswer = (text: string, { answer }: Limits): string =>
  `select rows, total, status, headers, coalesce(length(body), 0) > ${answer} as "tooMuch",
    case when length(body) <= ${answer} then body end as body from (${text}) pgrst_answer`;

/** Rolls back the transaction but keeps its outcome. */
class RolledBack extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('rolled back as asked');
    this.outcome = outcome;
  }
}

interface Running {
  readOnly: boolean;
  check?: ((outcome: Outcome) => void) | null;
}

// Deadlock and serialization failure: PostgreSQL aborted this transaction so that another could proceed.
const ENDED = new Set(['40P01', '40001']);
const TIMES_AGAIN = 2;

/** Retries a statement that PostgreSQL aborted in favour of another: it had no effect. */
export async function run(exchange: Exchange, statement: Statement, running: Running): Promise<Outcome> {
  for (let again = 0; ; again++) {
    try {
      return await runOnce(exchange, statement, running);
    } catch (error) {
      if (!(error instanceof DatabaseError && ENDED.has(error.code)) || again === TIMES_AGAIN) throw error;
    }
  }
}

/** One message when nothing can undo it afterwards, else an interactive transaction. */
async function runOnce(
  exchange: Exchange,
  statement: Statement,
  { readOnly, check = null }: Running,
): Promise<Outcome> {
  const { db, caller, request, preferences } = exchange;
  const options = { readOnly, ...allowance(exchange), searchPath: searchPath(exchange) };
  const undo = !readOnly && preferences.tx === 'rollback' && mayUndo(exchange);
  if (!check && !undo && preferences.timezone === null) {
    return only(await queryAsCaller<Outcome>(db, caller, request, statement, options));
  }
  try {
    const work = async (tx: Connection) => {
      if (preferences.timezone !== null)
        await tx.query(`select set_config('timezone', $1::text, true)`, [preferences.timezone]);
      const outcome = only(await tx.query<Outcome>(statement.text, statement.values));
      check?.(outcome);
      if (undo) throw new RolledBack(outcome);
      return outcome;
    };
    return await runAsCaller(db, caller, request, work, options);
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome;
    throw error;
  }
}

/** A broken engine may return nothing and report success. */
function only({ rows }: Result<Outcome>): Outcome {
  if (rows.length !== 1) throw new Error(`the statement returned ${rows.length} rows instead of one`);
  return rows[0]!;
}

export async function explain(
  exchange: Exchange,
  statement: Statement,
  { format, options }: Pick<Extract<MediaType, { kind: 'plan' }>, 'format' | 'options'>,
  readOnly: boolean,
): Promise<string> {
  const { db, caller, request } = exchange;
  const words = [`format ${format}`, ...options].join(', ');
  const { rows } = await queryAsCaller<{ 'QUERY PLAN': unknown }>(
    db,
    caller,
    request,
    { ...statement, text: `explain (${words}) ${statement.text}` },
    { readOnly, ...allowance(exchange), searchPath: searchPath(exchange) },
  );
  const lines = rows.map((row) => row['QUERY PLAN']);
  return format === 'json' ? (typeof lines[0] === 'string' ? lines[0] : JSON.stringify(lines[0])) : lines.join('\n');
}

const allowance = ({ caller, isAdmin, limits, searches }: Exchange) => ({
  timeoutMs: limits.timeoutMs[isAdmin ? 'admin' : caller.role],
  heavy: searches.count > 0,
  unlimited: isAdmin,
});

export const mayUndo = ({ rules, caller }: Exchange): boolean => rules.txOverride || caller.role === 'service_role';

const searchPath = ({ schema, rules }: Exchange) => [...new Set([schema.name, ...rules.extraSearchPath])];

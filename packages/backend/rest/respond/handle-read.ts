import type { MediaHandlers, Table } from '../catalog/catalog.ts';
import { type Exchange, mayDescribe, type RestResponse } from '../exchange.ts';
import { mediaTypeOf } from '../parse/media-type.ts';
import { Parameters } from '../parse/parameters.ts';
import { applyRange, parseQuery } from '../parse/query.ts';
import type { Query } from '../parse/request.ts';
import type { PlannedEmbed, PlannedLogic, ReadPlan } from '../plan/plan.ts';
import { planRead } from '../plan/plan-read.ts';
import { bodyText } from '../sql/body-sql.ts';
import { outputNames, ReadSql } from '../sql/read-sql.ts';
import { explain, limitSize, type Outcome, RESPONSE_SETTINGS, runStatement } from '../sql/run-statement.ts';
import { planResponse, rowsResponse } from './rows-response.ts';

/** A media type handler takes whole rows, so only `select=*` reaches one. */
export const handlersFor = ({ select }: Query, { handlers }: Table): MediaHandlers | undefined =>
  select.length === 1 && select[0]!.kind === 'column' && select[0]!.field.name === '*' && !select[0]!.aggregate
    ? handlers
    : undefined;

export async function handleRead(exchange: Exchange, table: Table): Promise<RestResponse> {
  const { limits, method } = exchange;
  const query = parseQuery(exchange.search, limits);
  applyRange(exchange, query.root);
  const media = mediaTypeOf(exchange.accept, mayDescribe(exchange), handlersFor(query, table));
  const plan = planRead(exchange, query, table);
  const parameters = new Parameters();
  const sql = new ReadSql(plan, parameters);
  const body = method === 'HEAD' && media.kind !== 'plan' ? 'null' : bodyText(media, outputNames(plan));
  const page = sql.rows();
  const countMode = countingOf(exchange, plan);
  const total = totalSql(countMode, sql, exchange);
  const text = `select count(*)::int as rows, ${total} as total, ${body} as body, ${RESPONSE_SETTINGS} from (${page}) pgrst_rows`;
  const statement = { text: limitSize(text, limits), values: parameters.values };
  if (media.kind === 'plan') return planResponse(exchange, statement, media, true);
  const outcome = await runStatement(exchange, statement, { readOnly: true });
  return rowsResponse(exchange, media, plan.offset, await withEstimate(countMode, exchange, plan, outcome));
}

type CountMode = 'exact' | 'planned' | 'estimated' | null;

/** The planner's estimate reveals hidden rows, so those are counted exactly (threat model TM-20). */
export function countingOf(exchange: Exchange, plan: ReadPlan): CountMode {
  const { count } = exchange.preferences;
  if (count !== 'planned' && count !== 'estimated') return count;
  return mayDescribe(exchange) || showsAll(plan) ? count : 'exact';
}

export function totalSql(mode: CountMode, sql: ReadSql, { api }: Exchange): string {
  if (mode === 'exact') return `${sql.total()}::int`;
  // One more than a page: beyond that the estimate suffices.
  return mode === 'estimated' ? `${sql.total(api.max_rows + 1)}::int` : 'null';
}

export async function withEstimate(mode: CountMode, exchange: Exchange, plan: ReadPlan, outcome: Outcome) {
  const counted = outcome.total ?? 0;
  const isEstimated = mode === 'planned' || (mode === 'estimated' && counted > exchange.api.max_rows);
  return isEstimated ? { ...outcome, total: Math.max(counted, await plannedRows(exchange, plan)) } : outcome;
}

async function plannedRows(exchange: Exchange, plan: ReadPlan): Promise<number> {
  const parameters = new Parameters();
  const statement = { text: new ReadSql(plan, parameters).counted(), values: parameters.values };
  const explained = await explain(exchange, statement, { format: 'json', options: [] }, true);
  const [{ Plan: plannedRoot }] = JSON.parse(explained) as [{ Plan: { 'Plan Rows': number } }];
  return plannedRoot['Plan Rows'];
}

/** True when no table that affects the count hides rows from any caller. */
const showsAll = ({ table, where, embeds }: ReadPlan): boolean =>
  table.showsAll && where.every(logicShowsAll) && embeds.filter(({ inner }) => inner).every(embedShowsAll);

function logicShowsAll(logic: PlannedLogic): boolean {
  if (logic.kind === 'filter') return true;
  return logic.kind === 'related' ? embedShowsAll(logic.embed as PlannedEmbed) : logic.parts.every(logicShowsAll);
}

const embedShowsAll = (embed: PlannedEmbed): boolean =>
  embed.relationship.routine === null && (embed.relationship.junction?.table.showsAll ?? true) && showsAll(embed);

import { type Exchange, mayDescribe } from '../exchange.ts';
import { Parameters } from '../parse/parameters.ts';
import type { PlannedEmbed, PlannedLogic, ReadPlan } from '../plan/plan.ts';
import { ReadSql } from './read-sql.ts';
import { explain, type Outcome } from './run-statement.ts';

type CountMode = 'exact' | 'planned' | 'estimated' | null;

/** The planner's estimate reveals hidden rows, so those are counted exactly (threat model TM-20). */
export function countingOf(exchange: Exchange, plan: ReadPlan): CountMode {
  const { count } = exchange.preferences;
  if (count !== 'planned' && count !== 'estimated') return count;
  return mayDescribe(exchange) || showsAll(plan) ? count : 'exact';
}

export function totalSql(mode: CountMode, sql: ReadSql, { rules }: Exchange): string {
  if (mode === 'exact') return `${sql.total()}::int`;
  // One more than a page: beyond that the estimate suffices.
  return mode === 'estimated' ? `${sql.total(rules.maxRows + 1)}::int` : 'null';
}

export async function withEstimate(
  mode: CountMode,
  exchange: Exchange,
  plan: ReadPlan,
  outcome: Outcome,
): Promise<Outcome> {
  const counted = outcome.total ?? 0;
  const isEstimated = mode === 'planned' || (mode === 'estimated' && counted > exchange.rules.maxRows);
  return isEstimated ? { ...outcome, total: Math.max(counted, await plannedRows(exchange, plan)) } : outcome;
}

async function plannedRows(exchange: Exchange, plan: ReadPlan): Promise<number> {
  const parameters = new Parameters();
  const text = new ReadSql(plan, parameters).counted();
  const statement = { text, values: parameters.values };
  const explained = JSON.parse(await explain(exchange, statement, { format: 'json', options: [] }, true)) as [
    { Plan: { 'Plan Rows': number } },
  ];
  return explained[0].Plan['Plan Rows'];
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

import { quoteName } from '../../database/database.ts';
import type { Column } from '../catalog/catalog.ts';
import type { Parameters } from '../parse/parameters.ts';
import type { PlannedEmbed, PlannedLogic, ReadPlan, WritePlan } from '../plan/plan.ts';
import { filterSql } from './filter-sql.ts';
import { ownColumns, whereSql } from './read-sql.ts';

const BODY = 'pgrst_body';
const TARGET = '"pgrst_target"';

export type BodyRows = { json: string; count: number };

/** Columns to return, and the row itself for functions of it. */
export type Returning = { columns: readonly string[] | 'all'; row: boolean };

export function writeSql(plan: WritePlan, body: BodyRows | null, returning: Returning, parameters: Parameters): string {
  const returned = columnsSql(returning);
  const returningClause = ` returning ${returned}`;
  const where = (alias: string) => whereSql(plan.where.map((logic) => logicSql(logic, alias, parameters)));
  if (plan.verb === 'delete') return `delete from ${plan.table.sql} as ${TARGET}${where(TARGET)}${returningClause}`;
  if (plan.verb === 'update') {
    if (plan.columns.length === 0) return `select ${returned} from ${plan.table.sql} as ${TARGET} where false`;
    const set = plan.columns.map(({ sql }) => `${sql} = ${BODY}.${sql}`).join(', ');
    return `update ${plan.table.sql} as ${TARGET} set ${set} from (${bodySql(plan, body!, parameters)}) ${BODY}${where(TARGET)}${returningClause}`;
  }
  const into = `insert into ${plan.table.sql} as ${TARGET}`;
  if (plan.columns.length === 0) return `${into} select from generate_series(1, ${body!.count})${returningClause}`;
  const names = plan.columns.map(({ sql }) => sql).join(', ');
  const rows = `select ${names} from (${bodySql(plan, body!, parameters)}) ${BODY}${plan.mustMatch ? where(BODY) : ''}`;
  return `${into} (${names}) ${rows}${conflictSql(plan)}${returningClause}`;
}

function bodySql({ columns, applyDefaults }: WritePlan, body: BodyRows, parameters: Parameters): string {
  const typed = columns.map(({ sql, type }) => `${sql} ${type}`).join(', ');
  if (!applyDefaults)
    return `select * from json_to_recordset(${parameters.text(body.json)}::json) as pgrst_values(${typed})`;
  const value = (column: Column) =>
    column.default === null
      ? `pgrst_values.${column.sql}`
      : `case when pgrst_element.data ? ${parameters.text(column.name)} then pgrst_values.${column.sql} else ${column.default} end as ${column.sql}`;
  return `select ${columns.map(value).join(', ')} from jsonb_array_elements(${parameters.text(body.json)}::jsonb) as pgrst_element(data), lateral jsonb_to_record(pgrst_element.data) as pgrst_values(${typed})`;
}

function conflictSql({ conflict, columns }: WritePlan): string {
  if (!conflict) return '';
  const target = ` on conflict (${conflict.columns.map(({ sql }) => sql).join(', ')})`;
  if (!conflict.merge) return `${target} do nothing`;
  const others = columns.filter((column) => !conflict.columns.includes(column));
  // With no other column to set, set the key itself, so that the row is returned.
  const set = (others.length ? others : columns).map(({ sql }) => `${sql} = excluded.${sql}`);
  return `${target} do update set ${set.join(', ')}`;
}

function columnsSql({ columns, row }: Returning): string {
  const list = columns === 'all' ? [`${TARGET}.*`] : columns.map((name) => `${TARGET}.${quoteName(name)}`);
  if (row) list.push(`${TARGET} as pgrst_row`);
  return list.length ? list.join(', ') : '1';
}

function logicSql(logic: PlannedLogic, alias: string, parameters: Parameters): string {
  if (logic.kind === 'filter') return filterSql(logic, { alias, wholeRow: `${alias}.*` }, parameters);
  // A write has no embeds, so its filters cannot refer to one.
  if (logic.kind === 'related') return 'false';
  const parts = logic.parts.map((part) => logicSql(part, alias, parameters)).join(` ${logic.kind} `);
  return logic.negated ? `not (${parts})` : `(${parts})`;
}

/** Only needed columns are returned, so that column grants suffice. */
export function neededColumns(plan: ReadPlan): Returning {
  const columns = new Set<string>();
  let row = false;
  const need = (field: { column: Column; computed: string | null } | null) => {
    if (field?.computed) row = true;
    else if (field) columns.add(field.column.name);
  };
  for (const item of plan.items) if (item.kind === 'value') need(item.field);
  for (const { field, embed } of plan.order) if (!embed) need(field);
  const orderedBy = plan.order.flatMap((term) => (term.embed ? [term.embed as PlannedEmbed] : []));
  for (const embed of [...plan.embeds, ...orderedBy]) {
    if (embed.relationship.routine) row = true;
    for (const name of ownColumns(embed)) columns.add(name);
  }
  return { columns: plan.items.some(({ kind }) => kind === 'all') ? 'all' : [...columns], row };
}

/** An outer query still sees the table as it was, so it can count new rows. */
export function insertedSql({ table, conflict }: WritePlan): string {
  const same = conflict!.columns.map(({ sql }) => `pgrst_before.${sql} = written.${sql}`).join(' and ');
  return `(select count(*) from written where not exists (select 1 from ${table.sql} pgrst_before where ${same}))`;
}

import type { Column, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { type JsonBody, readPayload, readRows, requireEqualKeys, rowsText } from '../parse/body.ts';
import type { Query } from '../parse/request.ts';
import type { BodyRows } from '../sql/write-sql.ts';
import type { WritePlan } from './plan.ts';
import { planFilters } from './plan-read.ts';

type PlannedWrite = { plan: WritePlan; body: BodyRows | null };

const DEFAULTS = { columns: [], conflict: null, applyDefaults: false, where: [], mustMatch: false };

const PLANNERS: Record<string, typeof planInsert> = { POST: planInsert, PUT: planPut, PATCH: planUpdate };

export const planWrite = (exchange: Exchange, table: Table, query: Query): Promise<PlannedWrite> =>
  (PLANNERS[exchange.method] ?? planDelete)(exchange, table, query);

async function planInsert(exchange: Exchange, table: Table, query: Query): Promise<PlannedWrite> {
  const { limits, caller, preferences } = exchange;
  const rows = readRows(await readPayload(exchange), limits, limits.rows[caller.role]);
  const columns = writtenColumns(rows, table, query);
  const target =
    preferences.resolution && columns.length
      ? columnsNamed(query.onConflict ?? table.primaryKey, table, errors.undefinedColumn)
      : [];
  const conflict = target.length ? { columns: target, merge: preferences.resolution === 'merge-duplicates' } : null;
  const applyDefaults = preferences.missing === 'default';
  return withBody(exchange, { ...DEFAULTS, verb: 'insert', table, columns, conflict, applyDefaults }, rows);
}

async function planPut(exchange: Exchange, table: Table, query: Query): Promise<PlannedWrite> {
  const { root } = query;
  if (/(^|&)(limit|offset)=/.test(exchange.search)) throw errors.putLimit();
  const key = new Set(table.primaryKey);
  const isKeyFilter =
    key.size > 0 &&
    root.filters.length === key.size &&
    root.filters.every(
      (filter) =>
        filter.kind === 'filter' &&
        filter.operator === 'eq' &&
        !filter.negated &&
        filter.quantifier === null &&
        filter.field.path.length === 0 &&
        key.delete(filter.field.name),
    );
  if (!isKeyFilter || key.size) throw errors.putFilters();
  const rows = readRows(await readPayload(exchange), exchange.limits, 1);
  const columns = writtenColumns(rows, table, query);
  const target = table.primaryKey.map((name) => table.columns.get(name)!);
  if (!target.every((column) => columns.includes(column))) throw errors.putKey();
  const conflict = { columns: target, merge: true };
  const where = planFilters(exchange, root.filters, table);
  return withBody(exchange, { ...DEFAULTS, verb: 'insert', table, columns, conflict, where, mustMatch: true }, rows);
}

async function planUpdate(exchange: Exchange, table: Table, query: Query): Promise<PlannedWrite> {
  const rows = readRows(await readPayload(exchange), exchange.limits, 1);
  const columns = writtenColumns(rows, table, query);
  // An update without columns changes nothing, so it needs no filter.
  if (columns.length && query.root.filters.length === 0) throw errors.noWhere('UPDATE');
  const applyDefaults = exchange.preferences.missing === 'default';
  const where = planFilters(exchange, query.root.filters, table);
  return withBody(exchange, { ...DEFAULTS, verb: 'update', table, columns, applyDefaults, where }, rows);
}

async function planDelete(exchange: Exchange, table: Table, query: Query): Promise<PlannedWrite> {
  if (query.root.filters.length === 0) throw errors.noWhere('DELETE');
  const where = planFilters(exchange, query.root.filters, table);
  return { plan: { ...DEFAULTS, verb: 'delete', table, where }, body: null };
}

const withBody = ({ cleanRichText }: Exchange, plan: WritePlan, rows: JsonBody): PlannedWrite => ({
  plan,
  body: { json: rowsText(rows, plan.columns, cleanRichText), count: rows.rows.length },
});

function writtenColumns(rows: JsonBody, table: Table, query: Query): Column[] {
  if (!query.columns) requireEqualKeys(rows);
  return columnsNamed(query.columns ?? rows.keys, table, errors.noColumn);
}

const columnsNamed = (names: readonly string[], { name: table, columns }: Table, error: typeof errors.noColumn) =>
  names.map((name) => {
    const column = columns.get(name);
    if (!column) throw error(table, name);
    return column;
  });

import { quoteName } from '../../database/database.ts';
import { errors } from '../errors.ts';
import type { Parameters } from '../parse/parameters.ts';
import type { PlannedEmbed, PlannedField, PlannedItem, PlannedLogic, PlannedOrder, ReadPlan } from '../plan/plan.ts';
import { ALIAS_SUFFIXES } from '../plan/plan.ts';
import { fieldSql, filterSql, type RowReference } from './filter-sql.ts';

export interface Source {
  name: string;
  /** Keeps the row itself in column `pgrst_row`, because functions need it with its type. */
  keepsRow: boolean;
}

type Value = Extract<PlannedItem, { kind: 'value' }>;

const PLAIN = { kind: 'value', cast: null, aggregate: null, aggregateCast: null, likeColumn: false } as const;

/** Embeds are subqueries that return JSON, run only for the rows of the page. */
export class ReadSql {
  readonly #parameters: Parameters;
  readonly #root: ReadPlan;
  readonly #source: Source | null;
  constructor(root: ReadPlan, parameters: Parameters, source: Source | null = null) {
    this.#root = root;
    this.#parameters = parameters;
    this.#source = source;
  }

  rows = () => this.#rows(this.#root, this.#from(), [], this.#root.limit, this.#root.offset);

  total(maximum: number | null = null): string {
    return `(select count(*) from (${this.counted()}${maximum === null ? '' : ` limit ${maximum}`}) pgrst_counted)`;
  }

  counted(): string {
    if (isAggregated(this.#root)) return this.#rows({ ...this.#root, order: [] }, this.#from(), [], null, 0);
    return `select from ${this.#from()}${whereSql(this.#conditions(this.#root))}`;
  }

  #from = () => `${this.#source?.name ?? this.#root.table.sql} ${this.#root.alias}`;

  #reference(plan: ReadPlan): RowReference {
    const keepsRow = plan.alias === this.#root.alias && this.#source?.keepsRow;
    return { alias: plan.alias, wholeRow: keepsRow ? `${plan.alias}.pgrst_row` : `${plan.alias}.*` };
  }

  /** @param isLifted the rows are spread into a grouping level: aggregates move there, JSON must be comparable */
  #rows(
    plan: ReadPlan,
    from: string,
    joins: readonly string[],
    limit: number | null,
    offset: number,
    isLifted = false,
  ): string {
    const isGrouped = !isLifted && isAggregated(plan);
    const groupedBy: string[] = [];
    const select: string[] = [];
    const laterals: string[] = [];
    for (const item of this.#expanded(plan, isGrouped)) {
      if (item.kind === 'all') {
        select.push(`${plan.alias}.*`);
        continue;
      }
      const sql = isLifted && isAggregate(item) ? this.#plain(item, plan) : this.#value(item, plan);
      if (isGrouped && !item.aggregate) groupedBy.push(sql);
      select.push(`${sql} as ${quoteName(item.name)}`);
    }
    for (const embed of plan.embeds) {
      if (embed.spread) {
        const alias = withSuffix(embed.alias, ALIAS_SUFFIXES.spread);
        laterals.push(` left join lateral (${this.#spread(embed, plan, isGrouped || isLifted)}) ${alias} on true`);
        for (const { name, aggregate } of spreadColumns(embed)) {
          const value = `${alias}.${quoteName(name)}`;
          if (isGrouped && aggregate) select.push(`${aggregateSql(aggregate, value)} as ${quoteName(name)}`);
          else {
            select.push(value);
            groupedBy.push(value);
          }
        }
      } else if (!embed.silent) {
        select.push(`${this.#json(embed, plan)}${isLifted ? '::jsonb' : ''} as ${quoteName(embed.name)}`);
        for (const column of ownColumns(embed)) groupedBy.push(`${plan.alias}.${quoteName(column)}`);
      }
    }
    const order = plan.order.length
      ? ` order by ${plan.order.map((term) => this.#order(term, plan, isGrouped)).join(', ')}`
      : '';
    return [
      `select ${select.join(', ')} from ${from}${laterals.join('')}`,
      whereSql([...joins, ...this.#conditions(plan)]),
      isGrouped && groupedBy.length ? ` group by ${[...new Set(groupedBy)].join(', ')}` : '',
      order,
      pageSql(limit, offset),
    ].join('');
  }

  /** `*` as column names where the bare star would select too much. */
  #expanded(plan: ReadPlan, isGrouped: boolean): readonly PlannedItem[] {
    const keepsRow = plan.alias === this.#root.alias && this.#source?.keepsRow;
    if (!isGrouped && !keepsRow) return plan.items;
    return plan.items.flatMap((item): PlannedItem[] => {
      if (item.kind !== 'all') return [item];
      const columns = [...plan.table.columns.values()];
      return columns.map((column) => ({ ...PLAIN, field: { column, computed: null, path: [] }, name: column.name }));
    });
  }

  #value(item: Value, plan: ReadPlan): string {
    const sql = item.field ? this.#plain(item, plan) : '*';
    return item.aggregate ? aggregateSql(item, sql) : sql;
  }

  /** A value before aggregation. For `count` of all columns, an expression that is null only in missing rows. */
  #plain({ field, cast }: Value, plan: ReadPlan): string {
    const sql = field ? fieldSql(field, this.#reference(plan), this.#parameters) : 'true';
    return cast ? `cast(${sql} as ${cast})` : sql;
  }

  #json(embed: PlannedEmbed, parent: ReadPlan): string {
    const value = embed.relationship.toOne ? 'row_to_json(pgrst_row.*)' : "coalesce(json_agg(pgrst_row.*), '[]')";
    return `(select ${value} from (${this.#related(embed, parent)}) pgrst_row)`;
  }

  #spread(embed: PlannedEmbed, parent: ReadPlan, isLifted: boolean): string {
    if (embed.relationship.toOne) return this.#related(embed, parent, isLifted);
    if (isAggregated(embed))
      throw errors.notOffered('Aggregates are not implemented for one-to-many or many-to-many spreads.');
    const arrays = [...new Set(outputNames(embed))].map(
      (name) =>
        `coalesce(json_agg(pgrst_row.${quoteName(name)}), '[]')${isLifted ? '::jsonb' : ''} as ${quoteName(name)}`,
    );
    return `select ${arrays.join(', ')} from (${this.#related(embed, parent)}) pgrst_row`;
  }

  #related(embed: PlannedEmbed, parent: ReadPlan, isLifted = false): string {
    const { from, joins } = this.#branch(embed, parent);
    const limit = embed.relationship.toOne ? Math.min(1, embed.limit ?? 1) : embed.limit;
    return this.#rows(embed, from, joins, limit, embed.offset, isLifted);
  }

  #branch(embed: PlannedEmbed, parent: ReadPlan): { from: string; joins: string[] } {
    const { relationship, alias } = embed;
    const { junction, routine } = relationship;
    if (routine) return { from: `${routine}(${this.#reference(parent).wholeRow}) ${alias}`, joins: [] };
    const table = `${embed.table.sql} ${alias}`;
    if (!junction) return { from: table, joins: joinsSql(relationship.columns, parent.alias, alias) };
    const via = withSuffix(alias, ALIAS_SUFFIXES.junction);
    const target = joinsSql(junction.target, via, alias).join(' and ');
    const joins = joinsSql(junction.source, parent.alias, via);
    return { from: `${junction.table.sql} ${via} join ${table} on ${target}`, joins };
  }

  #conditions(plan: ReadPlan): string[] {
    return [
      ...plan.where.map((logic) => this.#logic(logic, plan)),
      ...plan.embeds.filter(({ inner }) => inner).map((embed) => this.#exists(embed, plan)),
    ];
  }

  #exists(embed: PlannedEmbed, parent: ReadPlan): string {
    const { from, joins } = this.#branch(embed, parent);
    return `exists (select 1 from ${from}${whereSql([...joins, ...this.#conditions(embed)])}${pageSql(embed.limit, embed.offset)})`;
  }

  #logic(logic: PlannedLogic, plan: ReadPlan): string {
    if (logic.kind === 'filter') return filterSql(logic, this.#reference(plan), this.#parameters);
    if (logic.kind === 'related') {
      const exists = this.#exists(logic.embed as PlannedEmbed, plan);
      return logic.exists ? exists : `not ${exists}`;
    }
    const parts = logic.parts.map((part) => this.#logic(part, plan)).join(` ${logic.kind} `);
    return logic.negated ? `not (${parts})` : `(${parts})`;
  }

  #order({ field, embed, key, direction, nulls }: PlannedOrder, plan: ReadPlan, isGrouped: boolean): string {
    const spread = isGrouped && key !== null && plan.embeds.find((each) => each === embed && each.spread);
    const sql = spread
      ? `${withSuffix(spread.alias, ALIAS_SUFFIXES.spread)}.${quoteName(key)}`
      : embed
        ? this.#relatedValue(field, embed as PlannedEmbed, plan)
        : fieldSql(field, this.#reference(plan), this.#parameters);
    return `${sql}${direction ? ` ${direction}` : ''}${nulls ? ` nulls ${nulls}` : ''}`;
  }

  #relatedValue(field: PlannedField, embed: PlannedEmbed, parent: ReadPlan): string {
    const { from, joins } = this.#branch(embed, parent);
    const value = fieldSql(field, this.#reference(embed), this.#parameters);
    return `(select ${value} from ${from}${whereSql([...joins, ...this.#conditions(embed)])} limit 1)`;
  }
}

const pageSql = (limit: number | null, offset: number) =>
  `${limit === null ? '' : ` limit ${limit}`}${offset ? ` offset ${offset}` : ''}`;

const joinsSql = (pairs: PlannedEmbed['relationship']['columns'], from: string, to: string): string[] =>
  pairs.map(([own, other]) => `${to}.${quoteName(other)} = ${from}.${quoteName(own)}`);

const withSuffix = (alias: string, letter: string): string => `${alias.slice(0, -1)}${letter}"`;

const isAggregate = (item: PlannedItem): item is Value =>
  item.kind === 'value' && item.aggregate !== null && !item.likeColumn;

const isAggregated = ({ items, embeds }: ReadPlan): boolean =>
  items.some(isAggregate) || embeds.some((embed) => embed.spread && embed.relationship.toOne && isAggregated(embed));

function aggregateSql({ aggregate, aggregateCast }: Value, value: string): string {
  const sql = `${aggregate}(${value})`;
  return aggregateCast ? `cast(${sql} as ${aggregateCast})` : sql;
}

function spreadColumns(embed: PlannedEmbed): { name: string; aggregate: Value | null }[] {
  const aggregates = new Map<string, Value>();
  const collect = ({ items, embeds }: ReadPlan) => {
    for (const item of items) if (isAggregate(item)) aggregates.set(item.name, item);
    for (const inner of embeds) if (inner.spread) collect(inner);
  };
  if (embed.relationship.toOne) collect(embed);
  return [...new Set(outputNames(embed))].map((name) => ({ name, aggregate: aggregates.get(name) ?? null }));
}

export const whereSql = (conditions: readonly string[]): string =>
  conditions.length ? ` where ${conditions.join(' and ')}` : '';

export const ownColumns = ({ relationship }: PlannedEmbed): string[] =>
  (relationship.junction?.source ?? relationship.columns).map(([own]) => own);

export function outputNames(plan: ReadPlan): string[] {
  const own = plan.items.flatMap((item) => (item.kind === 'all' ? [...plan.table.columns.keys()] : [item.name]));
  const embedded = plan.embeds.flatMap((embed) =>
    embed.spread ? outputNames(embed) : embed.silent ? [] : [embed.name],
  );
  return [...own, ...embedded];
}

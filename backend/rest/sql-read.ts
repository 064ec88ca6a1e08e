import { quoteName } from '../database/database.ts';

import { errors } from './errors.ts';
import type { Parameters } from './parameters.ts';
import type { PlannedEmbed, PlannedField, PlannedItem, PlannedLogic, PlannedOrder, ReadPlan } from './plan.ts';
import { fieldSql, filterSql, type RowReference } from './sql-filter.ts';

/** Where the rows of the root come from when not from its table: a common table expression of a write or a call. */
export interface Source {
  name: string;
  /** The row itself is kept in column `pgrst_row`, because functions want it with its type. */
  keepsRow: boolean;
}

type Value = Extract<PlannedItem, { kind: 'value' }>;

/** Writes a read plan down as SQL; embeds are subqueries that answer JSON, run only for the rows of the page. */
export class ReadSql {
  readonly #parameters: Parameters;
  readonly #root: ReadPlan;
  readonly #source: Source | null;
  constructor(root: ReadPlan, parameters: Parameters, source: Source | null = null) {
    this.#root = root;
    this.#parameters = parameters;
    this.#source = source;
  }

  /** The page of root rows, embeds included. */
  rows(): string {
    return this.#rows(this.#root, this.#from(), [], this.#root.limit, this.#root.offset);
  }

  /** How many root rows there are without limit and offset. */
  total(): string {
    if (hasAggregate(this.#root)) {
      return `(select count(*) from (${this.#rows({ ...this.#root, order: [] }, this.#from(), [], null, 0)}) pgrst_groups)`;
    }
    return `(select count(*) from ${this.#from()}${whereSql(this.#conditions(this.#root))})`;
  }

  #from(): string {
    return `${this.#source?.name ?? this.#root.table.sql} ${this.#root.alias}`;
  }

  #reference(plan: ReadPlan): RowReference {
    const keepsRow = plan.alias === this.#root.alias && this.#source?.keepsRow;
    return { alias: plan.alias, wholeRow: keepsRow ? `${plan.alias}.pgrst_row` : `${plan.alias}.*` };
  }

  #rows(plan: ReadPlan, from: string, joins: readonly string[], limit: number | null, offset: number): string {
    const grouped = hasAggregate(plan);
    const groups: string[] = [];
    const select: string[] = [];
    const laterals: string[] = [];
    for (const item of this.#expanded(plan, grouped)) {
      if (item.kind === 'all') {
        select.push(`${plan.alias}.*`);
        continue;
      }
      const sql = this.#value(item, plan);
      if (grouped && !item.aggregate) groups.push(sql);
      select.push(`${sql} as ${quoteName(item.name)}`);
    }
    for (const embed of plan.embeds) {
      if (embed.spread) {
        const alias = this.#suffixed(embed.alias, 's');
        laterals.push(` left join lateral (${this.#spread(embed, plan)}) ${alias} on true`);
        const names = outputNames(embed).map((name) => `${alias}.${quoteName(name)}`);
        select.push(...names);
        groups.push(...names);
      } else if (!embed.silent) {
        select.push(`${this.#json(embed, plan)} as ${quoteName(embed.name)}`);
        for (const column of ownColumns(embed)) groups.push(`${plan.alias}.${quoteName(column)}`);
      }
    }
    const order = plan.order.length ? ` order by ${plan.order.map((term) => this.#order(term, plan)).join(', ')}` : '';
    return [
      `select ${select.join(', ')} from ${from}${laterals.join('')}`,
      whereSql([...joins, ...this.#conditions(plan)]),
      grouped && groups.length ? ` group by ${[...new Set(groups)].join(', ')}` : '',
      order,
      limit === null ? '' : ` limit ${limit}`,
      offset ? ` offset ${offset}` : '',
    ].join('');
  }

  /** `*` as column names where the bare star would bring too much. */
  #expanded(plan: ReadPlan, grouped: boolean): readonly PlannedItem[] {
    const keepsRow = plan.alias === this.#root.alias && this.#source?.keepsRow;
    if (!grouped && !keepsRow) return plan.items;
    return plan.items.flatMap((item): PlannedItem[] =>
      item.kind === 'all'
        ? [...plan.table.columns.values()].map((column) => plainValue({ column, computed: null, path: [] }))
        : [item],
    );
  }

  #value({ field, cast, aggregate, aggregateCast }: Value, plan: ReadPlan): string {
    let sql = field ? fieldSql(field, this.#reference(plan), this.#parameters) : '*';
    if (cast) sql = `cast(${sql} as ${cast})`;
    if (aggregate) sql = `${aggregate}(${sql})`;
    return aggregateCast ? `cast(${sql} as ${aggregateCast})` : sql;
  }

  /** One embed as JSON: an object or null, or an array. */
  #json(embed: PlannedEmbed, parent: ReadPlan): string {
    const { from, joins } = this.#branch(embed, parent);
    if (embed.relationship.toOne) {
      const rows = this.#rows(embed, from, joins, Math.min(1, embed.limit ?? 1), embed.offset);
      return `(select row_to_json(pgrst_row.*) from (${rows}) pgrst_row)`;
    }
    const rows = this.#rows(embed, from, joins, embed.limit, embed.offset);
    return `(select coalesce(json_agg(pgrst_row.*), '[]') from (${rows}) pgrst_row)`;
  }

  /** One embed as columns of its parent; each is an array when there may be many rows. */
  #spread(embed: PlannedEmbed, parent: ReadPlan): string {
    const { from, joins } = this.#branch(embed, parent);
    if (embed.relationship.toOne) {
      if (hasAggregate(embed)) throw errors.notOffered('Aggregates inside a spread to-one embed are not supported');
      return this.#rows(embed, from, joins, Math.min(1, embed.limit ?? 1), embed.offset);
    }
    const rows = this.#rows(embed, from, joins, embed.limit, embed.offset);
    const arrays = outputNames(embed).map(
      (name) => `coalesce(json_agg(pgrst_row.${quoteName(name)}), '[]') as ${quoteName(name)}`,
    );
    return `select ${arrays.join(', ')} from (${rows}) pgrst_row`;
  }

  #branch(embed: PlannedEmbed, parent: ReadPlan): { from: string; joins: string[] } {
    const { relationship, alias } = embed;
    const { junction, routine } = relationship;
    if (routine) return { from: `${routine}(${this.#reference(parent).wholeRow}) ${alias}`, joins: [] };
    if (!junction) {
      const joins = relationship.columns.map(
        ([own, other]) => `${alias}.${quoteName(other)} = ${parent.alias}.${quoteName(own)}`,
      );
      return { from: `${embed.table.sql} ${alias}`, joins };
    }
    const via = this.#suffixed(alias, 'j');
    return {
      from: `${junction.table.sql} ${via} join ${embed.table.sql} ${alias} on ${junction.target
        .map(([own, other]) => `${alias}.${quoteName(other)} = ${via}.${quoteName(own)}`)
        .join(' and ')}`,
      joins: junction.source.map(([own, other]) => `${via}.${quoteName(other)} = ${parent.alias}.${quoteName(own)}`),
    };
  }

  #suffixed(alias: string, letter: string): string {
    return `${alias.slice(0, -1)}${letter}"`;
  }

  /** Filters of a level, and the inner embeds every row needs a match in. */
  #conditions(plan: ReadPlan): string[] {
    return [
      ...plan.where.map((logic) => this.#logic(logic, plan)),
      ...plan.embeds.filter(({ inner }) => inner).map((embed) => this.#exists(embed, plan)),
    ];
  }

  #exists(embed: PlannedEmbed, parent: ReadPlan): string {
    const { from, joins } = this.#branch(embed, parent);
    return `exists (select 1 from ${from}${whereSql([...joins, ...this.#conditions(embed)])})`;
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

  #order({ field, embed, direction, nulls }: PlannedOrder, plan: ReadPlan): string {
    const sql = embed
      ? this.#related(field, embed as PlannedEmbed, plan)
      : fieldSql(field, this.#reference(plan), this.#parameters);
    return `${sql}${direction ? ` ${direction}` : ''}${nulls ? ` nulls ${nulls}` : ''}`;
  }

  #related(field: PlannedField, embed: PlannedEmbed, parent: ReadPlan): string {
    const { from, joins } = this.#branch(embed, parent);
    const value = fieldSql(field, this.#reference(embed), this.#parameters);
    return `(select ${value} from ${from}${whereSql([...joins, ...this.#conditions(embed)])} limit 1)`;
  }
}

const plainValue = (field: PlannedField): Value => ({
  kind: 'value',
  field,
  name: field.column.name,
  cast: null,
  aggregate: null,
  aggregateCast: null,
});

const hasAggregate = (plan: ReadPlan) => plan.items.some((item) => item.kind === 'value' && item.aggregate !== null);

export const whereSql = (conditions: readonly string[]): string =>
  conditions.length ? ` where ${conditions.join(' and ')}` : '';

/** Columns of the parent that an embed is joined by. */
export const ownColumns = ({ relationship }: PlannedEmbed): string[] =>
  (relationship.junction?.source ?? relationship.columns).map(([own]) => own);

/** Keys of a plan's rows, in order. */
export function outputNames(plan: ReadPlan): string[] {
  const own = plan.items.flatMap((item) => (item.kind === 'all' ? [...plan.table.columns.keys()] : [item.name]));
  const embedded = plan.embeds.flatMap((embed) =>
    embed.spread ? outputNames(embed) : embed.silent ? [] : [embed.name],
  );
  return [...new Set([...own, ...embedded])];
}

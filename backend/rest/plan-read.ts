import type { Catalog, Relationship, Table } from './catalog.ts';
import { errors } from './errors.ts';
import { findRelationship } from './find-relationship.ts';
import type { PlannedEmbed, PlannedField, PlannedItem, PlannedLogic, PlannedOrder, ReadPlan } from './plan.ts';
import type { Field, Logic, OrderTerm, Query, Scope, SelectEmbed, SelectItem } from './request.ts';
import type { Searches } from './searches.ts';

/** What a read may do besides the tables' own rights. */
export interface ReadRules {
  catalog: Catalog;
  /** Rows per list at most, also inside embeds. */
  maxRows: number;
  /** Rows when the request names no limit. */
  defaultRows: number;
  aggregates: boolean;
  /** Regular expressions can freeze the embedded engine. */
  patterns: boolean;
  /** Counts the costly filters of the request. */
  searches: Searches;
  /** Names a hint may suggest. */
  mayKnow: (table: Table) => boolean;
}

type Draft = { plan: Mutable<ReadPlan>; children: { draft: Draft; embed: SelectEmbed; relationship: Relationship }[] };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Checks the names of a query against the catalogue. @throws RestError */
export function planRead(query: Query, table: Table, rules: ReadRules): ReadPlan {
  return new ReadPlanner(rules).plan(query, table);
}

/** Only the filters of the root, as writes use them. */
export function planFilters(filters: readonly Logic[], table: Table, rules: ReadRules): PlannedLogic[] {
  return new ReadPlanner(rules).filters(filters, table);
}

class ReadPlanner {
  readonly #rules: ReadRules;
  #aliases = 0;
  constructor(rules: ReadRules) {
    this.#rules = rules;
  }

  plan(query: Query, table: Table): ReadPlan {
    const root = this.#draft(query.select, table);
    this.#applyScope(root, query.root, true);
    for (const scope of query.embeds) this.#applyScope(this.#at(root, scope.path), scope, false);
    return this.#finish(root);
  }

  filters(filters: readonly Logic[], table: Table): PlannedLogic[] {
    const root = this.#draft([], table);
    return filters.map((filter) => this.#logic(filter, root));
  }

  #draft(items: readonly SelectItem[], table: Table): Draft {
    const plan: Mutable<ReadPlan> = {
      table,
      alias: `"t${this.#aliases++}"`,
      items: items.flatMap((item) => (item.kind === 'column' ? [this.#item(item, table)] : [])),
      embeds: [],
      where: [],
      order: [],
      limit: this.#rules.maxRows,
      offset: 0,
    };
    const children = items.flatMap((embed) => {
      if (embed.kind !== 'embed') return [];
      const relationship = findRelationship(table, embed.name, embed.hint, this.#rules.mayKnow);
      return [{ embed, relationship, draft: this.#draft(embed.items, relationship.to) }];
    });
    return { plan, children };
  }

  #item(item: Extract<SelectItem, { kind: 'column' }>, table: Table): PlannedItem {
    const { field, alias, aggregate } = item;
    if (aggregate && !this.#rules.aggregates) throw errors.aggregates();
    if (field.name === '*') {
      if (!aggregate) return { kind: 'all' };
      const aggregateCast = this.#cast(item.aggregateCast);
      return { kind: 'value', field: null, name: alias ?? 'count', cast: null, aggregate, aggregateCast };
    }
    const lastKey = field.path.findLast(({ key }) => typeof key === 'string')?.key;
    return {
      kind: 'value',
      field: this.#field(field, table),
      name: alias ?? aggregate ?? (field.path.length ? String(lastKey ?? field.name) : field.name),
      cast: this.#cast(item.cast),
      aggregate,
      aggregateCast: this.#cast(item.aggregateCast),
    };
  }

  #cast(type: string | null): string | null {
    if (type === null) return null;
    const known = this.#rules.catalog.casts.get(type) ?? this.#rules.catalog.casts.get(type.toLowerCase());
    if (!known) throw errors.unknownCast(type);
    return known;
  }

  #field({ name, path }: Field, table: Table): PlannedField {
    const column = table.columns.get(name);
    if (column) return { column, computed: null, path };
    const computed = table.computed.get(name);
    if (computed) return { column: computed.column, computed: computed.sql, path };
    throw errors.undefinedColumn(table.name, name);
  }

  /** The embed a parameter such as `a.b.order` belongs to, by alias or name. */
  #at(root: Draft, path: readonly string[]): Draft {
    let draft = root;
    for (const name of path) draft = this.#child(draft, name);
    return draft;
  }

  #child(draft: Draft, name: string): Draft {
    const found = draft.children.find(({ embed }) => (embed.alias ?? embed.name) === name);
    if (found) return found.draft;
    const aliased = draft.children.find(({ embed }) => embed.name === name);
    throw errors.notEmbedded(name, aliased?.embed.alias ?? null);
  }

  #applyScope(draft: Draft, scope: Scope, isRoot: boolean): void {
    const { maxRows, defaultRows } = this.#rules;
    draft.plan.where = scope.filters.map((filter) => this.#logic(filter, draft));
    draft.plan.order = scope.order.map((term) => this.#order(term, draft));
    draft.plan.limit = Math.min(scope.limit ?? (isRoot ? defaultRows : maxRows), maxRows);
    draft.plan.offset = scope.offset;
  }

  #logic(logic: Logic, draft: Draft): PlannedLogic {
    if (logic.kind !== 'filter') return { ...logic, parts: logic.parts.map((part) => this.#logic(part, draft)) };
    const { table } = draft.plan;
    const { field, operator, value, negated } = logic;
    const known = table.columns.has(field.name) || table.computed.has(field.name);
    const child = known ? undefined : draft.children.find(({ embed }) => (embed.alias ?? embed.name) === field.name);
    if (child) {
      if (operator !== 'is' || (value !== 'null' && value !== 'not_null') || field.path.length) {
        throw errors.embedFilter(field.name);
      }
      return { kind: 'related', embed: this.#embed(child), exists: (value === 'not_null') !== negated };
    }
    if ((operator === 'match' || operator === 'imatch') && !this.#rules.patterns) {
      throw errors.notOffered('Regular expressions are not offered by this database');
    }
    const filter = { ...logic, field: this.#field(field, table) };
    this.#rules.searches.add(filter);
    return filter;
  }

  #order({ relation, field, direction, nulls }: OrderTerm, draft: Draft): PlannedOrder {
    if (relation === null) return { field: this.#field(field, draft.plan.table), embed: null, direction, nulls };
    const child = draft.children.find(({ embed }) => (embed.alias ?? embed.name) === relation);
    if (!child) throw errors.notEmbedded(relation, null);
    if (!child.relationship.toOne) throw errors.relatedOrder(draft.plan.table.name, relation);
    return { field: this.#field(field, child.draft.plan.table), embed: this.#embed(child), direction, nulls };
  }

  #finish(draft: Draft): ReadPlan {
    draft.plan.embeds = draft.children.map((child) => this.#embed(child));
    return draft.plan;
  }

  /** The same object each time, so a filter on an embed and the embed itself are one plan. */
  #embeds = new Map<Draft, PlannedEmbed>();
  #embed({ draft, embed, relationship }: Draft['children'][number]): PlannedEmbed {
    const known = this.#embeds.get(draft);
    if (known) return known;
    const planned = Object.assign(draft.plan, {
      name: embed.alias ?? embed.name,
      relationship,
      inner: embed.inner,
      spread: embed.spread,
      silent: isSilent(embed),
    });
    this.#embeds.set(draft, planned);
    this.#finish(draft);
    return planned;
  }
}

const isSilent = (embed: SelectEmbed): boolean => embed.items.every((item) => item.kind === 'embed' && isSilent(item));

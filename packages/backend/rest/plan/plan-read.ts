import { quoteName } from '../../database/database.ts';
import type { Relationship, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { Field, Logic, OrderTerm, Query, Scope, SelectEmbed, SelectItem } from '../parse/request.ts';
import { findRelationship } from './find-relationship.ts';
import type { PlannedEmbed, PlannedField, PlannedItem, PlannedLogic, PlannedOrder, ReadPlan } from './plan.ts';
import { ALIAS_SUFFIXES } from './plan.ts';
import { requireSimplePattern } from './simple-pattern.ts';

/** Bytes of a table's name at the start of an alias, so that PostgreSQL never truncates it to another's. */
const MAX_ALIAS_BYTES = 40;

type Draft = {
  plan: Mutable<ReadPlan>;
  name: string;
  children: { draft: Draft; embed: SelectEmbed; relationship: Relationship }[];
};
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export const planRead = (exchange: Exchange, query: Query, table: Table): ReadPlan =>
  new ReadPlanner(exchange).plan(query, table);

export const planFilters = (exchange: Exchange, filters: readonly Logic[], table: Table): PlannedLogic[] =>
  new ReadPlanner(exchange).filters(filters, table);

class ReadPlanner {
  readonly #exchange: Exchange;
  readonly #names = new Set<string>();
  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  plan(query: Query, table: Table): ReadPlan {
    const root = this.#draft(query.select, table, table.name);
    this.#applyScope(root, query.root, true);
    for (const scope of query.embeds) this.#applyScope(this.#at(root, scope.path), scope, false);
    return this.#finish(root);
  }

  filters(filters: readonly Logic[], table: Table): PlannedLogic[] {
    const root = this.#draft([], table, table.name);
    return filters.map((filter) => this.#logic(filter, root));
  }

  #draft(items: readonly SelectItem[], table: Table, alias: string, depth = 1): Draft {
    const name = this.#uniqueName(alias);
    const columns = items.flatMap((item) => (item.kind === 'column' ? [this.#item(item, table, name)] : []));
    const defaults = { embeds: [], where: [], order: [], limit: this.#exchange.api.max_rows, offset: 0 };
    const plan: Mutable<ReadPlan> = { table, alias: quoteName(name), items: columns, ...defaults };
    const children = items.flatMap((embed) => {
      if (embed.kind !== 'embed') return [];
      const isVisible = ({ roles }: Table) => roles.has(this.#exchange.caller.role);
      const relationship = findRelationship(table, embed.name, embed.hint, isVisible);
      const { to, junction } = relationship;
      const start = Buffer.from(to.name).subarray(0, MAX_ALIAS_BYTES).toString();
      const draft = this.#draft(embed.items, to, junction ? start : `${start}_${depth}`, depth + 1);
      return [{ embed, relationship, draft }];
    });
    return { plan, name, children };
  }

  #uniqueName(alias: string): string {
    const withSuffixes = (name: string) => ['', ...Object.values(ALIAS_SUFFIXES)].map((letter) => name + letter);
    let name = alias;
    while (withSuffixes(name).some((candidate) => this.#names.has(candidate))) name += '_';
    for (const candidate of withSuffixes(name)) this.#names.add(candidate);
    return name;
  }

  #item(item: Extract<SelectItem, { kind: 'column' }>, table: Table, errorName: string): PlannedItem {
    const { field, alias, aggregate } = item;
    const { api, caller } = this.#exchange;
    if (aggregate && !api.aggregates && caller.role !== 'service_role') throw errors.aggregates();
    if (field.name === '*') {
      if (!aggregate) return { kind: 'all' };
      return { ...COUNT, name: alias ?? 'count', aggregateCast: this.#cast(item.aggregateCast) };
    }
    if (field.name === 'count' && !aggregate && !field.path.length && !hasColumn(table, 'count'))
      return { ...COUNT, name: alias ?? 'count', aggregateCast: this.#cast(item.cast), likeColumn: true };
    const lastKey = field.path.findLast(({ key }) => typeof key === 'string')?.key;
    const name = alias ?? aggregate ?? (field.path.length ? String(lastKey ?? field.name) : field.name);
    const planned = this.#field(field, table, errorName);
    const cast = this.#cast(item.cast);
    const aggregateCast = this.#cast(item.aggregateCast);
    return { kind: 'value', field: planned, name, cast, aggregate, aggregateCast, likeColumn: false };
  }

  #cast(type: string | null): string | null {
    if (type === null) return null;
    const { casts } = this.#exchange.catalog;
    const existing = casts.get(type) ?? casts.get(type.toLowerCase());
    if (!existing) throw errors.unknownCast(type);
    return existing;
  }

  /** @param errorName the table's name in errors, as PostgreSQL's would show it */
  #field({ name, path }: Field, table: Table, errorName: string): PlannedField {
    const column = table.columns.get(name);
    if (column) return { column, computed: null, path };
    const computed = table.computed.get(name);
    if (computed) return { column: computed.column, computed: computed.sql, path };
    throw errors.undefinedColumn(errorName, name);
  }

  /** The embed of a parameter such as `a.b.order`, by alias, else by name. */
  #at(root: Draft, path: readonly string[]): Draft {
    return path.reduce((draft, name) => this.#child(draft, name), root);
  }

  #child({ children }: Draft, name: string): Draft {
    const found = findChild(children, name) ?? children.find(({ embed }) => embed.name === name);
    if (!found) throw errors.notEmbedded(name);
    const { alias } = found.embed;
    if (alias !== null && alias !== name) this.#exchange.deprecatedNames.add(`\`${name}\` to \`${alias}\``);
    return found.draft;
  }

  #applyScope(draft: Draft, scope: Scope, isRoot: boolean): void {
    const { max_rows: maxRows, default_rows: defaultRows = maxRows } = this.#exchange.api;
    draft.plan.where = scope.filters.map((filter) => this.#logic(filter, draft));
    draft.plan.order = scope.order.map((term) => this.#order(term, draft));
    draft.plan.limit = Math.min(scope.limit ?? (isRoot ? defaultRows : maxRows), maxRows);
    draft.plan.offset = scope.offset;
  }

  #logic(logic: Logic, draft: Draft): PlannedLogic {
    if (logic.kind !== 'filter') return { ...logic, parts: logic.parts.map((part) => this.#logic(part, draft)) };
    const { table } = draft.plan;
    const { field, operator, quantifier, value, negated } = logic;
    const child = hasColumn(table, field.name) ? undefined : findChild(draft.children, field.name);
    if (child) {
      if (operator !== 'is' || (value !== 'null' && value !== 'not_null') || field.path.length)
        throw errors.embedFilter(field.name);
      return { kind: 'related', embed: this.#embed(child), exists: (value === 'not_null') !== negated };
    }
    // Some regular expressions overflow the stack of the embedded engine, which then is lost.
    if ((operator === 'match' || operator === 'imatch') && this.#exchange.db.engine === 'pglite')
      requireSimplePattern(value, quantifier);
    const filter = { ...logic, field: this.#field(field, table, draft.name) };
    this.#exchange.searches.add(filter);
    return filter;
  }

  #order({ relation, field, direction, nulls }: OrderTerm, draft: Draft): PlannedOrder {
    const rest = { direction, nulls };
    const { table } = draft.plan;
    if (relation === null) return { field: this.#field(field, table, draft.name), embed: null, key: null, ...rest };
    const child = findChild(draft.children, relation);
    if (!child) throw errors.notEmbedded(relation);
    if (!child.relationship.toOne) throw errors.relatedOrder(table.name, relation);
    const { plan, name } = child.draft;
    const item = plan.items.find((each) => each.kind === 'value' && !field.path.length && each.name === field.name);
    const existing = item?.kind === 'value' && !item.aggregate ? item.field : null;
    return {
      field: existing ?? this.#field(field, plan.table, name),
      embed: this.#embed(child),
      key: existing || plan.items.some(({ kind }) => kind === 'all') ? field.name : null,
      ...rest,
    };
  }

  #finish(draft: Draft): ReadPlan {
    draft.plan.embeds = draft.children.map((child) => this.#embed(child));
    return draft.plan;
  }

  /** Memoised: a filter on an embed and the embed itself share one plan. */
  #embeds = new Map<Draft, PlannedEmbed>();
  #embed({ draft, embed, relationship }: Draft['children'][number]): PlannedEmbed {
    const existing = this.#embeds.get(draft);
    if (existing) return existing;
    const { inner, spread } = embed;
    const name = embed.alias ?? embed.name;
    const planned = Object.assign(draft.plan, { name, relationship, inner, spread, silent: isSilent(embed) });
    this.#embeds.set(draft, planned);
    this.#finish(draft);
    return planned;
  }
}

const COUNT = { kind: 'value', field: null, cast: null, aggregate: 'count', likeColumn: false } as const;

const hasColumn = ({ columns, computed }: Table, name: string): boolean => columns.has(name) || computed.has(name);

const findChild = (children: Draft['children'], name: string) =>
  children.find(({ embed }) => (embed.alias ?? embed.name) === name);

const isSilent = (embed: SelectEmbed): boolean => embed.items.every((item) => item.kind === 'embed' && isSilent(item));

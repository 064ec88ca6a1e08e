import type { Column, Relationship, Table } from '../catalog/catalog.ts';
import type { Field, Filter, OrderTerm, SelectColumn } from '../parse/request.ts';

export const ALIAS_SUFFIXES = { junction: 'j', spread: 's' } as const;

export type PlannedField = Pick<Field, 'path'> & { column: Column; computed: string | null };

export type PlannedItem =
  | { kind: 'all' }
  | (Pick<SelectColumn, 'cast' | 'aggregate' | 'aggregateCast'> & {
      kind: 'value';
      field: PlannedField | null;
      name: string;
      /** `count` written like a column: it counts in place, without grouping. */
      likeColumn: boolean;
    });

export type PlannedFilter = Omit<Filter, 'field'> & { field: PlannedField };

export type PlannedLogic =
  | PlannedFilter
  /** `rel=is.null` and `rel=not.is.null`. */
  | { kind: 'related'; embed: ReadPlan; exists: boolean }
  | { kind: 'and' | 'or'; negated: boolean; parts: readonly PlannedLogic[] };

export interface PlannedOrder extends Pick<OrderTerm, 'direction' | 'nulls'> {
  field: PlannedField;
  embed: ReadPlan | null;
  /** Key of the field in the embed's rows; null when they do not include it. */
  key: string | null;
}

export interface ReadPlan {
  table: Table;
  /** Quoted; unique in the statement. PostgreSQL's errors show it. */
  alias: string;
  items: readonly PlannedItem[];
  embeds: readonly PlannedEmbed[];
  where: readonly PlannedLogic[];
  order: readonly PlannedOrder[];
  limit: number | null;
  offset: number;
}

export interface PlannedEmbed extends ReadPlan {
  name: string;
  relationship: Relationship;
  inner: boolean;
  spread: boolean;
  silent: boolean;
}

export interface WritePlan {
  verb: 'insert' | 'update' | 'delete';
  table: Table;
  columns: readonly Column[];
  conflict: { columns: readonly Column[]; merge: boolean } | null;
  applyDefaults: boolean;
  where: readonly PlannedLogic[];
  /** Filters of a PUT must match the body's key. */
  mustMatch: boolean;
}

import type { Column, Relationship, Routine, Table } from '../catalog/catalog.ts';
import type { Aggregate, JsonStep } from '../parse/request.ts';

/** What will be asked of the database: every name checked, every limit set. The SQL stage only writes it down. */

/** Letters that follow an embed's alias: the table it is joined through, and the columns it spreads. */
export const BESIDE = { junction: 'j', spread: 's' } as const;

export interface PlannedField {
  column: Column;
  /** Quoted function of a computed column; null for a stored one. */
  computed: string | null;
  path: readonly JsonStep[];
}

export type PlannedItem =
  | { kind: 'all' }
  | {
      kind: 'value';
      /** null for `count()`. */
      field: PlannedField | null;
      name: string;
      /** Quoted type. */
      cast: string | null;
      aggregate: Aggregate | null;
      aggregateCast: string | null;
      /** `count` written like a column: it counts in place, and nothing is grouped for it. */
      likeColumn: boolean;
    };

export interface PlannedFilter {
  kind: 'filter';
  field: PlannedField;
  negated: boolean;
  operator: string;
  quantifier: 'any' | 'all' | null;
  config: string | null;
  value: string;
  list: readonly string[] | null;
}

export type PlannedLogic =
  | PlannedFilter
  /** `rel=is.null` and `rel=not.is.null`. */
  | { kind: 'related'; embed: ReadPlan; exists: boolean }
  | { kind: 'and' | 'or'; negated: boolean; parts: readonly PlannedLogic[] };

export interface PlannedOrder {
  field: PlannedField;
  /** The to-one embed the field belongs to; null for an own field. */
  embed: ReadPlan | null;
  /** The key that the field has in the embed's rows; null when they do not show it. */
  key: string | null;
  direction: 'asc' | 'desc' | null;
  nulls: 'first' | 'last' | null;
}

/** Rows of one table with their embeds: the root, or a branch. */
export interface ReadPlan {
  table: Table;
  /** Quoted; unique in the statement. PostgreSQL's own refusals show it. */
  alias: string;
  items: readonly PlannedItem[];
  embeds: readonly PlannedEmbed[];
  where: readonly PlannedLogic[];
  order: readonly PlannedOrder[];
  limit: number | null;
  offset: number;
}

export interface PlannedEmbed extends ReadPlan {
  /** Key in the parent's object. */
  name: string;
  relationship: Relationship;
  inner: boolean;
  spread: boolean;
  /** Selects nothing: only joins. */
  silent: boolean;
}

export interface WritePlan {
  verb: 'insert' | 'update' | 'delete';
  table: Table;
  /** Columns taken from the body, in its order. */
  columns: readonly Column[];
  conflict: { columns: readonly Column[]; merge: boolean } | null;
  applyDefaults: boolean;
  where: readonly PlannedLogic[];
  /** Filters of a PUT must meet the body's key. */
  mustMatch: boolean;
}

export interface CallPlan {
  routine: Routine;
  /** From a JSON object in the body, from text values of the query string, or the whole body. */
  source: 'json' | 'text' | 'body';
  /** Names of the parameters that are given. */
  given: readonly string[];
}

import type { Role } from '../../http/caller.ts';

/** What the planner knows of the exposed schemas. Every identifier that reaches SQL text comes from here, already quoted. */
export interface Catalog {
  schemas: ReadonlyMap<string, ExposedSchema>;
  /** Type names allowed in `column::type`, lower case, to SQL. */
  casts: ReadonlyMap<string, string>;
}

export interface ExposedSchema {
  name: string;
  tables: ReadonlyMap<string, Table>;
  /** Overloads that can be called, by name; those with fewer parameters first. */
  routines: ReadonlyMap<string, readonly Routine[]>;
}

export interface Column {
  name: string;
  /** Quoted. */
  sql: string;
  /** Quoted type, domains as declared: what written values are converted to. */
  type: string;
  /** Quoted type below any domain: what filter values are converted to. */
  baseType: string;
  /** Name of the base type in pg_type, such as `int4`, `jsonb`, `_text`. */
  baseName: string;
  /** As PostgreSQL displays it. */
  displayType: string;
  /** A value of a domain named `rich_text` is HTML and is cleaned before it is stored. */
  isRichText: boolean;
  nullable: boolean;
  /** SQL expression; null when there is none. */
  default: string | null;
  comment: string | null;
  /** A GIN or GiST index has it, as patterns and text search need. */
  isIndexed: boolean;
}

export interface Table {
  schema: string;
  name: string;
  /** Quoted, with schema. */
  sql: string;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
  /** Functions of the row that act as columns. */
  computed: ReadonlyMap<string, ComputedColumn>;
  relationships: readonly Relationship[];
  /** A table all of whose rows may be read by whoever may read it at all: no view, no row security. */
  showsAll: boolean;
  /** Roles with any right on it. */
  roles: ReadonlySet<Role>;
  comment: string | null;
}

export interface ComputedColumn {
  /** Quoted function, with schema. */
  sql: string;
  column: Column;
}

export type ColumnPair = readonly [own: string, other: string];

/** A way from one table to another, seen from `from`. */
export interface Relationship {
  from: Table;
  to: Table;
  kind: 'many-to-one' | 'one-to-one' | 'one-to-many' | 'many-to-many' | 'computed';
  /** Name of the foreign key, or of the function of a computed relationship. */
  constraint: string;
  /** Column of `from`, column of `to`; empty for many-to-many and computed ones. */
  columns: readonly ColumnPair[];
  toOne: boolean;
  toView: boolean;
  junction: Junction | null;
  /** Quoted function that makes the rows from a row of `from`. */
  routine: string | null;
}

export interface Junction {
  table: Table;
  constraints: readonly [string, string];
  /** Column of `from`, column of the junction. */
  source: readonly ColumnPair[];
  /** Column of the junction, column of `to`. */
  target: readonly ColumnPair[];
}

export interface Parameter {
  /** Empty when the parameter has no name. */
  name: string;
  column: Column;
  required: boolean;
  variadic: boolean;
}

export interface Routine {
  schema: string;
  name: string;
  /** Quoted, with schema. */
  sql: string;
  parameters: readonly Parameter[];
  returns: 'void' | 'scalar' | 'composite';
  isSet: boolean;
  /** The rows it answers: an exposed table, or columns of its own; a scalar is one column named `pgrst_scalar`. */
  result: Table;
  volatility: 'volatile' | 'stable' | 'immutable';
  roles: ReadonlySet<Role>;
  comment: string | null;
}

export const SCALAR = 'pgrst_scalar';

import type { Role } from '../../http/caller.ts';

/** The exposed schemas. Every identifier in SQL text comes from here, already quoted. */
export type Catalog = { schemas: ReadonlyMap<string, ExposedSchema>; casts: ReadonlyMap<string, string> };

export interface ExposedSchema {
  name: string;
  tables: ReadonlyMap<string, Table>;
  routines: ReadonlyMap<string, readonly Routine[]>;
}

export interface Column {
  name: string;
  sql: string;
  /** Quoted type, domains as declared: written values are converted to it. */
  type: string;
  /** Quoted type below any domain: filter values are converted to it. */
  baseType: string;
  /** Name of the base type in pg_type, such as `int4`, `jsonb`, `_text`. */
  baseName: string;
  displayType: string;
  /** A column of a domain named `rich_text` holds HTML and is sanitised before it is stored. */
  isRichText: boolean;
  labels: readonly string[] | null;
  nullable: boolean;
  default: string | null;
  comment: string | null;
  /** Has a GIN or GiST index, as patterns and text search need. */
  isIndexed: boolean;
}

/** A domain named like a media type, as the result of a function or of an aggregate over rows. */
export interface MediaHandler {
  /** Takes the rows, cast to `rowType` if it is not null; null for a function, whose result is the body. */
  aggregate: string | null;
  rowType: string | null;
  isBytes: boolean;
}

export type MediaHandlers = ReadonlyMap<string, MediaHandler>;

export interface Table {
  schema: string;
  name: string;
  sql: string;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
  computed: ReadonlyMap<string, ComputedColumn>;
  relationships: readonly Relationship[];
  /** No view and no row security: any role that may read it sees all rows. */
  showsAll: boolean;
  roles: ReadonlySet<Role>;
  handlers: MediaHandlers;
  comment: string | null;
}

export type ComputedColumn = { sql: string; column: Column };

export type ColumnPair = readonly [own: string, other: string];

export interface Relationship {
  from: Table;
  to: Table;
  kind: 'many-to-one' | 'one-to-one' | 'one-to-many' | 'many-to-many' | 'computed';
  constraint: string;
  /** Column of `from`, column of `to`; empty for many-to-many and computed ones. */
  columns: readonly ColumnPair[];
  toOne: boolean;
  toView: boolean;
  junction: {
    table: Table;
    constraints: readonly [string, string];
    source: readonly ColumnPair[];
    target: readonly ColumnPair[];
  } | null;
  routine: string | null;
}

export type Parameter = { name: string; column: Column; required: boolean; variadic: boolean };

export interface Routine {
  schema: string;
  name: string;
  sql: string;
  parameters: readonly Parameter[];
  returns: 'void' | 'scalar' | 'composite';
  isSet: boolean;
  /** The rows it returns: an exposed table, or its own columns; a scalar is one column named `pgrst_scalar`. */
  result: Table;
  volatility: 'volatile' | 'stable' | 'immutable';
  roles: ReadonlySet<Role>;
  comment: string | null;
}

export const SCALAR = 'pgrst_scalar';
export const ANY_MEDIA_TYPE = '*/*';
export const BYTES_TYPE = 'application/octet-stream';

export type JsonStep = { asText: boolean; key: string | number };

export type Field = { name: string; path: readonly JsonStep[] };

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min';

export interface SelectColumn {
  kind: 'column';
  field: Field;
  alias: string | null;
  cast: string | null;
  aggregate: Aggregate | null;
  aggregateCast: string | null;
}

export interface SelectEmbed {
  kind: 'embed';
  name: string;
  alias: string | null;
  hint: string | null;
  inner: boolean;
  spread: boolean;
  items: readonly SelectItem[];
}

export type SelectItem = SelectColumn | SelectEmbed;

export interface Filter {
  kind: 'filter';
  field: Field;
  negated: boolean;
  operator: string;
  quantifier: 'any' | 'all' | null;
  config: string | null;
  value: string;
  list: readonly string[] | null;
}

export const PATTERNS: ReadonlySet<string> = new Set(['like', 'ilike', 'match', 'imatch']);
export const TEXT_SEARCH: ReadonlySet<string> = new Set(['fts', 'plfts', 'phfts', 'wfts']);

export type LogicGroup = { kind: 'and' | 'or'; negated: boolean; parts: readonly Logic[] };

export type Logic = Filter | LogicGroup;

export interface OrderTerm {
  /** To-one embed whose column orders its parents. */
  relation: string | null;
  field: Field;
  direction: 'asc' | 'desc' | null;
  nulls: 'first' | 'last' | null;
}

export interface Scope {
  path: readonly string[];
  filters: Logic[];
  order: OrderTerm[];
  limit: number | null;
  offset: number;
}

export interface Query {
  select: readonly SelectItem[];
  root: Scope;
  embeds: readonly Scope[];
  columns: readonly string[] | null;
  onConflict: readonly string[] | null;
  args: readonly (readonly [name: string, value: string])[];
}

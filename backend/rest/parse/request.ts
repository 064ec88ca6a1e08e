/** A request to the data service, as data: what the parser makes of the query string and the planner checks against the catalogue. */

export interface JsonStep {
  /** `->>` answers text, `->` answers JSON. */
  asText: boolean;
  key: string | number;
}

export interface Field {
  /** `*` stands for all columns. */
  name: string;
  path: readonly JsonStep[];
}

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
  /** Text search configuration. */
  config: string | null;
  value: string;
  /** The values of `in`. */
  list: readonly string[] | null;
}

export interface LogicGroup {
  kind: 'and' | 'or';
  negated: boolean;
  parts: readonly Logic[];
}

export type Logic = Filter | LogicGroup;

export interface OrderTerm {
  /** The to-one embed whose column orders its parents. */
  relation: string | null;
  field: Field;
  direction: 'asc' | 'desc' | null;
  nulls: 'first' | 'last' | null;
}

/** What applies to the root (path `[]`) or to one embed. */
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
  /** Arguments of a function called by GET. */
  args: readonly (readonly [name: string, value: string])[];
}

import { quoteName } from '../../database/database.ts';

import type { TypeRow } from '../catalog/catalog-rows.ts';

/** Common type names to pg_type names. Types that look up the system catalogue (`regclass` …) are excluded. */
const COMMON: Record<string, string> = {
  text: 'text',
  varchar: 'varchar',
  'character varying': 'varchar',
  bpchar: 'bpchar',
  name: 'name',
  smallint: 'int2',
  int2: 'int2',
  int: 'int4',
  integer: 'int4',
  int4: 'int4',
  bigint: 'int8',
  int8: 'int8',
  numeric: 'numeric',
  decimal: 'numeric',
  real: 'float4',
  float4: 'float4',
  float8: 'float8',
  'double precision': 'float8',
  money: 'money',
  bool: 'bool',
  boolean: 'bool',
  date: 'date',
  time: 'time',
  timetz: 'timetz',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  interval: 'interval',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'jsonb',
  bytea: 'bytea',
  inet: 'inet',
  cidr: 'cidr',
  macaddr: 'macaddr',
};

export function allowedCasts(types: readonly TypeRow[], schemas: readonly string[]): Map<string, string> {
  const casts = new Map(Object.entries(COMMON).map(([name, type]) => [name, `"pg_catalog".${quoteName(type)}`]));
  for (const { schema, name, kind } of types) {
    if (schemas.includes(schema) && ['e', 'd', 'r'].includes(kind) && !casts.has(name)) {
      casts.set(name, `${quoteName(schema)}.${quoteName(name)}`);
    }
  }
  return casts;
}

import { quoteName } from '../../database/database.ts';

import type { TypeRow } from './catalog-rows.ts';

/** Types that look up the system catalogue (`regclass` …) are excluded. */
const COMMON = `text varchar bpchar name int2 int4 int8 numeric float4 float8 money bool date time timetz timestamp
  timestamptz interval uuid json jsonb bytea inet cidr macaddr`.split(/\s+/);
const ALIASES: Record<string, string> = {
  'character varying': 'varchar',
  smallint: 'int2',
  int: 'int4',
  integer: 'int4',
  bigint: 'int8',
  decimal: 'numeric',
  real: 'float4',
  'double precision': 'float8',
  boolean: 'bool',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
};

export function allowedCasts(types: readonly TypeRow[], schemas: readonly string[]): Map<string, string> {
  const common = [...COMMON.map((name) => [name, name]), ...Object.entries(ALIASES)] as [string, string][];
  const casts = new Map(common.map(([name, type]) => [name, `"pg_catalog".${quoteName(type)}`]));
  for (const { schema, name, kind } of types) {
    if (schemas.includes(schema) && ['e', 'd', 'r'].includes(kind) && !casts.has(name)) {
      casts.set(name, `${quoteName(schema)}.${quoteName(name)}`);
    }
  }
  return casts;
}

import { types } from '@electric-sql/pglite';
import type { Value } from './database.ts';

const JSON_OIDS = new Set([114, 3802]);
const BYTEA = 17;

/** Types not listed stay text, numeric and date among them, so that no precision is lost. */
const PARSERS: Record<number, (text: string) => unknown> = {
  16: (text) => text === 't',
  [BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  20: Number,
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
  1184: asDate,
  114: (text) => JSON.parse(text),
  3802: (text) => JSON.parse(text),
};

const ELEMENT_OIDS: Record<number, number> = {
  199: 114,
  1000: 16,
  1001: BYTEA,
  1003: 19,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1115: 1114,
  1182: 1082,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

export const parsedOids = [...Object.keys(PARSERS), ...Object.keys(ELEMENT_OIDS)].map(Number);

export function readValue(text: string, oid: number): unknown {
  const element = ELEMENT_OIDS[oid];
  if (element === undefined) return (PARSERS[oid] ?? String)(text);
  return types.arrayParser(text, PARSERS[element] ?? String, oid);
}

/** Infinity and years that a Date cannot hold stay text. */
function asDate(text: string): Date | string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date;
}

/** The bound parameter as PostgreSQL's text. For json and jsonb every value is encoded as JSON, a string too. */
export function writeValue(value: Exclude<Value, null>, oid: number): string {
  if (JSON_OIDS.has(oid)) return JSON.stringify(value);
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (isArray(value)) return value.some(isRecord) ? JSON.stringify(value) : arrayLiteral(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isArray = (value: Value): value is readonly Value[] => Array.isArray(value);

const isRecord = (value: Value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof Uint8Array);

function arrayLiteral(values: readonly Value[]): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'null';
    if (isArray(value)) return arrayLiteral(value);
    return `"${writeValue(value, 0).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${items.join(',')}}`;
}

import { SCALAR } from '../catalog/catalog.ts';
import { type MediaType, rowsOf } from '../parse/media-type.ts';

const ROWS = 'pgrst_rows';

export function bodyText(media: MediaType, names: readonly string[], scalar = false): string {
  const rows = rowsOf(media);
  if (rows.kind === 'csv') return csvText(names);
  if (rows.kind === 'custom') {
    const { aggregate, rowType, isBytes } = rows.handler;
    const result = aggregate
      ? `${aggregate}(${ROWS}${rowType ? `::${rowType}` : ''})`
      : `(array_agg(${ROWS}.${SCALAR}))[1]`;
    return `${result}::${isBytes ? 'bytea' : 'text'}`;
  }
  const value = scalar ? `${ROWS}.${SCALAR}` : `${ROWS}.*`;
  const array = rows.stripNulls ? `json_strip_nulls(json_agg(${value}))` : `json_agg(${value})`;
  return rows.kind === 'array' ? `coalesce(${array}, '[]')::text` : `coalesce(${array}->0, 'null')::text`;
}

/** PostgreSQL's row text without its parentheses is CSV. */
function csvText(names: readonly string[]): string {
  const header = names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',');
  const literal = `'${header.replaceAll("'", "''")}'`;
  return `${literal} || coalesce(string_agg(E'\\n' || substring((${ROWS}.*)::text, 2, length((${ROWS}.*)::text) - 2), ''), '')`;
}

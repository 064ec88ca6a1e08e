import { quoteName } from '../../database/database.ts';
import type { Column } from '../catalog/catalog.ts';
import type { ColumnRow, TypeRow } from '../catalog/catalog-rows.ts';

/** Resolves types through domains. @param more properties of a table's column only */
export function columnOf(
  name: string,
  oid: string,
  types: ReadonlyMap<string, TypeRow>,
  more?: Pick<ColumnRow, 'display' | 'nullable' | 'default' | 'comment' | 'indexed'>,
): Column {
  const type = types.get(oid)!;
  let base = type;
  while (base.kind === 'd') base = types.get(base.base)!;
  const sql = ({ schema, name: typeName }: TypeRow) => `${quoteName(schema)}.${quoteName(typeName)}`;
  return {
    name,
    sql: quoteName(name),
    type: sql(type),
    baseType: sql(base),
    baseName: base.name,
    displayType: more?.display ?? type.display,
    labels: base.labels,
    isRichText: type.kind === 'd' && type.name === 'rich_text',
    nullable: more?.nullable ?? true,
    default: more?.default ?? null,
    comment: more?.comment ?? null,
    isIndexed: more?.indexed ?? false,
  };
}

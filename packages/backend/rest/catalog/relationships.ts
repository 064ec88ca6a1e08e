import type { ColumnPair, Relationship, Table } from './catalog.ts';
import type { KeyRow } from './catalog-rows.ts';

export type Entity = { table: Table; isView: boolean; names: ReadonlyMap<number, string> };

export function keyRelationships(keys: readonly KeyRow[], entities: ReadonlyMap<string, readonly Entity[]>) {
  const unique = new Set(
    keys.filter(({ kind }) => kind !== 'f').map(({ relation, columns }) => setKey(relation, columns)),
  );
  const direct: Relationship[] = [];
  for (const key of keys) {
    if (key.kind !== 'f' || !key.foreignColumns) continue;
    const oneToOne = unique.has(setKey(key.relation, key.columns));
    for (const child of entities.get(key.relation) ?? []) {
      const own = namesOf(child, key.columns);
      if (!own) continue;
      for (const parent of entities.get(key.foreign) ?? []) {
        const other = namesOf(parent, key.foreignColumns);
        if (!other) continue;
        const columns = own.map((name, index): ColumnPair => [name, other[index]!]);
        direct.push(relate(key.name, oneToOne ? 'one-to-one' : 'many-to-one', child, parent, columns));
        // A one-to-one within one table would be found twice under one name.
        if (oneToOne && child.table === parent.table) continue;
        const reversed = columns.map(([a, b]): ColumnPair => [b, a]);
        direct.push(relate(key.name, oneToOne ? 'one-to-one' : 'one-to-many', parent, child, reversed));
      }
    }
  }
  return [...direct, ...manyToMany(direct)];
}

function relate(constraint: string, kind: Relationship['kind'], from: Entity, to: Entity, columns: ColumnPair[]) {
  const toOne = kind !== 'one-to-many';
  const toView = to.isView;
  return { constraint, kind, from: from.table, to: to.table, columns, toOne, toView, junction: null, routine: null };
}

/** A table whose primary key holds two foreign keys joins their targets. */
function manyToMany(direct: readonly Relationship[]): Relationship[] {
  const upwards = Map.groupBy(
    direct.filter(
      ({ kind, from, columns }) => kind === 'many-to-one' && columns.every(([own]) => from.primaryKey.includes(own)),
    ),
    ({ from }) => from,
  );
  const relationships: Relationship[] = [];
  const shared = { kind: 'many-to-many', constraint: '', columns: [], toOne: false, routine: null } as const;
  for (const [table, keys] of upwards)
    for (const first of keys)
      for (const second of keys) {
        if (first.constraint === second.constraint) continue;
        const source = first.columns.map(([own, other]): ColumnPair => [other, own]);
        const constraints = [first.constraint, second.constraint] as const;
        const junction = { table, constraints, source, target: second.columns };
        relationships.push({ ...shared, from: first.to, to: second.to, toView: second.toView, junction });
      }
  return relationships;
}

const setKey = (relation: string, columns: readonly number[]) =>
  `${relation}:${[...columns].sort((a, b) => a - b).join()}`;

export function namesOf(entity: Entity, numbers: readonly number[]): string[] | null {
  const names = numbers.map((number) => entity.names.get(number));
  return names.every((name) => name !== undefined) ? (names as string[]) : null;
}

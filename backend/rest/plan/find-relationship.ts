import type { Relationship, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import { ALIKE, nearest } from './nearest.ts';

/**
 * @param hint a foreign key, a column on either side, or a junction table
 * @param mayKnow which tables a hint may suggest
 * @throws RestError PGRST200 for none, PGRST201 for several
 */
export function findRelationship(
  origin: Table,
  target: string,
  hint: string | null,
  mayKnow: (table: Table) => boolean,
): Relationship {
  const found = origin.relationships.filter((way) => isMeant(way, target, hint));
  // A computed relationship overrides those from foreign keys.
  const chosen = found.filter(({ kind }) => kind === 'computed').at(0) ?? (found.length === 1 ? found[0] : undefined);
  if (chosen) return chosen;
  if (found.length) throw ambiguous(origin, target, found);
  const near = origin.relationships.filter(({ to }) => mayKnow(to)).map(({ to }) => to.name);
  const suggestion = near.includes(target) ? null : nearest(target, near, ALIKE);
  throw errors.noRelationship(origin.name, target, hint, origin.schema, suggestion);
}

function isMeant(way: Relationship, target: string, hint: string | null): boolean {
  if (way.kind === 'computed') return way.constraint === target;
  const own = way.columns.length === 1 ? way.columns[0]![0] : null;
  const other = way.columns.length === 1 ? way.columns[0]![1] : null;
  if (way.from === way.to && way.kind !== 'many-to-many') {
    // A self-reference has two directions: the table's name means the children, the column means the parent.
    if (hint !== null) return target === way.to.name && way.kind === 'one-to-many' && other === hint;
    if (way.kind === 'one-to-many') return target === way.to.name;
    return own === target || way.constraint === target;
  }
  if (hint !== null) {
    if (target !== way.to.name) return false;
    return [way.constraint, own, other, way.junction?.table.name].includes(hint);
  }
  if (target === way.to.name) return true;
  return !way.toView && (way.constraint === target || own === target);
}

function ambiguous(origin: Table, target: string, found: readonly Relationship[]) {
  const list = (names: readonly string[]) => `(${names.join(', ')})`;
  const details = found.map((way) => {
    const { junction } = way;
    const relationship = junction
      ? `${junction.table.name} using ${junction.constraints[0]}${list(junction.source.map(([, name]) => name))} and ${junction.constraints[1]}${list(junction.target.map(([name]) => name))}`
      : `${way.constraint} using ${way.from.name}${list(way.columns.map(([own]) => own))} and ${way.to.name}${list(way.columns.map(([, other]) => other))}`;
    return { embedding: `${way.from.name} with ${way.to.name}`, cardinality: way.kind, relationship };
  });
  const choices = found.map(({ to, junction, constraint }) => `${to.name}!${junction?.table.name ?? constraint}`);
  return errors.ambiguousRelationship(origin.name, target, details, choices);
}

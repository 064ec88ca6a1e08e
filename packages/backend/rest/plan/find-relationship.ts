import type { Relationship, Table } from '../catalog/catalog.ts';
import { errors } from '../errors.ts';
import { MIN_HINT_SIMILARITY, nearest } from './nearest.ts';

/**
 * @param hint a foreign key, a column on either side, or a junction table @param isVisible tables to suggest
 * @throws RestError PGRST200 for none, PGRST201 for several
 */
export function findRelationship(
  origin: Table,
  target: string,
  hint: string | null,
  isVisible: (table: Table) => boolean,
): Relationship {
  const matching = origin.relationships.filter((relationship) => matches(relationship, target, hint));
  // A computed relationship overrides those from foreign keys.
  const chosen = matching.find(({ kind }) => kind === 'computed') ?? (matching.length === 1 ? matching[0] : undefined);
  if (chosen) return chosen;
  if (matching.length) throw ambiguous(origin, target, matching);
  const names = origin.relationships.filter(({ to }) => isVisible(to)).map(({ to }) => to.name);
  const suggestion = names.includes(target) ? null : nearest(target, names, MIN_HINT_SIMILARITY);
  throw errors.noRelationship(origin.name, target, hint, origin.schema, suggestion);
}

function matches(relationship: Relationship, target: string, hint: string | null): boolean {
  const { kind, constraint, columns, from, to, toView, junction } = relationship;
  if (kind === 'computed') return constraint === target;
  const [own, other] = columns.length === 1 ? columns[0]! : [null, null];
  const isNamed = target === to.name;
  if (from === to && kind !== 'many-to-many') {
    // A self-reference has two directions: the table's name means the children, the column means the parent.
    if (hint !== null) return isNamed && kind === 'one-to-many' && other === hint;
    return kind === 'one-to-many' ? isNamed : own === target || constraint === target;
  }
  if (hint !== null) return isNamed && [constraint, own, other, junction?.table.name].includes(hint);
  return isNamed || (!toView && (constraint === target || own === target));
}

function ambiguous(origin: Table, target: string, matching: readonly Relationship[]) {
  const list = (names: readonly string[]) => `(${names.join(', ')})`;
  const details = matching.map((relationship) => {
    const { junction } = relationship;
    const description = junction
      ? `${junction.table.name} using ${junction.constraints[0]}${list(junction.source.map(([, name]) => name))} and ${junction.constraints[1]}${list(junction.target.map(([name]) => name))}`
      : `${relationship.constraint} using ${relationship.from.name}${list(relationship.columns.map(([own]) => own))} and ${relationship.to.name}${list(relationship.columns.map(([, other]) => other))}`;
    return {
      embedding: `${relationship.from.name} with ${relationship.to.name}`,
      cardinality: relationship.kind,
      relationship: description,
    };
  });
  const choices = matching.map(({ to, junction, constraint }) => `${to.name}!${junction?.table.name ?? constraint}`);
  return errors.ambiguousRelationship(origin.name, target, details, choices);
}

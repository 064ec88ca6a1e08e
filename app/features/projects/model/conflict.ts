import { FIELD_NAMES, type ProjectField, type ProjectFields } from './fields.ts';

export type Choice = 'mine' | 'theirs';

export const changedFields = (before: ProjectFields, after: ProjectFields): ProjectField[] =>
  FIELD_NAMES.filter((field) => !isSame(before[field], after[field]));

const isSame = (one: ProjectFields[ProjectField], other: ProjectFields[ProjectField]) =>
  Array.isArray(one) ? textOf(one) === textOf(other) : one === other;

// Ignores row keys, which contain no data.
const textOf = (list: unknown) => JSON.stringify(list, (name, value) => (name === 'key' ? undefined : value));

export interface MergeResult {
  base: ProjectFields;
  mine: ProjectFields;
  theirs: ProjectFields;
  /** Changed on both sides, differently: the user has to choose. */
  both: ProjectField[];
  onlyTheirs: ProjectField[];
  onlyMine: ProjectField[];
}

export function merge(base: ProjectFields, mine: ProjectFields, theirs: ProjectFields): MergeResult {
  const mineChanged = changedFields(base, mine);
  const theirsChanged = changedFields(base, theirs);
  return {
    base,
    mine,
    theirs,
    both: mineChanged.filter((field) => theirsChanged.includes(field) && !isSame(mine[field], theirs[field])),
    onlyTheirs: theirsChanged.filter((field) => !mineChanged.includes(field)),
    onlyMine: mineChanged.filter((field) => !theirsChanged.includes(field)),
  };
}

/** The fields to save: the choice where both changed one, otherwise the changed value. */
export function mergedFields(
  { mine, theirs, both, onlyMine }: MergeResult,
  choose: (field: ProjectField) => Choice,
): ProjectFields {
  const chosenFields = [...onlyMine, ...both.filter((field) => choose(field) === 'mine')];
  return { ...theirs, ...Object.fromEntries(chosenFields.map((field) => [field, mine[field]])) };
}

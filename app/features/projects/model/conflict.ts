export type Choice = 'mine' | 'theirs';

export const changedFields = <Fields extends object>(before: Fields, after: Fields): (keyof Fields & string)[] =>
  (Object.keys({ ...before, ...after }) as (keyof Fields & string)[]).filter(
    (field) => !isSame(before[field], after[field]),
  );

const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other);

// Ignores row keys, which contain no data.
const textOf = (value: unknown) => JSON.stringify(value, (name, value) => (name === 'key' ? undefined : value));

export interface MergeResult<Fields extends object> {
  base: Fields;
  mine: Fields;
  theirs: Fields;
  /** Changed on both sides, differently: the user has to choose. */
  both: (keyof Fields & string)[];
  onlyTheirs: (keyof Fields & string)[];
  onlyMine: (keyof Fields & string)[];
}

export function merge<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): MergeResult<Fields> {
  const mineChanged = changedFields(base, mine);
  const theirsChanged = changedFields(base, theirs);
  const both = mineChanged.filter((field) => theirsChanged.includes(field) && !isSame(mine[field], theirs[field]));
  const onlyTheirs = theirsChanged.filter((field) => !mineChanged.includes(field));
  const onlyMine = mineChanged.filter((field) => !theirsChanged.includes(field));
  return { base, mine, theirs, both, onlyTheirs, onlyMine };
}

/** The fields to save: the choice where both changed one, otherwise the changed value. */
export function mergedFields<Fields extends object>(
  { mine, theirs, both, onlyMine }: MergeResult<Fields>,
  choose: (field: keyof Fields & string) => Choice,
): Fields {
  const chosenFields = [...onlyMine, ...both.filter((field) => choose(field) === 'mine')];
  return { ...theirs, ...Object.fromEntries(chosenFields.map((field) => [field, mine[field]])) };
}

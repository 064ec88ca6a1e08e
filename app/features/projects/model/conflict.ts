import type { ProjectFields } from './form.ts';
import { VERSION_KEYS, type VersionKey } from './versions/versions.ts';

export type ProjectField = keyof ProjectFields;
export type Choice = 'mine' | 'theirs';

const KEYS: Record<ProjectField, VersionKey> = {
  title: 'title',
  client: 'client',
  status: 'status',
  budget: 'budget',
  showBudget: 'show_budget',
  startDate: 'start_date',
  endDate: 'end_date',
  description: 'description',
  understanding: 'understanding',
  actions: 'actions',
  impact: 'impact',
  category: 'category',
  tags: 'tags',
  credits: 'credits',
};

export const FIELDS = (Object.keys(KEYS) as ProjectField[]).toSorted(
  (a, b) => VERSION_KEYS.indexOf(KEYS[a]) - VERSION_KEYS.indexOf(KEYS[b]),
);

export const keyOf = (field: ProjectField): VersionKey => KEYS[field];

export const changedFields = (before: ProjectFields, after: ProjectFields): ProjectField[] =>
  FIELDS.filter((field) => !isSame(before[field], after[field]));

const isSame = (one: ProjectFields[ProjectField], other: ProjectFields[ProjectField]) =>
  Array.isArray(one) ? said(one) === said(other) : one === other;

// Keys of rows carry no data.
const said = (list: unknown) => JSON.stringify(list, (name, value) => (name === 'key' ? undefined : value));

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
  const taken = [...onlyMine, ...both.filter((field) => choose(field) === 'mine')];
  return { ...theirs, ...Object.fromEntries(taken.map((field) => [field, mine[field]])) };
}

import { FIELD_NAMES, type ProjectFields } from './fields.ts';
import { fieldsOf } from './form.ts';
import { revisionOf, withRevision } from './plans.ts';
import type { ProjectInFull } from './read.ts';
import type { MemberToAdd } from './team.ts';
import type { UploadMedia } from './upload.ts';

export interface UnsavedFields {
  base: ProjectFields;
  fields: ProjectFields;
  /** `updated_at` of the project they started from; '' for a new one. */
  seen: string;
  /** Number of the newest version at that time; 0 for a new project. */
  version: number;
  /** `updated_at` of the revision they started from; '' without one. */
  staged: string;
  media: UploadMedia[];
  team: MemberToAdd[];
}

export function startOf(project?: ProjectInFull): UnsavedFields {
  const revision = project && revisionOf(project);
  const fields = fieldsOf(project && revision ? withRevision(project, revision) : project);
  return {
    base: fields,
    fields,
    seen: project?.updated_at ?? '',
    version: project?.version ?? 0,
    staged: revision?.updated_at ?? '',
    media: [],
    team: [],
  };
}

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyFor = (user: string, id: string) => `madhouse-unsaved-${user}-${id}`;

/** Input for a reload of the same tab, separate for each user. Never throws: without storage nothing is kept. */
export function readUnsaved(place: Place, user: string, id: string): UnsavedFields | null {
  try {
    const stored = JSON.parse(place.getItem(keyFor(user, id)) ?? '') as UnsavedFields;
    return FIELD_NAMES.every((name) => name in stored.base && name in stored.fields) ? stored : null;
  } catch {
    return null;
  }
}

export function keepUnsaved(place: Place, user: string, id: string, kept: UnsavedFields): void {
  try {
    place.setItem(keyFor(user, id), JSON.stringify(kept));
  } catch {}
}

export function forgetUnsaved(place: Place, user: string, id: string): void {
  try {
    place.removeItem(keyFor(user, id));
  } catch {}
}

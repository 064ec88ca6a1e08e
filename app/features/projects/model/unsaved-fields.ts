import type { ProjectFields } from './fields.ts';
import { fieldsOf } from './form.ts';
import { revisedFields, revisionOf, withFields } from './plans.ts';
import type { ProjectInFull } from './read.ts';
import type { MemberToAdd } from './team.ts';
import type { UploadMedia } from './upload.ts';

export type Typed<Fields> = { base: Fields; fields: Fields };

export interface UnsavedFields extends Typed<ProjectFields> {
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
  const fields = fieldsOf(project && revision ? withFields(project, revisedFields(revision, project.facts)) : project);
  const { updated_at: seen, version } = project ?? { updated_at: '', version: 0 };
  return { base: fields, fields, seen, version, staged: revision?.updated_at ?? '', media: [], team: [] };
}

/** Null when malformed or stored by another version of the form. */
export function unsavedIn<State extends Typed<object>>(text: string | null, start: State): State | null {
  try {
    const stored = JSON.parse(text ?? '') as State;
    return Object.keys(start.fields).every((name) => name in stored.base && name in stored.fields) ? stored : null;
  } catch {
    return null;
  }
}

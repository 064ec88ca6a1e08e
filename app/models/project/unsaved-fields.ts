import * as z from 'zod/mini';
import { categories } from '../../copy/categories.ts';
import { creditRowSchema } from '../credits/row-schema.ts';
import { fieldsOf, type ProjectFields } from './form.ts';
import type { ProjectInFull } from './read.ts';
import type { MemberToAdd } from './team.ts';
import { MEDIA_TYPES, type UploadMedia } from './upload.ts';

/** Unsaved fields of a project's form, with what they started from. */
export interface UnsavedFields {
  base: ProjectFields;
  fields: ProjectFields;
  /** updated_at of the project they started from; '' for a new one. */
  seen: string;
  /** The newest version then; 0 for a new one. */
  version: number;
  /** Only of a new project, which is created with them. */
  media: UploadMedia[];
  team: MemberToAdd[];
}

/** Where the form of a project starts: nothing is unsaved. */
export function startOf(project?: ProjectInFull): UnsavedFields {
  const fields = fieldsOf(project);
  return {
    base: fields,
    fields,
    seen: project?.updated_at ?? '',
    version: project?.version ?? 0,
    media: [],
    team: [],
  };
}

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const text = z.string();
const Fields = z.object({
  title: text,
  description: text,
  client: text,
  status: text,
  budget: text,
  showBudget: z.boolean(),
  startDate: text,
  endDate: text,
  understanding: text,
  actions: text,
  impact: text,
  category: z.enum(['', ...categories.map(({ value }) => value)]),
  tags: z.array(text),
  // Missing in what an older page stored.
  credits: z._default(z.array(creditRowSchema), []),
});
const orNull = z.nullable(text);
const Media = z.object({ key: text, type: z.enum(MEDIA_TYPES), url: text, title: text, alt: orNull });
const Member = z.object({
  key: text,
  user_id: orNull,
  name: orNull,
  email: orNull,
  role: orNull,
  contribution_percentage: z.nullable(z.number()),
});
const Stored = z.object({
  base: Fields,
  fields: Fields,
  seen: text,
  version: z._default(z.number(), 0),
  media: z._default(z.array(Media), []),
  team: z._default(z.array(Member), []),
});

const keyFor = (user: string, id: string) => `madhouse-unsaved-${user}-${id}`;

/**
 * What was typed and not saved, for a reload of the same tab. It ends with the tab, and belongs to one user: another user
 * of the tab finds nothing. Never throws: without storage nothing is kept.
 * @param user who typed it
 * @param id of the project; `new` for one that does not exist yet
 */
export function readUnsaved(place: Place, user: string, id: string): UnsavedFields | null {
  try {
    return Stored.safeParse(JSON.parse(place.getItem(keyFor(user, id)) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

export function keepUnsaved(place: Place, user: string, id: string, kept: UnsavedFields): void {
  try {
    place.setItem(keyFor(user, id), JSON.stringify(kept));
  } catch {
    // Too large, or forbidden: the warning before leaving is all there is then.
  }
}

export function forgetUnsaved(place: Place, user: string, id: string): void {
  try {
    place.removeItem(keyFor(user, id));
  } catch {
    // Forbidden, so nothing was kept.
  }
}

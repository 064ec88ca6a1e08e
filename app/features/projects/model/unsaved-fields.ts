import * as z from 'zod/mini';
import { creditRowSchema } from '#features/credits/model/row-schema.ts';
import { categories } from '#lib/words/categories.ts';
import { eachField, type PROJECT_FIELDS, type ProjectField, type ProjectFields } from './fields.ts';
import { fieldsOf } from './form.ts';
import type { ProjectInFull } from './read.ts';
import type { MemberToAdd } from './team.ts';
import { MEDIA_TYPES, type UploadMedia } from './upload.ts';

export interface UnsavedFields {
  base: ProjectFields;
  fields: ProjectFields;
  /** `updated_at` of the project they started from; '' for a new one. */
  seen: string;
  /** The newest version then; 0 for a new one. */
  version: number;
  media: UploadMedia[];
  team: MemberToAdd[];
}

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
const byKind = {
  line: text,
  html: text,
  money: text,
  flag: z.boolean(),
  day: text,
  status: text,
  category: z.enum(['', ...categories.map(({ value }) => value)]),
  tags: z.array(text),
  credits: z.array(creditRowSchema),
};
const Fields = z.object(
  eachField<{ [Name in ProjectField]: (typeof byKind)[(typeof PROJECT_FIELDS)[Name]['kind']] }>(
    (_, kind) => byKind[kind],
  ),
);
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

/** Input for a reload of the same tab, separate for each user. Never throws: without storage nothing is kept. */
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
  } catch {}
}

export function forgetUnsaved(place: Place, user: string, id: string): void {
  try {
    place.removeItem(keyFor(user, id));
  } catch {}
}

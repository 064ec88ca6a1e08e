import * as z from 'zod/mini';
import { categories } from '../../copy/categories.ts';
import { creditRowSchema } from '../credits/row-schema.ts';
import type { ProjectFields } from './form.ts';

/** Unsaved fields of a project's form, with what they started from. */
export interface UnsavedFields {
  base: ProjectFields;
  fields: ProjectFields;
  /** updated_at of the project they started from; '' for a new one. */
  seen: string;
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
  // A page that knew less may have kept the rest.
  credits: z._default(z.array(creditRowSchema), []),
});
const Kept = z.object({ base: Fields, fields: Fields, seen: text });

const keyFor = (user: string, id: string) => `madhouse-unsaved-${user}-${id}`;

/**
 * What was typed and not saved, for a reload of the same tab. Nobody else's: it leaves with the tab, and whoever signs in
 * there next finds nothing. Never throws: without a place to keep things there is nothing kept.
 * @param user who typed it
 * @param id of the project; `new` for one that does not exist yet
 */
export function readUnsaved(place: Place, user: string, id: string): UnsavedFields | null {
  try {
    return Kept.safeParse(JSON.parse(place.getItem(keyFor(user, id)) ?? 'null')).data ?? null;
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

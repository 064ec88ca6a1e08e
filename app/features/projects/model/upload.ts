import type { PostgrestClient } from '@supabase/postgrest-js';
import { storedAlt } from '#features/media/model/media.ts';
import { answered } from '#lib/data/rows.ts';
import { type ProjectFields, splitTexts } from './fields.ts';
import { fieldsOf, isAddress, valuesOf } from './form.ts';
import type { MemberToAdd } from './team.ts';

export interface UploadMedia {
  key: string;
  type: 'image' | 'video' | 'demo';
  url: string;
  title: string;
  /** '' for a decorative picture, null while unset. */
  alt: string | null;
}

export type Upload = { fields: ProjectFields; media: UploadMedia[]; team: MemberToAdd[] };

export const emptyUpload = (): Upload => ({ fields: fieldsOf(), media: [], team: [] });

export const isWholeMedia = ({ url, title }: Pick<UploadMedia, 'url' | 'title'>): boolean =>
  title.trim() !== '' && isAddress(url.trim()) && URL.canParse(url.trim());

export function moveItem<Item>(list: Item[], from: number, by: number): Item[] {
  const to = from + by;
  const item = list[from];
  return item === undefined || to < 0 || to >= list.length ? list : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
  override readonly message = 'Could not authenticate to create project';
}

/** Atomic; a repeated id is idempotent. @throws NotAuthenticated without an admin's session; ApiError */
export async function uploadProject(data: PostgrestClient, id: string, { fields, media, team }: Upload): Promise<void> {
  const { texts, plain } = splitTexts(valuesOf(fields));
  const answer = await data.rpc('upload_project', {
    project_id: id,
    fields: plain,
    ...texts,
    media: media.map(({ key: _, ...item }) => ({ ...item, alt: item.type === 'image' ? storedAlt(item.alt) : null })),
    team: team.map(({ key: _, email: __, ...member }) => member),
  });
  if (answer.error && NOT_ALLOWED_CODES.has(answer.error.code)) throw new NotAuthenticated();
  if (answered(answer).data !== id) throw new Error('No data returned from API');
}

/** Codes for missing rights, an ended session, and an invalid or expired token. */
const NOT_ALLOWED_CODES = new Set(['42501', 'PT401', 'PGRST301', 'PGRST303']);

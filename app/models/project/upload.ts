import type { PostgrestClient } from '@supabase/postgrest-js';
import { uploadWords as words } from '../../copy/admin/upload.ts';
import { messages } from '../../copy/messages.ts';
import { answered } from '../data/rows.ts';
import { fieldsOf, type ProjectFields, valuesOf } from './form.ts';
import type { MemberToAdd } from './team.ts';

export const MEDIA_TYPES = ['image', 'video', 'demo'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

export interface UploadMedia {
  /** For lists on the page. */
  key: string;
  type: MediaType;
  url: string;
  title: string;
  /** What a picture shows; '' when it is decorative, null while nobody has said. */
  alt: string | null;
}

/** A new project: the form's fields, its media and its team. */
export interface Upload {
  fields: ProjectFields;
  media: UploadMedia[];
  team: MemberToAdd[];
}

export const emptyUpload = (): Upload => ({ fields: fieldsOf(), media: [], team: [] });

/** True for a media item that can be added: an http or https address, and a title. */
export const isWholeMedia = ({ url, title }: Pick<UploadMedia, 'url' | 'title'>): boolean =>
  title.trim() !== '' && isAddress(url.trim());

const isAddress = (text: string) => /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/i.test(text) && URL.canParse(text);

/** The list with one item moved by `by` places; the same list when there is no such place. */
export function movedBy<Item>(list: Item[], from: number, by: number): Item[] {
  const to = from + by;
  const item = list[from];
  return item === undefined || to < 0 || to >= list.length ? list : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** The caller may not create projects. */
export class NotAuthenticated extends Error {
  override readonly name = 'NotAuthenticated';
  constructor() {
    super(words.notAuthenticated);
  }
}

/**
 * Creates a project with its media and team in one call: all of it is stored, or nothing.
 * @param id of the new project, a UUID: the same id sent twice makes one project
 * @throws NotAuthenticated without an admin's session; ApiError for everything else
 */
export async function uploadProject(data: PostgrestClient, id: string, { fields, media, team }: Upload): Promise<void> {
  const answer = await data.rpc('upload_project', {
    project_id: id,
    ...valuesOf(fields),
    media: media.map(({ type, url, title, alt }) => ({
      type,
      url,
      title,
      alt: type === 'image' ? (alt === '' ? '' : alt?.trim() || null) : null,
    })),
    team: team.map(({ key: _, email: __, ...member }) => member),
  });
  if (answer.error && REFUSED.has(answer.error.code)) throw new NotAuthenticated();
  if (answered(answer).data !== id) throw new Error(messages.noData);
}

/** No rights; a session that is over, a token that is wrong or too old. */
const REFUSED = new Set(['42501', 'PT401', 'PGRST301', 'PGRST303']);

import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';
import { writeRow } from '#lib/data/rows.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { videoFormatOf } from './film-target.ts';
import type { MediaInFull } from './media.ts';
import { pictureFileId } from './picture.ts';
import { UploadError } from './upload.ts';

const BUCKET = 'loops';
/** Bytes; the bucket has the same limit. */
const MAX_LOOP_BYTES = 4 * 1024 * 1024;

type Picture = Pick<MediaInFull, 'id' | 'url' | 'loops'>;

/** Stores a video as the loop of a picture. @throws UploadError for a wrong type, a large file or a second loop */
export async function addLoop(storage: StorageClient, data: PostgrestClient, picture: Picture, film: File) {
  const format = await videoFormatOf(film);
  if (!format) throw new UploadError(words.noVideo(film.name), true);
  if (film.size > MAX_LOOP_BYTES)
    throw new UploadError(`${film.name} is larger than 4 MB. A few seconds at 960 pixels are enough.`, true);
  if (picture.loops?.includes(format))
    throw new UploadError('There is a loop of this format already. Remove it first.', true);
  const contentType = `video/${format}`;
  const { error } = await storage.from(BUCKET).upload(fileOf(picture, format), film, { contentType });
  if (error) throw new UploadError(error.message, false);
  await measure(data, picture);
}

export async function removeLoop(storage: StorageClient, data: PostgrestClient, picture: Picture) {
  const files = (picture.loops ?? []).map((format) => fileOf(picture, format));
  const { error } = await storage.from(BUCKET).remove(files);
  if (error) throw new UploadError(error.message, false);
  await measure(data, picture);
}

const fileOf = ({ url }: Picture, format: string) => `${pictureFileId(url)}.${format}`;

/** In a hosted project no trigger follows a change of files, so the record is measured again. */
export const measure = (data: PostgrestClient, { id, url }: Pick<Picture, 'id' | 'url'>) =>
  writeRow(data.from('project_media').update({ url }).eq('id', id).select('id'));

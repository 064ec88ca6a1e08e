import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';
import { writeRow } from '#lib/data/rows.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import type { MediaInFull } from './media.ts';
import { pictureFileId } from './picture.ts';
import { firstBytes, UploadError } from './upload.ts';

const BUCKET = 'loops';
/** Bytes; the bucket has the same limit. */
const MAX_LOOP_BYTES = 4 * 1024 * 1024;

type Picture = Pick<MediaInFull, 'id' | 'url' | 'loops'>;

/** Stores a video as the loop of a picture. @throws UploadError for a wrong type, a large file or a second loop */
export async function addLoop(storage: StorageClient, data: PostgrestClient, picture: Picture, film: File) {
  const format = await formatOf(film);
  if (!format) throw new UploadError(words.noLoop(film.name), true);
  if (film.size > MAX_LOOP_BYTES) throw new UploadError(words.loopTooLarge(film.name), true);
  if (picture.loops?.includes(format)) throw new UploadError(words.loopIsThere, true);
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

async function formatOf(film: Blob): Promise<'mp4' | 'webm' | null> {
  const text = await firstBytes(film, 64);
  if (/^[\s\S]{4}ftyp(?!avi[fs]|hei|mif1)/.test(text)) return 'mp4';
  return text.startsWith('\x1aE\xdf\xa3') && text.includes('webm') ? 'webm' : null;
}

/** A hosted project does not notify the record about new files, so the record is updated here. */
const measure = (data: PostgrestClient, { id, url }: Picture) =>
  writeRow(data.from('project_media').update({ url }).eq('id', id).select('id'));

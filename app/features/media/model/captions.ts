import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';
import { MAX_CAPTIONS_BYTES } from '#lib/data/limits.ts';
import { measure } from './loop.ts';
import type { MediaInFull } from './media.ts';
import { filmFileId } from './picture.ts';
import { UploadError } from './upload.ts';

const BUCKET = 'captions';

type FilmRow = Pick<MediaInFull, 'id' | 'url'>;

const captionsOf = ({ url }: FilmRow) => `${filmFileId(url)}.vtt`;

/** Adds or replaces the captions of a film; what the server refuses leaves the earlier ones. @throws UploadError */
export async function saveCaptions(storage: StorageClient, data: PostgrestClient, film: FilmRow, file: File) {
  if (file.size > MAX_CAPTIONS_BYTES)
    throw new UploadError(
      `${file.name} is larger than 1 MB. Choose the WebVTT file alone, without pictures or fonts.`,
      true,
    );
  const { error } = await storage.from(BUCKET).upload(captionsOf(film), file, {
    contentType: 'text/vtt',
    cacheControl: '0',
    upsert: true,
  });
  if (error) throw new UploadError(error.message, false);
  await measure(data, film);
}

export async function removeCaptions(storage: StorageClient, data: PostgrestClient, film: FilmRow) {
  const { error } = await storage.from(BUCKET).remove([captionsOf(film)]);
  if (error) throw new UploadError(error.message, false);
  await measure(data, film);
}

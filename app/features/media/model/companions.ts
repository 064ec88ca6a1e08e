import type { PostgrestClient } from '@supabase/postgrest-js';
import type { StorageClient } from '@supabase/storage-js';
import { MAX_CAPTIONS_BYTES } from '#lib/data/limits.ts';
import { rows } from '#lib/data/rows.ts';
import { mediaWords as words } from '#lib/words/media.ts';
import { videoFormatOf } from './film-target.ts';
import type { MediaInFull } from './media.ts';
import { filmFileId, pictureFileId } from './picture.ts';
import { UploadError } from './upload.ts';

/** Bytes; the bucket has the same limit. */
const MAX_LOOP_BYTES = 4 * 1024 * 1024;

type Companion = (
  clients: { storage: StorageClient; data: PostgrestClient },
  media: Pick<MediaInFull, 'id' | 'url' | 'loops'>,
  file: File | null,
) => Promise<void>;

const loopOf = (url: string, format: string) => `${pictureFileId(url)}.${format}`;

/** Stores a video as the loop of a picture, or removes all. @throws UploadError for a wrong type, a large file or a second loop */
export const saveLoop: Companion = async ({ storage, data }, picture, film) => {
  const files = storage.from('loops');
  if (!film)
    return finish(data, picture, files.remove((picture.loops ?? []).map((format) => loopOf(picture.url, format))));
  const format = await videoFormatOf(film);
  if (!format) throw new UploadError(words.noVideo(film.name), true);
  if (film.size > MAX_LOOP_BYTES)
    throw new UploadError(`${film.name} is larger than 4 MB. A few seconds at 960 pixels are enough.`, true);
  if (picture.loops?.includes(format))
    throw new UploadError('There is a loop of this format already. Remove it first.', true);
  await finish(data, picture, files.upload(loopOf(picture.url, format), film, { contentType: `video/${format}` }));
};

/** Adds, replaces or removes the captions of a film; what the server refuses leaves the earlier ones. @throws UploadError */
export const saveCaptions: Companion = async ({ storage, data }, film, file) => {
  const files = storage.from('captions');
  const path = `${filmFileId(film.url)}.vtt`;
  const tooLarge = `${file?.name} is larger than 1 MB. Choose the WebVTT file alone, without pictures or fonts.`;
  if (file && file.size > MAX_CAPTIONS_BYTES) throw new UploadError(tooLarge, true);
  const options = { contentType: 'text/vtt', cacheControl: '0', upsert: true };
  await finish(data, film, file ? files.upload(path, file, options) : files.remove([path]));
};

type StorageChange = Promise<{ error: { message: string } | null }>;

async function finish(data: PostgrestClient, { id, url }: Pick<MediaInFull, 'id' | 'url'>, change: StorageChange) {
  const { error } = await change;
  if (error) throw new UploadError(error.message, false);
  // In a hosted project no trigger follows a change of files, so the record is measured again, unless it is only in a revision.
  await rows(data.from('project_media').update({ url }).eq('id', id).select('id'));
}

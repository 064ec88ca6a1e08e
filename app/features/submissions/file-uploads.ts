import { STORED } from '#features/media/model/media.ts';
import {
  BUCKET,
  pathFor,
  pictureIn,
  readableSize,
  UploadError,
  type UploadPlace,
} from '#features/media/model/upload.ts';
import { createUploads } from '#features/media/uploads.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_FILE_BYTES } from '#lib/data/limits.ts';
import { type MediaItem, type MediaSource, sourcesIn } from './model/submission.ts';
import type { SubmissionStore } from './model/submission-reducer.ts';
import { MAX_INTERRUPTIONS } from './model/submission-state.ts';
import { deviceWords } from './words/device.ts';
import { submissionWords as words } from './words/submission.ts';

/** Uploads the files of the form as soon as they are chosen. */
export function uploadFiles(form: SubmissionStore, place: UploadPlace) {
  const { dispatch } = form;
  let seen: ReadonlyMap<string, File> = new Map();
  const items = () => sourcesIn(form.state.submission.media);
  const uploads = createUploads(place, {
    onProgress: (id, fraction) => dispatch({ type: 'uploadProgressed', id, fraction }),
    onAhead: (ahead) => dispatch({ type: 'uploadsAheadChanged', ahead }),
    onDone: (id) => {
      const path = items().find((item) => item.id === id)?.file?.path;
      const url = `${place.url}${STORED}${BUCKET}/${path}`;
      dispatch({ type: 'uploaded', id, url, at: Date.now() });
    },
    onFailed: (id, reason, final, isLost) => {
      const isConnectionLost = isLost && form.state.interruptions < MAX_INTERRUPTIONS;
      const message = isConnectionLost ? deviceWords.uploadWaits : reason;
      console.warn(`${form.state.files.get(id)?.name} was not uploaded:`, message);
      dispatch({ type: 'uploadFailed', id, failure: { message, final, lost: isConnectionLost } });
    },
  });

  return {
    onChange(): void {
      const { files } = form.state;
      const removedIds = [...seen.keys()].filter((id) => !files.has(id));
      seen = files;
      for (const id of removedIds) uploads.cancel(id);
      for (const { id, file, isUploading } of items()) {
        const bytes = files.get(id);
        if (isUploading && file && bytes) uploads.start(id, bytes, file);
      }
    },
    /** @param skipLost skips files whose connection failed. @throws UploadError when an upload failed */
    async finish(skipLost: boolean): Promise<MediaItem[]> {
      dispatch({ type: 'uploadsRequeued' });
      await uploads.settled();
      const lostFailure = items().find(({ file }) => file?.failure?.lost)?.file?.failure;
      if (lostFailure && !skipLost) throw new UploadError(lostFailure.message, false, { lost: true });
      return form.state.submission.media;
    },
    stop: (): void => uploads.cancelAll(),
  };
}

type Accept = (located: MediaSource) => void;

/** Adds the pictures among the chosen files, and says why others are left out. */
export async function addFiles({ dispatch }: SubmissionStore, files: readonly File[], accept: Accept): Promise<void> {
  const notices: string[] = [];
  let skipped = 0;
  for (const file of files) {
    const { name, size, type } = file;
    const leaveOut = (reason: string) => notices.push(`${name} was not added: ${reason}`);
    if (!type.startsWith('image/')) skipped++;
    else if (size > MAX_FILE_BYTES) leaveOut(`it is ${readableSize(size)}, and a file may have 10 MB at most.`);
    else
      try {
        const format = await pictureIn(file);
        if (format) {
          const id = newId();
          const { contentType } = format;
          const fileState = { name, size, contentType, path: pathFor(id, format), uploadedAt: null, failure: null };
          dispatch({ type: 'fileChosen', id, file });
          accept({ id, url: '', isUploading: true, file: fileState });
        } else
          leaveOut('it is not a JPG, PNG, GIF, WebP or AVIF picture. Save it as one of these and choose it again.');
      } catch (error) {
        leaveOut(messageOf(error, words.processingFailed));
      }
  }
  const others = skipped === 1 ? '1 file that is not a picture' : `${skipped} files that are not pictures`;
  if (skipped > 0) notices.push(`Skipped ${others}. Add a video by its YouTube or Vimeo address.`);
  dispatch({ type: 'set', part: { notices } });
}

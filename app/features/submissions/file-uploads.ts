import {
  BUCKET,
  type PictureFormat,
  pathFor,
  pictureIn,
  readableSize,
  UploadError,
} from '#features/media/model/upload.ts';
import type { UploadEvents, Uploads } from '#features/media/uploads.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { LARGEST_FILE } from '#lib/data/limits.ts';
import { type Located, locatedIn, type MediaItem } from './model/submission.ts';
import { MAX_INTERRUPTIONS } from './model/submission-state.ts';
import type { SubmissionStore } from './model/submission-store.ts';
import { deviceWords } from './words/device.ts';
import { fileNotAPicture, filesSkipped, fileTooLarge, submissionWords as words } from './words/submission.ts';

interface FileServices {
  uploads: (events: UploadEvents) => Uploads;
  publicUrl: (bucket: string, path: string) => string;
  saveFile: (id: string, file: File) => void;
  deleteFiles: (ids: readonly string[]) => void;
}

/** The chosen files of a form: their previews and uploads follow its media. */
export class FileUploads {
  readonly #form: SubmissionStore;
  readonly #services: FileServices;
  readonly #uploads: Uploads;
  readonly #files = new Map<string, File>();
  readonly #previews = new Map<string, string>();

  constructor(form: SubmissionStore, services: FileServices) {
    this.#form = form;
    this.#services = services;
    this.#uploads = services.uploads({
      onProgress: (id, fraction) => form.dispatch({ type: 'uploadProgressed', id, fraction }),
      onDone: (id) => this.#onUploaded(id),
      onFailed: (id, message, final, lost) => this.#onFailed(id, message, final, lost),
      onAhead: (ahead) => form.dispatch({ type: 'uploadsAheadChanged', ahead }),
    });
  }

  async add(files: readonly File[], onAccepted: (located: Located) => void): Promise<void> {
    const notices: string[] = [];
    let skipped = 0;
    for (const file of files) {
      if (!file.type.startsWith('image/')) skipped++;
      else if (file.size > LARGEST_FILE) notices.push(fileTooLarge(file.name, readableSize(file.size)));
      else
        try {
          const format = await pictureIn(file);
          if (format) this.#accept(file, format, onAccepted);
          else notices.push(fileNotAPicture(file.name));
        } catch (error) {
          const message = messageOf(error, words.processingFailed);
          this.#form.dispatch({ type: 'failed', failure: { message, field: 'media' } });
        }
    }
    if (skipped > 0) notices.push(filesSkipped(skipped));
    this.#form.dispatch({ type: 'filesRejected', notices });
  }

  #accept(file: File, format: PictureFormat, onAccepted: (located: Located) => void) {
    const id = newId();
    const { name, size } = file;
    const { contentType } = format;
    this.adopt(new Map([[id, file]]));
    onAccepted({
      id,
      url: '',
      isUploading: true,
      file: { name, size, contentType, path: pathFor(id, format), uploadedAt: null, failure: null },
    });
    this.#services.saveFile(id, file);
  }

  /** To be called before their items are in the form. */
  adopt(files: ReadonlyMap<string, File>): void {
    for (const [id, file] of files) {
      this.#files.set(id, file);
      if (!this.#previews.has(id)) this.#previews.set(id, URL.createObjectURL(file));
    }
  }

  /** To be called after every change of the state: starts and ends uploads, and releases previews. */
  onChange = (): void => {
    const items = this.#items();
    const ids = new Set(items.map(({ id }) => id));
    const gone = [...this.#files.keys()].filter((id) => !ids.has(id));
    for (const id of gone) {
      this.#files.delete(id);
      this.#releasePreview(id);
      this.#uploads.cancel(id);
    }
    if (gone.length > 0) this.#services.deleteFiles(gone);
    for (const { id, file, isUploading } of items) {
      const bytes = this.#files.get(id);
      if (isUploading && file && bytes) this.#uploads.start(id, bytes, file);
    }
    const shown = this.#form.state.previews;
    if (Object.keys(shown).length !== this.#previews.size || [...this.#previews.keys()].some((id) => !shown[id]))
      this.#form.dispatch({ type: 'previewsChanged', previews: Object.fromEntries(this.#previews) });
  };

  /** The items become records of another draft: a record belongs to its draft. */
  renew(ids: ReadonlyMap<string, string>): void {
    for (const [id, renewed] of ids) {
      const [file, preview] = [this.#files.get(id), this.#previews.get(id)];
      if (!file) continue;
      this.#files.delete(id);
      this.#previews.delete(id);
      if (preview) this.#previews.set(renewed, preview);
      this.#files.set(renewed, file);
      this.#services.saveFile(renewed, file);
      this.#services.deleteFiles([id]);
    }
  }

  /** @param skipLost also without files that the connection failed for. @throws UploadError when it failed */
  async finish(skipLost: boolean): Promise<MediaItem[]> {
    this.#form.dispatch({ type: 'failedUploadsRetried' });
    await this.#uploads.settled();
    const lost = this.#items().find(({ file }) => file?.failure?.lost)?.file?.failure;
    if (lost && !skipLost) throw new UploadError(lost.message, false, { lost: true });
    return this.#form.state.submission.media;
  }

  /** Leaving the page: the next visit resumes the uploads. */
  release(): void {
    this.#uploads.cancelAll();
    for (const id of [...this.#previews.keys()]) this.#releasePreview(id);
    this.#files.clear();
  }

  #releasePreview(id: string) {
    const address = this.#previews.get(id);
    if (address) URL.revokeObjectURL(address);
    this.#previews.delete(id);
  }

  #items = () => locatedIn(this.#form.state.submission.media);
  #fileOf = (id: string) => this.#items().find((located) => located.id === id)?.file;

  #onUploaded(id: string) {
    const file = this.#fileOf(id);
    if (!file) return;
    const url = this.#services.publicUrl(BUCKET, file.path);
    this.#form.dispatch({ type: 'uploaded', id, url, at: Date.now() });
  }

  #onFailed(id: string, reason: string, final: boolean, isLost: boolean) {
    const file = this.#fileOf(id);
    if (!file) return;
    const lost = isLost && this.#form.state.interruptions < MAX_INTERRUPTIONS;
    const message = lost ? deviceWords.uploadWaits : reason;
    console.warn(`${file.name} was not uploaded:`, message);
    this.#form.dispatch({ type: 'uploadFailed', id, failure: { message, final, lost } });
  }
}

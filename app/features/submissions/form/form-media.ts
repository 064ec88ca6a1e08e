import { BUCKET, pathFor, pictureIn, readableSize, UploadError } from '#features/media/model/upload.ts';
import type { Uploads } from '#features/media/uploads.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { newId } from '#lib/data/ids.ts';
import { LARGEST_FILE } from '#lib/data/limits.ts';
import { type ChosenFile, type Located, locatedIn, type MediaItem, unsaid } from '../model/submission.ts';
import { deviceWords } from '../words/device.ts';
import { fileNotAPicture, filesSkipped, fileTooLarge, submissionWords as words } from '../words/submission.ts';
import type { DeviceCopy } from './device-copy.ts';
import type { FormServices } from './form-services.ts';
import type { FormStore } from './form-store.ts';

const MOST_BREAKS = 3;

export class FormMedia {
  readonly #form: FormStore;
  readonly #device: Pick<DeviceCopy, 'keepFile' | 'dropFile' | 'write'>;
  readonly #lineLost: () => void;
  readonly #publicUrl: FormServices['publicUrl'];
  readonly #uploads: Uploads;
  readonly #files = new Map<string, File>();
  #breaks = 0;

  constructor(
    form: FormStore,
    device: Pick<DeviceCopy, 'keepFile' | 'dropFile' | 'write'>,
    services: Pick<FormServices, 'uploads' | 'publicUrl'>,
    lineLost: () => void,
  ) {
    this.#form = form;
    this.#device = device;
    this.#lineLost = lineLost;
    this.#publicUrl = services.publicUrl;
    this.#uploads = services.uploads({
      onProgress: (id, fraction) => form.show({ progress: { ...form.state.progress, [id]: fraction } }),
      onDone: (id) => this.#uploaded(id),
      onFailed: (id, message, final, lost) => this.#uploadFailed(id, { message, final, lost }),
      onAhead: (ahead) => {
        form.show({ ahead });
        this.#waitForLimit();
      },
    });
  }

  addAddress(type: MediaItem['type'], url: string, caption: string) {
    this.#add({ ...unsaid, ...elsewhere(url), type, caption: caption.trim() });
  }

  addFiles = (files: File[]): Promise<void> =>
    this.#take(files, (located) => this.#add({ ...unsaid, ...located, type: 'image' }));

  setPoster = (id: string, picture: File | string): Promise<void> | void =>
    typeof picture === 'string'
      ? this.#replacePoster(id, elsewhere(picture))
      : this.#take([picture], (located) => this.#replacePoster(id, located));

  removePoster = (id: string) => this.#replacePoster(id, null);

  #replacePoster(id: string, poster: Located | null) {
    const old = this.#items().find((item) => item.id === id)?.poster;
    if (old) this.#forget(old.id);
    this.describe(id, { poster });
  }

  async #take(files: File[], add: (located: Located) => void): Promise<void> {
    const notices: string[] = [];
    let skipped = 0;
    for (const file of files) {
      try {
        if (!file.type.startsWith('image/')) skipped++;
        else if (file.size > LARGEST_FILE) notices.push(fileTooLarge(file.name, readableSize(file.size)));
        else if (!(await this.#takeOne(file, add))) notices.push(fileNotAPicture(file.name));
      } catch (error) {
        this.#form.fail({ message: messageOf(error, words.processingFailed), field: 'media' });
      }
    }
    if (skipped > 0) notices.push(filesSkipped(skipped));
    this.#form.show({ notices });
  }

  async #takeOne(file: File, add: (located: Located) => void): Promise<boolean> {
    const picture = await pictureIn(file);
    if (!picture) return false;
    const id = newId();
    const located: Located = {
      id,
      url: '',
      isUploading: true,
      file: {
        name: file.name,
        size: file.size,
        contentType: picture.contentType,
        path: pathFor(id, picture),
        uploadedAt: null,
        failure: null,
      },
    };
    this.#adopt(new Map([[id, file]]));
    add(located);
    this.#upload(located);
    void this.#device.keepFile(id, file);
    return true;
  }

  #add = (item: MediaItem) => this.#form.change({ media: [...this.#items(), item] });

  #adopt(files: ReadonlyMap<string, File>) {
    const previews = { ...this.#form.state.previews };
    for (const [id, file] of files) {
      this.#files.set(id, file);
      previews[id] ??= URL.createObjectURL(file);
    }
    this.#form.show({ previews });
  }

  turnTo(media: readonly MediaItem[], files: ReadonlyMap<string, File>) {
    const stays = new Set(locatedIn(media).map(({ id }) => id));
    for (const id of [...this.#files.keys()]) if (!stays.has(id)) this.#leave(id);
    this.#adopt(new Map([...files].filter(([id]) => stays.has(id))));
  }

  goOn() {
    for (const located of this.#all()) if (located.isUploading) this.#upload(located);
  }

  removeItem(id: string) {
    const poster = this.#items().find((item) => item.id === id)?.poster;
    if (poster) this.#forget(poster.id);
    this.#forget(id);
    this.#form.change({ media: this.#items().filter((item) => item.id !== id) });
  }

  #forget(id: string) {
    this.#leave(id);
    void this.#device.dropFile(id);
  }

  #leave(id: string) {
    this.#uploads.cancel(id);
    const { [id]: preview, ...previews } = this.#form.state.previews;
    if (preview) URL.revokeObjectURL(preview);
    this.#files.delete(id);
    this.#form.show({ previews });
  }

  describe(id: string, said: Partial<Pick<MediaItem, 'caption' | 'alt' | 'made' | 'poster'>>) {
    this.#form.change({ media: this.#items().map((item) => (item.id === id ? { ...item, ...said } : item)) });
  }

  chooseCover(id: string | null) {
    this.#form.change({ media: this.#items().map((item) => ({ ...item, isCover: item.id === id })) });
  }

  sort(ids: readonly string[]) {
    this.#form.change({ media: this.#items().toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) });
  }

  retry(id: string) {
    const located = this.#find(id);
    if (!located?.file) return;
    this.#change(id, { isUploading: true, file: { ...located.file, failure: null } });
    this.#upload(located);
  }

  #upload({ id, file }: Located) {
    const bytes = this.#files.get(id);
    if (bytes && file) this.#uploads.start(id, bytes, file);
  }

  #uploaded(id: string) {
    const located = this.#find(id);
    if (!located?.file) return;
    this.#breaks = 0;
    const url = this.#publicUrl(BUCKET, located.file.path);
    this.#change(id, { url, isUploading: false, file: { ...located.file, uploadedAt: Date.now(), failure: null } });
  }

  #uploadFailed(id: string, failed: NonNullable<ChosenFile['failure']>) {
    const located = this.#find(id);
    if (!located?.file) return;
    const lost = failed.lost && this.#breaks < MOST_BREAKS;
    const failure = { ...failed, lost, message: lost ? deviceWords.uploadWaits : failed.message };
    console.warn(`${located.file.name} was not uploaded:`, failure.message);
    this.#change(id, { isUploading: false, file: { ...located.file, failure } });
    if (lost) this.#lineLost();
  }

  #items = () => this.#form.state.submission.media;
  #all = () => locatedIn(this.#items());
  #find = (id: string) => this.#all().find((located) => located.id === id);

  #change(id: string, part: Partial<Located>) {
    const changed = <Any extends Located>(located: Any): Any => (located.id === id ? { ...located, ...part } : located);
    this.#form.change({
      media: this.#items().map((item) => ({ ...changed(item), poster: item.poster && changed(item.poster) })),
    });
  }

  lineBack() {
    this.#breaks++;
    for (const { id, file } of this.#all()) if (file?.failure?.lost) this.retry(id);
  }

  lineAway() {
    this.#breaks = 0;
  }

  /** The items become records of another draft: a record belongs to its draft. */
  renew() {
    const previews = { ...this.#form.state.previews };
    const media = this.#items().map((item) => {
      const id = newId();
      const [file, preview] = [this.#files.get(item.id), previews[item.id]];
      if (preview) previews[id] = preview;
      delete previews[item.id];
      if (file) {
        this.#files.delete(item.id);
        this.#files.set(id, file);
        void this.#device.dropFile(item.id);
        void this.#device.keepFile(id, file);
      }
      return { ...item, id };
    });
    this.#form.show({ previews });
    this.#form.change({ media });
  }

  /** A form being sent continues after its files are uploaded, even after the page was closed. */
  #waitForLimit() {
    const { phase, line, ahead } = this.#form.state;
    if (phase !== 'submitting' || line === 'limit' || !ahead?.isPaused) return;
    this.#form.show({ line: 'limit' });
    void this.#device.write();
  }

  /** @param without also if the connection failed for some. @throws UploadError when the connection failed */
  async finishUploads(without: boolean): Promise<MediaItem[]> {
    for (const { id, file } of this.#all()) if (file?.failure && !file.failure.final) this.retry(id);
    this.#waitForLimit();
    await this.#uploads.settled();
    const lost = this.#all().find(({ file }) => file?.failure?.lost);
    if (lost && !without) throw new UploadError(lost.file!.failure!.message, false, { lost: true });
    return this.#items();
  }

  release() {
    this.#uploads.cancelAll();
    for (const address of Object.values(this.#form.state.previews)) URL.revokeObjectURL(address);
    this.#files.clear();
  }
}

const elsewhere = (url: string): Located => ({ id: newId(), url: url.trim(), isUploading: false, file: null });

import { fileNotAPicture, filesSkipped, fileTooLarge, submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/api-error.ts';
import { type Located, type MediaItem, newId, type Submission, unsaid } from '../../../models/submission.ts';
import { BUCKET, LARGEST_FILE, pathFor, pictureIn, readableSize } from '../../../models/upload.ts';
import type { FormServices } from './form-services.ts';
import type { FormState } from './form-state.ts';
import type { Uploads } from './uploads.ts';

/** What the form gives its media to work with. */
interface Host {
  state: () => FormState;
  show: (part: Partial<FormState>) => void;
  change: (part: Partial<Submission>) => void;
  keepFile: (itemId: string, file: File) => Promise<void>;
  dropFile: (itemId: string) => Promise<void>;
}

/** The form's pictures and videos, and the posters of videos: chosen, under way, put in order, described, and removed. */
export class FormMedia {
  readonly #form: Host;
  readonly #publicUrl: FormServices['publicUrl'];
  readonly #uploads: Uploads;
  readonly #files = new Map<string, File>();

  constructor(form: Host, services: Pick<FormServices, 'uploads' | 'publicUrl'>) {
    this.#form = form;
    this.#publicUrl = services.publicUrl;
    this.#uploads = services.uploads({
      onProgress: (id, fraction) => form.show({ progress: { ...form.state().progress, [id]: fraction } }),
      onDone: (id) => this.#uploaded(id),
      onFailed: (id, message, final) => this.#uploadFailed(id, message, final),
    });
  }

  addAddress(type: MediaItem['type'], url: string, caption: string) {
    this.#add({ ...unsaid, ...elsewhere(url), type, caption: caption.trim() });
  }

  /** Adds the pictures among the files and starts sending them; tells about the others. */
  addFiles = (files: File[]): Promise<void> =>
    this.#take(files, (located) => this.#add({ ...unsaid, ...located, type: 'image' }));

  /** The picture that a video shows before it plays: a file, or an address. */
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
        this.#form.show({ failure: { message: messageOf(error, words.processingFailed), field: 'media' } });
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
    this.adopt(new Map([[id, file]]));
    add(located);
    this.#upload(located);
    void this.#form.keepFile(id, file);
    return true;
  }

  #add = (item: MediaItem) => this.#form.change({ media: [...this.#items(), item] });

  /** Takes bytes for items of the form, and makes them visible. */
  adopt(files: ReadonlyMap<string, File>) {
    const previews = { ...this.#form.state().previews };
    for (const [id, file] of files) {
      this.#files.set(id, file);
      previews[id] ??= URL.createObjectURL(file);
    }
    this.#form.show({ previews });
  }

  /** Sends what waits to be sent. */
  goOn() {
    for (const located of this.#all()) if (located.isUploading) this.#upload(located);
  }

  removeItem(id: string) {
    const poster = this.#items().find((item) => item.id === id)?.poster;
    if (poster) this.#forget(poster.id);
    this.#forget(id);
    this.#form.change({ media: this.#items().filter((item) => item.id !== id) });
  }

  /** Nothing of a file is wanted any more. */
  #forget(id: string) {
    this.#uploads.cancel(id);
    const { [id]: preview, ...previews } = this.#form.state().previews;
    if (preview) URL.revokeObjectURL(preview);
    this.#files.delete(id);
    this.#form.show({ previews });
    void this.#form.dropFile(id);
  }

  /** What is said about an item. */
  describe(id: string, said: Partial<Pick<MediaItem, 'caption' | 'alt' | 'made' | 'poster'>>) {
    this.#form.change({ media: this.#items().map((item) => (item.id === id ? { ...item, ...said } : item)) });
  }

  /** The picture that stands for the whole; null for the first one. */
  chooseCover(id: string | null) {
    this.#form.change({ media: this.#items().map((item) => ({ ...item, isCover: item.id === id })) });
  }

  /** @param ids of all items, in their new order */
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
    const url = this.#publicUrl(BUCKET, located.file.path);
    this.#change(id, { url, isUploading: false, file: { ...located.file, uploadedAt: Date.now(), failure: null } });
  }

  #uploadFailed(id: string, message: string, final: boolean) {
    const located = this.#find(id);
    if (!located?.file) return;
    console.warn(`${located.file.name} was not uploaded:`, message);
    this.#change(id, { isUploading: false, file: { ...located.file, failure: { message, final } } });
  }

  #items = () => this.#form.state().submission.media;
  /** The items, and the posters of those that have one. */
  #all = (): Located[] => this.#items().flatMap((item) => (item.poster ? [item, item.poster] : [item]));
  #find = (id: string) => this.#all().find((located) => located.id === id);

  #change(id: string, part: Partial<Located>) {
    const changed = <Any extends Located>(located: Any): Any => (located.id === id ? { ...located, ...part } : located);
    this.#form.change({
      media: this.#items().map((item) => ({ ...changed(item), poster: item.poster && changed(item.poster) })),
    });
  }

  /** Tries once more what failed, and answers the items when nothing is on its way any more. */
  async finishUploads(): Promise<MediaItem[]> {
    for (const { id, file } of this.#all()) if (file?.failure && !file.failure.final) this.retry(id);
    await this.#uploads.settled();
    return this.#items();
  }

  /** Nothing travels on, and temporary addresses are let go. */
  release() {
    this.#uploads.cancelAll();
    for (const address of Object.values(this.#form.state().previews)) URL.revokeObjectURL(address);
    this.#files.clear();
  }
}

const elsewhere = (url: string): Located => ({ id: newId(), url: url.trim(), isUploading: false, file: null });

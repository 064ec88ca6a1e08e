import { fileNotAPicture, filesSkipped, fileTooLarge, submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/api-error.ts';
import { type MediaItem, newId, type Submission } from '../../../models/submission.ts';
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

/** The form's pictures and videos: chosen, under way, named, and removed. */
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
    this.#add({ id: newId(), type, url: url.trim(), caption: caption.trim(), isUploading: false, file: null });
  }

  /** Adds the pictures among the files and starts sending them; tells about the others. */
  async addFiles(files: File[]): Promise<void> {
    const notices: string[] = [];
    let skipped = 0;
    for (const file of files) {
      try {
        if (!file.type.startsWith('image/')) skipped++;
        else if (file.size > LARGEST_FILE) notices.push(fileTooLarge(file.name, readableSize(file.size)));
        else if (!(await this.#addFile(file))) notices.push(fileNotAPicture(file.name));
      } catch (error) {
        this.#form.show({ failure: { message: messageOf(error, words.processingFailed), field: 'media' } });
      }
    }
    if (skipped > 0) notices.push(filesSkipped(skipped));
    this.#form.show({ notices });
  }

  async #addFile(file: File): Promise<boolean> {
    const picture = await pictureIn(file);
    if (!picture) return false;
    const id = newId();
    const item: MediaItem = {
      id,
      type: 'image',
      url: '',
      caption: '',
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
    this.#add(item);
    this.#upload(item);
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
    for (const item of this.#items()) if (item.isUploading) this.#upload(item);
  }

  removeItem(id: string) {
    this.#uploads.cancel(id);
    const { [id]: preview, ...previews } = this.#form.state().previews;
    if (preview) URL.revokeObjectURL(preview);
    this.#files.delete(id);
    this.#form.show({ previews });
    this.#form.change({ media: this.#items().filter((item) => item.id !== id) });
    void this.#form.dropFile(id);
  }

  setCaption(id: string, caption: string) {
    this.#changeItem(id, { caption });
  }

  retry(id: string) {
    const item = this.#find(id);
    if (!item?.file) return;
    this.#changeItem(id, { isUploading: true, file: { ...item.file, failure: null } });
    this.#upload(item);
  }

  #upload({ id, file }: MediaItem) {
    const bytes = this.#files.get(id);
    if (bytes && file) this.#uploads.start(id, bytes, file);
  }

  #uploaded(id: string) {
    const item = this.#find(id);
    if (!item?.file) return;
    const url = this.#publicUrl(BUCKET, item.file.path);
    this.#changeItem(id, { url, isUploading: false, file: { ...item.file, uploadedAt: Date.now(), failure: null } });
  }

  #uploadFailed(id: string, message: string, final: boolean) {
    const item = this.#find(id);
    if (!item?.file) return;
    console.warn(`${item.file.name} was not uploaded:`, message);
    this.#changeItem(id, { isUploading: false, file: { ...item.file, failure: { message, final } } });
  }

  #items = () => this.#form.state().submission.media;
  #find = (id: string) => this.#items().find((item) => item.id === id);

  #changeItem(id: string, part: Partial<MediaItem>) {
    this.#form.change({ media: this.#items().map((item) => (item.id === id ? { ...item, ...part } : item)) });
  }

  /** Tries once more what failed, and answers the items when nothing is on its way any more. */
  async finishUploads(): Promise<MediaItem[]> {
    for (const { id, file } of this.#items()) if (file?.failure && !file.failure.final) this.retry(id);
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

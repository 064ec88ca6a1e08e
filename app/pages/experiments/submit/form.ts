import { fileNotAPicture, filesSkipped, fileTooLarge, submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/api-error.ts';
import { type Draft, revived } from '../../../models/draft.ts';
import {
  emptySubmission,
  firstProblem,
  isBlank,
  type MediaItem,
  newId,
  newSecret,
  type Submission,
  withTag,
} from '../../../models/submission.ts';
import { type Outcome, sendSubmission } from '../../../models/submission-flow.ts';
import { BUCKET, LARGEST_FILE, pathFor, pictureIn, readableSize } from '../../../models/upload.ts';
import { DeviceCopy } from './device-copy.ts';
import type { FormServices, Stored } from './form-services.ts';
import { type FormState, untouched } from './form-state.ts';
import type { Uploads } from './uploads.ts';

/** The submit page's memory: what is written, what travels, and what the device keeps. Pages draw it and call it. */
export class SubmissionForm {
  state: FormState;
  readonly #stored: Stored | null;
  readonly #services: FormServices;
  readonly #uploads: Uploads;
  readonly #files = new Map<string, File>();
  readonly #listeners = new Set<() => void>();
  readonly #device: DeviceCopy;
  #secret = newSecret();
  /** This secret may have been used for sending before. */
  #sentBefore = false;

  constructor(services: FormServices, stored: Stored | null = null) {
    this.#services = services;
    this.#stored = stored;
    this.state = this.#atFirst();
    this.#device = new DeviceCopy(
      () => ({ secret: this.#secret, submission: this.state.submission, sending: this.state.phase !== 'editing' }),
      (saved) => this.#show({ saved }),
      stored?.name,
    );
    this.#uploads = services.uploads({
      onProgress: (id, fraction) => this.#show({ progress: { ...this.state.progress, [id]: fraction } }),
      onDone: (id) => this.#uploaded(id),
      onFailed: (id, message, final) => this.#uploadFailed(id, message, final),
    });
  }

  #atFirst = (): FormState => (this.#stored ? { ...untouched, submission: this.#stored.submission } : untouched);

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  snapshot = () => this.state;

  /** Brings back what an earlier visit left on this device. */
  async start(): Promise<void> {
    const kept = await this.#device.open();
    if (kept && !isBlank(kept.draft.submission)) this.#bringBack(kept.draft, kept.files);
    if (!this.#stored && !isBlank(this.state.submission)) this.#device.changed();
  }

  #bringBack({ secret, submission, sending }: Draft, files: Map<string, File>) {
    // A stored draft was not typed: what the device kept of it is newer.
    const typed = this.#stored ? emptySubmission() : this.state.submission;
    this.#secret = secret;
    this.#sentBefore = sending;
    for (const [id, file] of files) this.#files.set(id, file);
    const back = revived(submission, files);
    const merged: Submission = {
      ...emptySubmission(),
      ...back,
      media: [...back.media, ...typed.media],
      tags: [...new Set([...back.tags, ...typed.tags])],
    };
    for (const field of [
      'title',
      'client',
      'category',
      'brief',
      'understanding',
      'actions',
      'impact',
      'contact',
    ] as const) {
      if (typed[field]) Object.assign(merged, { [field]: typed[field] });
    }
    const previews = { ...this.state.previews };
    for (const { id } of merged.media) {
      const file = this.#files.get(id);
      if (file) previews[id] ??= URL.createObjectURL(file);
    }
    this.#show({ submission: merged, previews, saved: 'saved', returned: sending ? 'sending' : 'written' });
    for (const item of back.media) if (item.isUploading) this.#upload(item);
  }

  /** The returned draft is wanted. One that was being sent is sent to its end. */
  async goOn(): Promise<void> {
    const { returned } = this.state;
    this.#show({ returned: null });
    if (returned === 'sending') await this.submit();
  }

  /** Empties form and device. */
  async startOver(): Promise<void> {
    this.release();
    this.#files.clear();
    this.#secret = newSecret();
    this.#sentBefore = false;
    await this.#device.clear();
    this.#show({ ...this.#atFirst(), saved: this.state.saved });
  }

  change(part: Partial<Submission>) {
    this.#show({ submission: { ...this.state.submission, ...part } });
    if (this.state.phase !== 'submitted') this.#device.changed();
  }

  addTag(typed: string) {
    const tags = withTag(this.state.submission.tags, typed);
    if (tags !== this.state.submission.tags) this.change({ tags });
  }

  removeTag(tag: string) {
    this.change({ tags: this.state.submission.tags.filter((other) => other !== tag) });
  }

  addAddress(type: MediaItem['type'], url: string, caption: string) {
    const item: MediaItem = {
      id: newId(),
      type,
      url: url.trim(),
      caption: caption.trim(),
      isUploading: false,
      file: null,
    };
    this.change({ media: [...this.state.submission.media, item] });
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
        this.#show({ failure: { message: messageOf(error, words.processingFailed), field: 'media' } });
      }
    }
    if (skipped > 0) notices.push(filesSkipped(skipped));
    this.#show({ notices });
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
    this.#files.set(id, file);
    this.#show({ previews: { ...this.state.previews, [id]: URL.createObjectURL(file) } });
    this.change({ media: [...this.state.submission.media, item] });
    this.#upload(item);
    void this.#device.keepFile(id, file);
    return true;
  }

  removeItem(id: string) {
    this.#uploads.cancel(id);
    const { [id]: preview, ...previews } = this.state.previews;
    if (preview) URL.revokeObjectURL(preview);
    this.#files.delete(id);
    this.#show({ previews });
    this.change({ media: this.state.submission.media.filter((item) => item.id !== id) });
    void this.#device.dropFile(id);
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
    const url = this.#services.publicUrl(BUCKET, item.file.path);
    this.#changeItem(id, { url, isUploading: false, file: { ...item.file, uploadedAt: Date.now(), failure: null } });
  }

  #uploadFailed(id: string, message: string, final: boolean) {
    const item = this.#find(id);
    if (!item?.file) return;
    console.warn(`${item.file.name} was not uploaded:`, message);
    this.#changeItem(id, { isUploading: false, file: { ...item.file, failure: { message, final } } });
  }

  #find = (id: string) => this.state.submission.media.find((item) => item.id === id);

  #changeItem(id: string, part: Partial<MediaItem>) {
    this.change({ media: this.state.submission.media.map((item) => (item.id === id ? { ...item, ...part } : item)) });
  }

  /** Checks, then sends. What fails leaves the form as it is. */
  async submit(): Promise<void> {
    if (this.state.phase !== 'editing') return;
    const problem = firstProblem(this.state.submission);
    if (problem) return this.#show({ failure: problem, returned: null });
    this.#show({ phase: 'submitting', failure: null, returned: null });
    try {
      await this.#device.write();
      let outcome = await this.#send();
      if (outcome.closed && this.#sentBefore) {
        // The draft that an earlier try began takes nothing more. Better a second draft than a lost text.
        this.#secret = newSecret();
        await this.#device.write();
        outcome = await this.#send();
      }
      if (!outcome.unfinished) await this.#device.clear();
      this.#show({ phase: 'submitted', outcome: { ...outcome, secret: this.#secret }, step: null });
    } catch (error) {
      this.#sentBefore = true;
      this.#show({
        phase: 'editing',
        step: null,
        failure: { message: messageOf(error, words.submitFailed), field: null },
      });
      await this.#device.write();
    }
  }

  async #send(): Promise<Outcome> {
    if (this.#services.send) {
      await this.#finishUploads();
      return this.#services.send(this.state.submission);
    }
    return sendSubmission(
      this.state.submission,
      this.#secret,
      { ...this.#services, finishUploads: () => this.#finishUploads() },
      (step) => this.#show({ step }),
    );
  }

  async #finishUploads(): Promise<MediaItem[]> {
    for (const { id, file } of this.state.submission.media) if (file?.failure && !file.failure.final) this.retry(id);
    await this.#uploads.settled();
    return this.state.submission.media;
  }

  /** Sends again what did not get through, after the success screen said so. */
  async sendRest(): Promise<void> {
    if (this.state.phase !== 'submitted') return;
    this.#show({ phase: 'editing', outcome: null });
    await this.submit();
  }

  /** The page is out of sight and may not come back. */
  leave = () => this.#device.flush();

  /** The page is gone: nothing travels on, and temporary addresses are let go. */
  release() {
    this.#uploads.cancelAll();
    for (const address of Object.values(this.state.previews)) URL.revokeObjectURL(address);
  }

  #show(part: Partial<FormState>) {
    this.state = { ...this.state, ...part };
    for (const listener of this.#listeners) listener();
  }
}

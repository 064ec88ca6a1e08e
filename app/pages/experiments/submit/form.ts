import { fileNotAPicture, filesSkipped, fileTooLarge, submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/api-error.ts';
import { claimDraft, type Draft, type DraftStore, openDraftStore, revived } from '../../../models/draft.ts';
import {
  type CheckedField,
  emptySubmission,
  firstProblem,
  isBlank,
  type MediaItem,
  newId,
  newSecret,
  type Submission,
  withTag,
} from '../../../models/submission.ts';
import { type FlowServices, type Outcome, type Step, sendSubmission } from '../../../models/submission-flow.ts';
import { BUCKET, LARGEST_FILE, pathFor, pictureIn, readableSize } from '../../../models/upload.ts';
import type { Uploads } from './uploads.ts';

/** Longest wait between a change and its copy on the device, in ms. */
const SAVE_AFTER = 400;

export interface FormState {
  phase: 'editing' | 'submitting' | 'submitted';
  submission: Submission;
  /** Sent fraction of files under way, by item id. */
  progress: Record<string, number>;
  /** Temporary addresses of chosen files, by item id. */
  previews: Record<string, string>;
  failure: { message: string; field: CheckedField | null } | null;
  /** Quiet lines about files that were not added. */
  notices: string[];
  step: Step | null;
  /** Whether this device has a copy. */
  saved: 'nothing' | 'saving' | 'saved' | 'impossible' | 'elsewhere';
  /** A draft of an earlier visit was brought back: written, or already being sent. */
  returned: 'written' | 'sending' | null;
  outcome: (Outcome & { secret: string }) | null;
}

export interface FormServices extends Omit<FlowServices, 'finishUploads'> {
  uploads: (events: ConstructorParameters<typeof Uploads>[1]) => Uploads;
  publicUrl: (bucket: string, path: string) => string;
}

/** The submit page's memory: what is written, what travels, and what the device keeps. Pages draw it and call it. */
export class SubmissionForm {
  state: FormState = {
    phase: 'editing',
    submission: emptySubmission(),
    progress: {},
    previews: {},
    failure: null,
    notices: [],
    step: null,
    saved: 'nothing',
    returned: null,
    outcome: null,
  };
  readonly #services: FormServices;
  readonly #uploads: Uploads;
  readonly #files = new Map<string, File>();
  readonly #listeners = new Set<() => void>();
  #drafts: DraftStore | null = null;
  #secret = newSecret();
  /** This secret may have been used for sending before. */
  #sentBefore = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(services: FormServices) {
    this.#services = services;
    this.#uploads = services.uploads({
      onProgress: (id, fraction) => this.#show({ progress: { ...this.state.progress, [id]: fraction } }),
      onDone: (id) => this.#uploaded(id),
      onFailed: (id, message, final) => this.#uploadFailed(id, message, final),
    });
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };
  snapshot = () => this.state;

  /** Brings back what an earlier visit left on this device. `typed`: what was entered before the page came to life. */
  async start(typed: Partial<Submission>): Promise<void> {
    if (Object.keys(typed).length > 0) this.change(typed);
    if (!(await claimDraft())) return this.#show({ saved: 'elsewhere' });
    try {
      this.#drafts = await openDraftStore();
      const kept = await this.#drafts.read();
      if (kept && !isBlank(kept.draft.submission)) this.#bringBack(kept.draft, kept.files);
      else if (!isBlank(this.state.submission)) this.#save();
    } catch (error) {
      console.warn('This device keeps no draft:', messageOf(error, words.processingFailed));
      this.#show({ saved: 'impossible' });
    }
  }

  #bringBack({ secret, submission, sending }: Draft, files: Map<string, File>) {
    const typed = this.state.submission;
    this.#secret = secret;
    this.#sentBefore = sending;
    for (const [id, file] of files) this.#files.set(id, file);
    const back = revived(submission, files);
    const merged: Submission = {
      ...back,
      media: [...back.media, ...typed.media],
      tags: [...new Set([...back.tags, ...typed.tags])],
    };
    for (const field of ['title', 'client', 'category', 'brief', 'understanding', 'actions', 'impact'] as const) {
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
    this.#uploads.cancelAll();
    for (const address of Object.values(this.state.previews)) URL.revokeObjectURL(address);
    this.#files.clear();
    this.#secret = newSecret();
    this.#sentBefore = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const saved = this.state.saved === 'elsewhere' || this.state.saved === 'impossible' ? this.state.saved : 'nothing';
    this.#show({
      phase: 'editing',
      submission: emptySubmission(),
      progress: {},
      previews: {},
      failure: null,
      notices: [],
      step: null,
      saved,
      returned: null,
      outcome: null,
    });
    await this.#keep((drafts) => drafts.clear());
  }

  change(part: Partial<Submission>) {
    this.#show({ submission: { ...this.state.submission, ...part } });
    this.#save();
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
    void this.#keep((drafts) => drafts.keepFile(id, file));
    return true;
  }

  removeItem(id: string) {
    this.#uploads.cancel(id);
    const { [id]: preview, ...previews } = this.state.previews;
    if (preview) URL.revokeObjectURL(preview);
    this.#files.delete(id);
    this.#show({ previews });
    this.change({ media: this.state.submission.media.filter((item) => item.id !== id) });
    void this.#keep((drafts) => drafts.dropFile(id));
  }

  setCaption(id: string, caption: string) {
    this.#changeItem(id, { caption });
  }

  retry(id: string) {
    const item = this.state.submission.media.find((other) => other.id === id);
    if (!item?.file) return;
    this.#changeItem(id, { isUploading: true, file: { ...item.file, failure: null } });
    this.#upload(item);
  }

  #upload({ id, file }: MediaItem) {
    const bytes = this.#files.get(id);
    if (bytes && file) this.#uploads.start(id, bytes, file);
  }

  #uploaded(id: string) {
    const item = this.state.submission.media.find((other) => other.id === id);
    if (!item?.file) return;
    const url = this.#services.publicUrl(BUCKET, item.file.path);
    this.#changeItem(id, { url, isUploading: false, file: { ...item.file, uploadedAt: Date.now(), failure: null } });
  }

  #uploadFailed(id: string, message: string, final: boolean) {
    const item = this.state.submission.media.find((other) => other.id === id);
    if (!item?.file) return;
    console.warn(`${item.file.name} was not uploaded:`, message);
    this.#changeItem(id, { isUploading: false, file: { ...item.file, failure: { message, final } } });
  }

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
      await this.#writeDraft(true);
      let outcome = await this.#send();
      if (outcome.closed && this.#sentBefore) {
        // The draft that an earlier try began takes nothing more. Better a second draft than a lost text.
        this.#secret = newSecret();
        await this.#writeDraft(true);
        outcome = await this.#send();
      }
      const sent = { ...outcome, secret: this.#secret };
      if (!outcome.unfinished) {
        clearTimeout(this.#timer);
        await this.#keep((drafts) => drafts.clear());
      }
      this.#show({ phase: 'submitted', outcome: sent, step: null });
    } catch (error) {
      this.#sentBefore = true;
      this.#show({
        phase: 'editing',
        step: null,
        failure: { message: messageOf(error, words.submitFailed), field: null },
      });
      await this.#writeDraft(false);
    }
  }

  #send(): Promise<Outcome> {
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

  /** Takes the last copy and lets go of temporary addresses: the page is being left. */
  leave() {
    if (this.#timer !== undefined) void this.#writeDraft(false);
  }

  release() {
    this.#uploads.cancelAll();
    for (const address of Object.values(this.state.previews)) URL.revokeObjectURL(address);
  }

  #show(part: Partial<FormState>) {
    this.state = { ...this.state, ...part };
    for (const listener of this.#listeners) listener();
  }

  /** Copies to the device soon: the first change starts the clock, so steady typing is saved as well. */
  #save() {
    if (!this.#drafts || this.state.phase === 'submitted') return;
    if (this.state.saved !== 'impossible') this.#show({ saved: 'saving' });
    this.#timer ??= setTimeout(() => void this.#writeDraft(this.state.phase === 'submitting'), SAVE_AFTER);
  }

  async #writeDraft(sending: boolean) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = { secret: this.#secret, savedAt: Date.now(), submission: this.state.submission, sending };
    await this.#keep((drafts) => drafts.write(draft));
    if (this.#timer === undefined && this.state.saved === 'saving') this.#show({ saved: 'saved' });
  }

  /** One after the other, so that an older copy never lands on a newer one. */
  #keep(act: (drafts: DraftStore) => Promise<void>): Promise<void> {
    const drafts = this.#drafts;
    if (!drafts) return Promise.resolve();
    this.#writing = this.#writing.then(() =>
      act(drafts).catch((error) => {
        console.warn('The draft was not kept on this device:', messageOf(error, words.processingFailed));
        this.#show({ saved: 'impossible' });
      }),
    );
    return this.#writing;
  }
}

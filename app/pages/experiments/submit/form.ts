import { submissionWords as words } from '../../../copy/submission.ts';
import { messageOf } from '../../../models/api-error.ts';
import { type Draft, joined, revived } from '../../../models/draft.ts';
import {
  emptySubmission,
  firstProblem,
  isBlank,
  newSecret,
  type Submission,
  withTag,
} from '../../../models/submission.ts';
import { type Outcome, sendSubmission } from '../../../models/submission-flow.ts';
import { DeviceCopy } from './device-copy.ts';
import { FormMedia } from './form-media.ts';
import type { FormServices, Stored } from './form-services.ts';
import { type FormState, untouched } from './form-state.ts';

/** The submit page's memory: what is written, what travels, and what the device keeps. Pages draw it and call it. */
export class SubmissionForm {
  state: FormState;
  readonly media: FormMedia;
  readonly #stored: Stored | null;
  readonly #services: FormServices;
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
    this.media = new FormMedia(
      {
        state: this.snapshot,
        show: (part) => this.#show(part),
        change: (part) => this.change(part),
        keepFile: this.#device.keepFile,
        dropFile: this.#device.dropFile,
      },
      services,
    );
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
    this.media.adopt(files);
    this.#show({
      submission: joined(revived(submission, files), typed),
      saved: 'saved',
      returned: sending ? 'sending' : 'written',
    });
    this.media.goOn();
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
    const finishUploads = () => this.media.finishUploads();
    if (this.#services.send) {
      await finishUploads();
      return this.#services.send(this.state.submission);
    }
    return sendSubmission(this.state.submission, this.#secret, { ...this.#services, finishUploads }, (step) =>
      this.#show({ step }),
    );
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
    this.media.release();
  }

  #show(part: Partial<FormState>) {
    this.state = { ...this.state, ...part };
    for (const listener of this.#listeners) listener();
  }
}

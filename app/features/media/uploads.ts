import { submissionWords as words } from '#features/submissions/words/submission.ts';
import { isLost, messageOf } from '#lib/data/api-error.ts';
import { wait } from '#lib/data/retry.ts';
import { type Allowance, hasRoom, readAllowance, subtractFile, type UploadsAhead } from './model/allowance.ts';
import { CANCELLED, Queue, UploadError, type UploadPlace, uploadFile } from './model/upload.ts';

const MAX_CONCURRENT_UPLOADS = 2;
const QUOTA_CHECK_MS = 30_000;

export interface UploadEvents {
  onProgress: (id: string, fraction: number) => void;
  onDone: (id: string) => void;
  /** `final`: retrying would not help; `lost`: there was no response. */
  onFailed: (id: string, message: string, final: boolean, lost: boolean) => void;
  onAhead: (ahead: UploadsAhead) => void;
}

/** Uploads of one form, two at a time. When the quota is used up, they wait and continue automatically. */
export class Uploads {
  readonly #place: UploadPlace;
  readonly #events: UploadEvents;
  readonly #queue = new Queue(MAX_CONCURRENT_UPLOADS);
  readonly #running = new Map<string, { end: AbortController; done: Promise<void> }>();
  readonly #ahead = new Map<string, number>();
  readonly #paused = new Set<string>();
  #allowance: Allowance | null = null;
  #isCounted = true;

  constructor(place: UploadPlace, events: UploadEvents) {
    this.#place = place;
    this.#events = events;
  }

  start(id: string, bytes: Blob, target: { path: string; contentType: string }) {
    if (this.#running.has(id)) return;
    const controller = new AbortController();
    const onProgress = (fraction: number) => !controller.signal.aborted && this.#events.onProgress(id, fraction);
    this.#ahead.set(id, bytes.size);
    const done = this.#queue
      .add(async () => {
        for (;;) {
          controller.signal.throwIfAborted();
          await this.#room(id, bytes.size, controller.signal);
          try {
            return await uploadFile(this.#place, bytes, target, { onProgress, signal: controller.signal });
          } catch (error) {
            if (!(error instanceof UploadError && error.isTooMuch) || (await this.#isRoom(bytes.size))) throw error;
            this.#ahead.set(id, bytes.size);
          }
        }
      })
      .then(
        () => this.#end(id, controller, () => this.#events.onDone(id)),
        (error) =>
          this.#end(id, controller, () => {
            const final = error instanceof UploadError && error.final;
            this.#events.onFailed(id, messageOf(error, words.uploadFailedSilently), final, isLost(error));
          }),
      );
    this.#running.set(id, { end: controller, done });
    this.#showAhead();
  }

  async #room(id: string, size: number, signal: AbortSignal): Promise<void> {
    while (!(await this.#isRoom(size))) {
      signal.throwIfAborted();
      this.#paused.add(id);
      this.#events.onProgress(id, 0);
      this.#showAhead();
      const untilReset = (this.#allowance?.resetsAt ?? 0) - Date.now();
      await wait(Math.min(Math.max(untilReset, 1_000), QUOTA_CHECK_MS), signal);
    }
    signal.throwIfAborted();
    this.#leave(id);
    if (this.#allowance) this.#allowance = subtractFile(this.#allowance, size);
    this.#showAhead();
  }

  /** Without a quota or a response, the upload itself is attempted. */
  async #isRoom(size: number): Promise<boolean> {
    if (!this.#isCounted) return true;
    const answer = await readAllowance(this.#place);
    if (answer === 'none') this.#isCounted = false;
    this.#allowance = typeof answer === 'string' ? null : answer;
    return !this.#allowance || hasRoom(this.#allowance, size);
  }

  #showAhead() {
    if (!this.#allowance) return;
    this.#events.onAhead({
      allowance: this.#allowance,
      sizes: [...this.#ahead.values()],
      isPaused: this.#paused.size > 0,
    });
  }

  #leave(id: string) {
    this.#ahead.delete(id);
    this.#paused.delete(id);
  }

  #end(id: string, end: AbortController, tell: () => void) {
    if (end.signal.aborted) return;
    this.#running.delete(id);
    this.#leave(id);
    tell();
    // Reads the quota again, because concurrent uploads used it and failed uploads were refunded.
    if (this.#running.size === 0 && this.#allowance) void this.#isRoom(0).then(() => this.#showAhead());
  }

  cancel(id: string) {
    this.#stop(id, CANCELLED);
    this.#showAhead();
  }

  /** Stops the uploads; the next visit resumes them. */
  cancelAll() {
    for (const id of [...this.#running.keys()]) this.#stop(id);
  }

  #stop(id: string, reason?: unknown) {
    this.#running.get(id)?.end.abort(reason);
    this.#running.delete(id);
    this.#leave(id);
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}

import { submissionWords as words } from '../../../copy/submission.ts';
import { isLost, messageOf } from '../../../models/data/api-error.ts';
import { Queue, UploadError, type UploadPlace, uploadFile } from '../../../models/media/upload.ts';

const AT_ONCE = 2;

export interface UploadEvents {
  onProgress: (id: string, fraction: number) => void;
  onDone: (id: string) => void;
  /** `final`: trying again would not help; `lost`: there was no answer at all. */
  onFailed: (id: string, message: string, final: boolean, lost: boolean) => void;
}

/** The files of one form that are on their way, two at a time. */
export class Uploads {
  readonly #place: UploadPlace;
  readonly #events: UploadEvents;
  readonly #queue = new Queue(AT_ONCE);
  readonly #running = new Map<string, { end: AbortController; done: Promise<void> }>();

  constructor(place: UploadPlace, events: UploadEvents) {
    this.#place = place;
    this.#events = events;
  }

  /** Starts, or does nothing when the file is already on its way. */
  start(id: string, bytes: Blob, target: { path: string; contentType: string }) {
    if (this.#running.has(id)) return;
    const end = new AbortController();
    const onProgress = (fraction: number) => !end.signal.aborted && this.#events.onProgress(id, fraction);
    const done = this.#queue
      .add(async () => {
        end.signal.throwIfAborted();
        await uploadFile(this.#place, bytes, target, { onProgress, signal: end.signal });
      })
      .then(
        () => this.#end(id, end, () => this.#events.onDone(id)),
        (error) =>
          this.#end(id, end, () => {
            const final = error instanceof UploadError && error.final;
            this.#events.onFailed(id, messageOf(error, words.uploadFailedSilently), final, isLost(error));
          }),
      );
    this.#running.set(id, { end, done });
  }

  #end(id: string, end: AbortController, tell: () => void) {
    if (end.signal.aborted) return;
    this.#running.delete(id);
    tell();
  }

  cancel(id: string) {
    this.#running.get(id)?.end.abort();
    this.#running.delete(id);
  }

  cancelAll() {
    for (const id of [...this.#running.keys()]) this.cancel(id);
  }

  /** When nothing is on its way any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}

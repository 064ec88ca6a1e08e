import { submissionWords as words } from '#features/submissions/words/submission.ts';
import { isLost, messageOf } from '#lib/data/api-error.ts';
import { wait } from '#lib/data/retry.ts';
import { type Allowance, hasRoom, readAllowance, subtractFile, type UploadsAhead } from './model/allowance.ts';
import { CANCELLED, queueOf, UploadError, type UploadPlace, type UploadTarget, uploadFile } from './model/upload.ts';

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
export function createUploads(place: UploadPlace, { onProgress, onDone, onFailed, onAhead }: UploadEvents) {
  const enqueue = queueOf(MAX_CONCURRENT_UPLOADS);
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>();
  const sizes = new Map<string, number>();
  const paused = new Set<string>();
  let allowance: Allowance | null = null;
  let isCounted = true;

  function showAhead() {
    if (allowance) onAhead({ allowance, sizes: [...sizes.values()], isPaused: paused.size > 0 });
  }

  function leave(id: string) {
    sizes.delete(id);
    paused.delete(id);
  }

  /** Without a quota or a response, the upload itself is attempted. */
  async function isRoom(size: number): Promise<boolean> {
    if (!isCounted) return true;
    const answer = await readAllowance(place);
    if (answer === 'none') isCounted = false;
    allowance = typeof answer === 'string' ? null : answer;
    return !allowance || hasRoom(allowance, size);
  }

  async function waitForRoom(id: string, size: number, signal: AbortSignal): Promise<void> {
    while (!(await isRoom(size))) {
      signal.throwIfAborted();
      paused.add(id);
      onProgress(id, 0);
      showAhead();
      const untilReset = (allowance?.resetsAt ?? 0) - Date.now();
      await wait(Math.min(Math.max(untilReset, 1_000), QUOTA_CHECK_MS), signal);
    }
    signal.throwIfAborted();
    leave(id);
    if (allowance) allowance = subtractFile(allowance, size);
    showAhead();
  }

  async function upload(id: string, bytes: Blob, target: UploadTarget, signal: AbortSignal): Promise<void> {
    const report = (fraction: number) => !signal.aborted && onProgress(id, fraction);
    for (;;) {
      signal.throwIfAborted();
      await waitForRoom(id, bytes.size, signal);
      try {
        return await uploadFile(place, bytes, target, { onProgress: report, signal });
      } catch (error) {
        if (!(error instanceof UploadError && error.isTooMuch) || (await isRoom(bytes.size))) throw error;
        sizes.set(id, bytes.size);
      }
    }
  }

  function end(id: string, { aborted }: AbortSignal, report: () => void) {
    if (aborted) return;
    running.delete(id);
    leave(id);
    report();
    // Reads the quota again, because concurrent uploads used it and failed uploads were refunded.
    if (running.size === 0 && allowance) void isRoom(0).then(showAhead);
  }

  function stop(id: string, reason?: unknown) {
    running.get(id)?.controller.abort(reason);
    running.delete(id);
    leave(id);
  }

  return {
    start(id: string, bytes: Blob, target: UploadTarget) {
      if (running.has(id)) return;
      const controller = new AbortController();
      const { signal } = controller;
      sizes.set(id, bytes.size);
      const done = enqueue(() => upload(id, bytes, target, signal)).then(
        () => end(id, signal, () => onDone(id)),
        (error) =>
          end(id, signal, () => {
            const final = error instanceof UploadError && error.final;
            onFailed(id, messageOf(error, words.uploadFailedSilently), final, isLost(error));
          }),
      );
      running.set(id, { controller, done });
      showAhead();
    },
    cancel(id: string) {
      stop(id, CANCELLED);
      showAhead();
    },
    /** Stops the uploads; the next visit resumes them. */
    cancelAll() {
      for (const id of [...running.keys()]) stop(id);
    },
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

import { Session } from 'node:inspector';
import type { Worker } from 'node:worker_threads';

/** What the engine's thread offers to be called by: see `pglite-worker.ts`. */
export const CANCEL = 'cancelStatement';
/** How long the thread is waited for before the line to it is closed again, milliseconds. */
const LISTEN_MS = 1_000;

interface Attached {
  params: { sessionId: string };
}

/**
 * Asks the engine's thread to cancel one call while it computes. A thread that computes takes no message, and its
 * memory is not shared; but the inspector speaks to a thread in the middle of a loop. It is used from inside this
 * process only: no port is opened, and nothing is attached while nothing is cancelled.
 */
export function cancelInThread(worker: Worker, call: number): void {
  const session = new Session();
  session.connect();
  const end = () => {
    clearTimeout(timer);
    session.disconnect();
  };
  const timer = setTimeout(end, LISTEN_MS).unref();
  const message = JSON.stringify({
    id: 1,
    method: 'Runtime.evaluate',
    params: { expression: `globalThis.${CANCEL}?.(${worker.threadId}, ${call}) ?? null`, returnByValue: true },
  });
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }: Attached) =>
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message }),
  );
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }: { params: { message: string } }) => {
    // Other threads of this process are asked too, and know of no such call.
    if (JSON.parse(params.message).result?.result?.value === true) end();
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}

import { archiveWords as words } from '../words.ts';

export interface ArchivePlace {
  url: string;
  key: string;
  token: string | null;
}

/** `signInAgain`: the user has to sign in again. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly signInAgain: boolean;

  constructor(message: string, signInAgain = false) {
    super(message);
    this.signInAgain = signInAgain;
  }
}

/** Length of the end marker of every archive, in bytes. */
const END = 1024;
const STORAGE_FULL_ERRORS = ['QuotaExceededError', 'NotReadableError'];

/**
 * @param onProgress bytes received, and the estimated total. @throws ArchiveError; the reason of an aborted `signal`
 */
export async function downloadArchive(
  { url, key, token }: ArchivePlace,
  signal: AbortSignal,
  onProgress: (got: number, about: number) => void,
): Promise<Blob> {
  const answer = await fetch(`${url}/functions/v1/download-archive`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: '{}',
    signal,
  }).catch(() => {
    signal.throwIfAborted();
    throw new ArchiveError(words.failed);
  });
  if (answer.headers.get('content-type') !== 'application/x-tar') throw await refusalOf(answer);
  const estimatedTotal = Number(answer.headers.get('x-about-bytes'));
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      onProgress(received, Math.max(received, estimatedTotal));
      controller.enqueue(chunk);
    },
  });
  try {
    // The browser stores a large body on disk.
    const file = await new Response(answer.body!.pipeThrough(counter)).blob();
    if (!(await isWhole(file))) throw new ArchiveError(words.cutOff);
    return file;
  } catch (error) {
    signal.throwIfAborted();
    if (STORAGE_FULL_ERRORS.includes((error as Error).name))
      throw new ArchiveError(
        'This device has no space for the file, so nothing was saved. Free some space, then try again.',
      );
    throw error instanceof ArchiveError ? error : new ArchiveError(words.cutOff);
  }
}

/** Checks the end marker, because a proxy may deliver a truncated response as complete. */
async function isWhole(file: Blob): Promise<boolean> {
  const marker = new Uint8Array(await file.slice(-END).arrayBuffer());
  return marker.length === END && marker.every((byte) => byte === 0);
}

async function refusalOf(answer: Response): Promise<ArchiveError> {
  const body = (await answer.json().catch(() => null)) as { error?: unknown; signInAgain?: unknown } | null;
  return typeof body?.error === 'string' && body.error
    ? new ArchiveError(body.error, body.signInAgain === true)
    : new ArchiveError(words.failed);
}

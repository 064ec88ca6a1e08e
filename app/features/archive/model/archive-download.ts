import { archiveWords as words } from '../words.ts';

export interface ArchivePlace {
  url: string;
  key: string;
  token: string | null;
}

/** `signInAgain` when that is what helps. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly signInAgain: boolean;

  constructor(message: string, signInAgain = false) {
    super(message);
    this.signInAgain = signInAgain;
  }
}

/** Bytes of the end marker of every archive. */
const END = 1024;
const NO_ROOM = ['QuotaExceededError', 'NotReadableError'];

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
  const about = Number(answer.headers.get('x-about-bytes'));
  let got = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      got += chunk.byteLength;
      onProgress(got, Math.max(got, about));
      controller.enqueue(chunk);
    },
  });
  try {
    // The browser stores a large body on disk.
    const file = await new Response(answer.body!.pipeThrough(counted)).blob();
    if (!(await isWhole(file))) throw new ArchiveError(words.cutOff);
    return file;
  } catch (error) {
    signal.throwIfAborted();
    if (NO_ROOM.includes((error as Error).name))
      throw new ArchiveError('This device has no room for the file, so nothing was saved. Make room, then try again.');
    throw error instanceof ArchiveError ? error : new ArchiveError(words.cutOff);
  }
}

/** Whether the end marker is there: a proxy may deliver a truncated response as complete. */
async function isWhole(file: Blob): Promise<boolean> {
  const end = new Uint8Array(await file.slice(-END).arrayBuffer());
  return end.length === END && end.every((byte) => byte === 0);
}

async function refusalOf(answer: Response): Promise<ArchiveError> {
  const said = (await answer.json().catch(() => null)) as { error?: unknown; signInAgain?: unknown } | null;
  return typeof said?.error === 'string' && said.error
    ? new ArchiveError(said.error, said.signInAgain === true)
    : new ArchiveError(words.failed);
}

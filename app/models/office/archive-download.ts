import { archiveWords as words } from '../../copy/admin/archive.ts';

/** Where archives come from, and as whom. */
export interface ArchivePlace {
  url: string;
  key: string;
  /** The session's token. */
  token: string | null;
}

/** A sentence for a person; `signInAgain` when that is what helps. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly signInAgain: boolean;

  constructor(message: string, signInAgain = false) {
    super(message);
    this.signInAgain = signInAgain;
  }
}

/** What stands at the end of every archive, bytes. */
const END = 1024;
/** Names of errors of a browser that has no room left. */
const NO_ROOM = ['QuotaExceededError', 'NotReadableError'];

/**
 * Takes an archive of everything as it is made.
 * @param onProgress bytes that have come, and about how many there will be
 * @throws ArchiveError; whatever `signal` says when it is over
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
    // The browser lays a large body on its disk.
    const file = await new Response(answer.body!.pipeThrough(counted)).blob();
    if (!(await isWhole(file))) throw new ArchiveError(words.cutOff);
    return file;
  } catch (error) {
    signal.throwIfAborted();
    if (NO_ROOM.includes((error as Error).name)) throw new ArchiveError(words.noRoomHere);
    throw error instanceof ArchiveError ? error : new ArchiveError(words.cutOff);
  }
}

/** Whether it has its end: what stands between us and the server may pass off a broken answer as a whole one. */
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

import type { AuthClient } from '@supabase/auth-js';
import { downloadWords as words } from '#features/account/words.ts';
import { ApiError } from '#lib/data/api-error.ts';

/** Length of the end marker of every archive, in bytes. */
const END = 1024;
const NO_SPACE = 'This device has no space for the file, so nothing was saved. Free some space, then try again.';

/** @param onProgress bytes received, and the estimated total. @throws Error with its words, ApiError PT403 when the user has to sign in again; the reason of an aborted `signal` */
export async function downloadArchive(
  { url, key, auth }: { url: string; key: string; auth: InstanceType<typeof AuthClient> },
  signal: AbortSignal,
  onProgress: (got: number, about: number) => void,
): Promise<Blob> {
  const { data } = await auth.getSession();
  const token = data.session?.access_token;
  const answer = await fetch(`${url}/functions/v1/download-archive`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: '{}',
    signal,
  }).catch(() => {
    signal.throwIfAborted();
    throw new Error(words.failed);
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
  const file = await new Response(answer.body!.pipeThrough(counter)).blob().catch((error: Error) => {
    signal.throwIfAborted();
    throw new Error(['QuotaExceededError', 'NotReadableError'].includes(error.name) ? NO_SPACE : words.cutOff);
  });
  if (!(await isWhole(file))) throw new Error(words.cutOff);
  return file;
}

/** Checks the end marker, because a proxy may deliver a truncated response as complete. */
async function isWhole(file: Blob): Promise<boolean> {
  const marker = new Uint8Array(await file.slice(-END).arrayBuffer());
  return marker.length === END && marker.every((byte) => byte === 0);
}

async function refusalOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => null)) as { error?: unknown; signInAgain?: unknown } | null;
  return new ApiError(typeof body?.error === 'string' ? body.error : '', body?.signInAgain === true ? 'PT403' : null);
}

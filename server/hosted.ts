import type { Problem } from '../backend/index.ts';

const TRY_MS = 5_000;
const READS = new Set(['GET', 'HEAD']);

/** Five seconds per try, and a retry for reads. @throws Error when it is unreachable or too slow */
export async function askHosted(request: Request): Promise<Response> {
  const again = READS.has(request.method) ? request.clone() : null;
  try {
    return await oneTry(request);
  } catch (error) {
    if (!again || request.signal.aborted) throw error;
    return oneTry(again);
  }
}

const oneTry = (request: Request) =>
  fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TRY_MS)]) });

export async function hostedProblems(url: URL, publishableKey: string): Promise<Problem[]> {
  const asked = new Request(new URL('/auth/v1/health', url), { headers: { apikey: publishableKey } });
  const answer = await oneTry(asked).catch(() => null);
  await answer?.body?.cancel();
  return answer && answer.status < 500 ? [] : [{ part: 'project', reason: 'The hosted project does not respond.' }];
}

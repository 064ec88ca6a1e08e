import type { Problem } from '../backend/index.ts';

const TRY_MS = 5_000;
const READS = new Set(['GET', 'HEAD']);

/**
 * Asks a hosted project: five seconds for each try, and a second one for what only reads.
 * @throws Error when it cannot be reached or does not answer in time
 */
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

/** Whether a hosted project answers at all; empty when it does. */
export async function hostedProblems(url: URL, publishableKey: string): Promise<Problem[]> {
  const asked = new Request(new URL('/auth/v1/health', url), { headers: { apikey: publishableKey } });
  const answer = await oneTry(asked).catch(() => null);
  await answer?.body?.cancel();
  return answer && answer.status < 500 ? [] : [{ part: 'project', reason: 'The hosted project does not respond.' }];
}

import type { Problem } from '../packages/backend/index.ts';

/** Five seconds per try, and a retry for reads. @throws Error when it is unreachable or too slow */
export async function fetchHosted(request: Request): Promise<Response> {
  const retry = ['GET', 'HEAD'].includes(request.method) ? request.clone() : null;
  try {
    return await fetchOnce(request);
  } catch (error) {
    if (!retry || request.signal.aborted) throw error;
    return fetchOnce(retry);
  }
}

const fetchOnce = (request: Request) =>
  fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(5_000)]) });

export async function hostedProblems(url: URL, publishableKey: string): Promise<Problem[]> {
  const request = new Request(new URL('/auth/v1/health', url), { headers: { apikey: publishableKey } });
  const response = await fetchOnce(request).catch(() => null);
  await response?.body?.cancel();
  return response && response.status < 500 ? [] : [{ part: 'project', reason: 'The hosted project does not respond.' }];
}

/** @param signal stops waiting, with its reason. @returns the first final result, else the last result */
export async function withRetry<Answer>(
  attempt: () => PromiseLike<Answer>,
  delaysMs: readonly number[],
  passing: { answer?: (answer: Answer) => boolean; failure?: (error: unknown) => boolean },
  signal?: AbortSignal,
): Promise<Answer> {
  for (const delay of delaysMs) {
    try {
      const answer = await attempt();
      if (!passing.answer?.(answer)) return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (!passing.failure?.(error)) throw error;
    }
    await wait(delay, signal);
  }
  return attempt();
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => reject(signal!.reason);
  signal?.addEventListener('abort', stop);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
}

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

export const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop);
  });

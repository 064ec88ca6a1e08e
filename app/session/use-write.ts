import type { PostgrestClient } from '@supabase/postgrest-js';
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { clients } from './browser.ts';

/**
 * A write after which reads are invalidated, also when it was refused: it may have met another change. With `shown`,
 * cached reads change at once and revert when the server refuses.
 */
export function useWrite<Input = void, Result = unknown, Cached = never>(
  write: (data: PostgrestClient, input: Input) => Promise<Result>,
  onChanged: (cache: QueryClient) => Promise<unknown>,
  shown?: { queryKey: QueryKey; change: (cached: Cached, input: Input) => Cached },
) {
  const cache = useQueryClient();
  return useMutation({
    // In order: the next one may depend on what this one writes.
    ...(shown && { scope: { id: shown.queryKey.join() } }),
    mutationFn: (input: Input) => write(clients().data(), input),
    async onMutate(input: Input) {
      if (!shown) return [];
      const { queryKey, change } = shown;
      // An earlier response must not overwrite the change.
      await cache.cancelQueries({ queryKey });
      const before = cache.getQueriesData<Cached>({ queryKey });
      cache.setQueriesData<Cached>({ queryKey }, (cached) => cached && change(cached, input));
      return before;
    },
    onError(_error, _input, before = []) {
      for (const [key, cached] of before) cache.setQueryData(key, cached);
    },
    onSettled: () => onChanged(cache),
  });
}

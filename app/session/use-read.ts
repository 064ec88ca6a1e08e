import type { PostgrestClient } from '@supabase/postgrest-js';
import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { clients } from './browser.ts';
import { LIFETIME } from './query-cache.ts';

/** For a form that is filled once: concurrent changes are detected on save. */
export const onceFilled = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

/** For a list: the page that is shown stays until the next one has loaded. */
export const keepsShown = { placeholderData: keepPreviousData };

/** For what is invalidated when it changes: cached as long as the cache allows. */
export const fromCache = { staleTime: LIFETIME };

/** A read that is repeated whenever its screen opens, unless the options say otherwise. */
export const useRead = <Result>(
  queryKey: QueryKey,
  read: (data: PostgrestClient) => Promise<Result>,
  options: Omit<UseQueryOptions<Result>, 'queryKey' | 'queryFn'> = {},
) => useQuery({ queryKey, queryFn: () => read(clients().data()), staleTime: 0, ...options });

import { notifyManager, QueryClient } from '@tanstack/react-query';

export const LIFETIME = 300_000;

// Updates screens within the event of a change; a later update would let React reset a ticked checkbox.
notifyManager.setScheduler(queueMicrotask);

export const createQueryCache = () =>
  new QueryClient({
    defaultOptions: {
      // Offline, a read fails like any other, instead of waiting behind what was shown before.
      queries: { staleTime: LIFETIME, gcTime: LIFETIME, retry: 1, networkMode: 'always', refetchOnReconnect: true },
      mutations: { networkMode: 'always' },
    },
  });

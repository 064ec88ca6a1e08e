import { notifyManager, QueryClient } from '@tanstack/react-query';

const LIFETIME = 300_000;

// Updates screens within the event of a change; a later update would let React reset a ticked checkbox.
notifyManager.setScheduler(queueMicrotask);

export const createQueryCache = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: LIFETIME, gcTime: LIFETIME, retry: 1 },
      mutations: { networkMode: 'always' },
    },
  });

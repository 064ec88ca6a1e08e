import { notifyManager, QueryClient } from '@tanstack/react-query';

const LIFETIME = 300_000;

// Screens update within the event that caused a change. Later, React would first reset a ticked checkbox.
notifyManager.setScheduler(queueMicrotask);

export const createQueryCache = () =>
  new QueryClient({ defaultOptions: { queries: { staleTime: LIFETIME, gcTime: LIFETIME, retry: 1 } } });

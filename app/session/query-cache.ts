import { notifyManager, QueryClient } from '@tanstack/react-query';

/** How long project lists and single reads are believed, in ms. */
const LIFETIME = 300_000;

// Screens hear of a change within the event that made it. Later, React would first put a ticked box back as it was.
notifyManager.setScheduler(queueMicrotask);

/** A cache for one document. Nothing in it outlives the session or is shared between people. */
export const createQueryCache = () =>
  new QueryClient({ defaultOptions: { queries: { staleTime: LIFETIME, gcTime: LIFETIME, retry: 1 } } });

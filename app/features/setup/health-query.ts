import { clients } from '#session/browser.ts';
import { readHealth } from './model/health.ts';

export const healthQuery = { queryKey: ['health'], queryFn: () => readHealth(clients().functions), staleTime: 60_000 };

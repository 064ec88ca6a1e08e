import { clients } from '#session/browser.ts';
import { type Health, readHealth } from './model/health.ts';

export const healthQuery = {
  queryKey: ['health'],
  queryFn: (): Promise<Health> => readHealth(clients().functions),
  staleTime: 60_000,
};

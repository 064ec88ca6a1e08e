import { type Health, readHealth } from '../../models/office/health.ts';
import { clients } from '../../session/browser.ts';

export const healthQuery = {
  queryKey: ['health'],
  queryFn: (): Promise<Health> => readHealth(clients().functions),
  staleTime: 60_000,
};

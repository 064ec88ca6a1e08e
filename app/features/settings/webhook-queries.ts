import { type QueryClient, useQuery } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { useWrite } from '#session/use-write.ts';
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  renewSecret,
  testWebhook,
  type Webhook,
} from './model/webhooks.ts';

const WEBHOOKS = ['webhooks'];
const CHECK_MS = 2000;
const webhooksChanged = (cache: QueryClient) => cache.invalidateQueries({ queryKey: WEBHOOKS });

export const useWebhooks = () =>
  useQuery({ queryKey: [...WEBHOOKS, 'all'], queryFn: () => listWebhooks(clients().data()), staleTime: 0 });

export const useDeliveries = (webhook: string, enabled: boolean) =>
  useQuery({
    queryKey: [...WEBHOOKS, 'deliveries', webhook],
    queryFn: () => listDeliveries(clients().data(), webhook),
    enabled,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some(({ delivered_at, problem }) => !delivered_at && problem === null) ? CHECK_MS : false,
  });

export const useAddWebhook = () => useWrite(addWebhook, webhooksChanged);

export const useChangeWebhook = () =>
  useWrite(
    (data, { id, change }: { id: string; change: Partial<Webhook> }) => changeWebhook(data, id, change),
    webhooksChanged,
  );

export const useDeleteWebhook = () => useWrite(deleteWebhook, webhooksChanged);
export const useTestWebhook = () => useWrite(testWebhook, webhooksChanged);
export const useRedeliver = () => useWrite(redeliver, webhooksChanged);

export const useRenewSecret = () => useWrite((_, id: string) => renewSecret(clients().functions, id), webhooksChanged);

import type { QueryClient } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  deliveryState,
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

export const useWebhooks = () => useRead([...WEBHOOKS, 'all'], listWebhooks);

export const useDeliveries = ({ id, active }: Webhook, enabled: boolean) =>
  useRead([...WEBHOOKS, 'deliveries', id], (data) => listDeliveries(data, id), {
    enabled,
    refetchInterval: ({ state }) =>
      state.data?.some((delivery) => deliveryState(delivery, active) === 'waiting') ? CHECK_MS : false,
  });

export const useAddWebhook = () => useWrite(addWebhook, webhooksChanged);

export const useChangeWebhook = () => useWrite(changeWebhook, webhooksChanged);
export const useDeleteWebhook = () => useWrite(deleteWebhook, webhooksChanged);
export const useTestWebhook = () => useWrite(testWebhook, webhooksChanged);
export const useRedeliver = () => useWrite(redeliver, webhooksChanged);

export const useRenewSecret = () => useWrite((_, id: string) => renewSecret(clients().functions, id), webhooksChanged);

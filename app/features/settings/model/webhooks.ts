import type { FunctionsClient } from '@supabase/functions-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { readOne, requireChange, rows } from '#lib/data/rows.ts';
import { callFunction } from '#lib/data/server-function.ts';
import type { webhookWords } from '../words.ts';

export type WebhookEvent = keyof typeof webhookWords.events;

export type WebhookFields = { url: string; events: WebhookEvent[] };

export type Webhook = WebhookFields & { id: string; active: boolean; secrets: number; failing_since: string | null };

export interface WebhookDelivery {
  id: string;
  event: string;
  created_at: string;
  gives_up_at: string;
  attempts: number;
  status: number | null;
  problem: string | null;
  delivered_at: string | null;
}

export function deliveryState(delivery: WebhookDelivery, isActive: boolean): keyof typeof webhookWords.states {
  if (delivery.delivered_at) return 'sent';
  const isTried = Date.parse(delivery.gives_up_at) > Date.now() && (isActive || delivery.event === 'webhook.test');
  if (!isTried) return 'failed';
  return delivery.problem === null ? 'waiting' : 'retrying';
}

const GONE = 'This webhook no longer exists, or you may not change it.';
const DELIVERY = 'id,event,created_at,gives_up_at,attempts,status,problem,delivered_at';

export const listWebhooks = (data: PostgrestClient): Promise<Webhook[]> =>
  rows(data.from('webhooks').select('id,url,events,active,secrets,failing_since').order('created_at'));

export const addWebhook = (data: PostgrestClient, fields: WebhookFields): Promise<Pick<Webhook, 'id'>> =>
  readOne(data.from('webhooks').insert(fields).select('id').single());

export const changeWebhook = (data: PostgrestClient, { id, ...change }: Partial<Webhook> & Pick<Webhook, 'id'>) =>
  requireChange(data.from('webhooks').update(change, { count: 'exact' }).eq('id', id), GONE);

export const deleteWebhook = (data: PostgrestClient, id: string): Promise<void> =>
  requireChange(data.from('webhooks').delete({ count: 'exact' }).eq('id', id), GONE);

/** Replaces the secret. @returns it; it cannot be read again @throws Error */
export async function renewSecret(functions: FunctionsClient, id: string): Promise<string> {
  const { success, secret, error } = await callFunction<{ secret: string }>(functions, 'webhook-secret', { id });
  if (!success || !secret) throw new Error(error ?? '');
  return secret;
}

export function listDeliveries(data: PostgrestClient, webhook: string): Promise<WebhookDelivery[]> {
  const deliveries = data.from('webhook_deliveries').select(DELIVERY).eq('webhook_id', webhook);
  return rows(deliveries.order('created_at', { ascending: false }).limit(20));
}

export const testWebhook = (data: PostgrestClient, id: string): Promise<null> =>
  readOne(data.rpc('test_webhook', { p_webhook: id }));

export const redeliver = (data: PostgrestClient, id: string): Promise<null> =>
  readOne(data.rpc('redeliver_webhook', { p_delivery: id }));

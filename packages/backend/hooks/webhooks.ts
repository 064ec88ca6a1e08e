import type { BackendContext } from '../context.ts';
import { findRow, type Statement } from '../database/database.ts';
import { derivedSecret } from '../keys/encrypt.ts';
import type { Sealing } from '../keys/keys.ts';
import { startQueue } from '../mail/queue.ts';
import { post } from './post.ts';
import { signedHeaders } from './signature.ts';

interface Due {
  webhook_id: string;
  url: string;
  secrets: number;
  event: string;
  data: { id?: string; of?: string; submission?: boolean };
  created_at: Date;
}

const CONCURRENT_REQUESTS = 4;
const MAX_WAIT_MS = 60 * 60_000;

/** @param number of the secrets the webhook has had */
const secretBytes = (keys: Sealing, webhook: string, number: number): Buffer =>
  derivedSecret(keys, 'secrets of webhooks', `${webhook} ${number}`);

export const webhookSecret = (keys: Sealing, webhook: string, number: number): string =>
  `whsec_${secretBytes(keys, webhook, number).toString('base64')}`;

/** Sends the events that triggers queue, each at least once. */
export async function startWebhooks(context: BackendContext) {
  const { db, config, keys } = context;

  async function send(id: string, { webhook_id, url, secrets, event, data, created_at }: Due): Promise<Statement[]> {
    let status: number | null = null;
    try {
      const linked = { ...data, ...pageOf(config.siteUrl, event, data) };
      const body = JSON.stringify({ type: event, timestamp: created_at.toISOString(), data: linked });
      const headers = signedHeaders([secretBytes(keys, webhook_id, secrets)], id, body);
      status = await post(new URL(url), headers, body, config.webhookNetworks);
      if (status > 299 && status < 400) throw new Error('Redirects are not followed.');
      if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}.`);
      return [{ text: 'select private.record_attempt($1, $2, null)', values: [id, status] }];
    } catch (error) {
      await db.query('select private.record_attempt($1, $2, $3)', [id, status, (error as Error).message.slice(0, 500)]);
      throw error;
    }
  }

  return startQueue(context, {
    channel: 'webhook',
    concurrency: CONCURRENT_REQUESTS,
    maxWaitMs: MAX_WAIT_MS,
    sealedBy: '',
    async deliver({ id }) {
      const due = await findRow<Due>(db, 'select * from private.due_delivery($1)', [id]);
      return due ? () => send(id, due) : null;
    },
  });
}

function pageOf(siteUrl: string, event: string, { id, of, submission }: Due['data']): { url?: string } {
  if (event.startsWith('project.')) return { url: `${siteUrl}/case-studies/${id}` };
  if (event.startsWith('submission.') || submission) return { url: `${siteUrl}/admin/review/${id}` };
  if (event.startsWith('comment.')) return { url: `${siteUrl}/admin/projects/${id}` };
  if (of) return { url: `${siteUrl}/admin/${of}s/${id}` };
  return event.startsWith('message.') ? { url: `${siteUrl}/admin/messages` } : {};
}

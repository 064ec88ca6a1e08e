import { createHmac } from 'node:crypto';
import { databaseTime } from '../database/clock.ts';

/** Headers of a JSON request, with standardwebhooks.com signatures, as used by Supabase hooks. */
export function signedHeaders(keys: readonly Uint8Array[], id: string, body: string): Record<string, string> {
  const timestamp = Math.floor(databaseTime() / 1000);
  const sign = (key: Uint8Array) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map((key) => `v1,${sign(key)}`).join(' '),
  };
}

import { createHmac } from 'node:crypto';

// standardwebhooks.com signatures, as used by Supabase hooks.

const SECRET_FORMAT = /^v1,whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_SECRET_BYTES = 16;

/** Parses `v1,whsec_<base64>` secrets, separated by `|` during rotation. @throws Error for an invalid secret */
export function readSecrets(text: string): Buffer[] {
  return text.split('|').map((secret) => {
    const key = Buffer.from(SECRET_FORMAT.exec(secret.trim())?.[1] ?? '', 'base64');
    if (key.length < MIN_SECRET_BYTES)
      throw new Error(
        `supabase/config.toml: auth.hook.send_sms.secrets must be v1,whsec_ and at least ${MIN_SECRET_BYTES} bytes in base64.`,
      );
    return key;
  });
}

/** @param timestamp unix seconds */
export const signatureOf = (keys: readonly Buffer[], id: string, timestamp: number, body: string): string =>
  keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ');

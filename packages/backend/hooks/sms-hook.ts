import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { signedHeaders } from './signature.ts';

export interface SmsMessage {
  /** Message id (UUID), stable across retries. */
  id: string;
  phone: string;
  code: string;
  user: object;
  kind: 'otp' | 'phone_change' | 'mfa' | 'reauthentication';
}

export type Sms = ReturnType<typeof openHook>;

const SECRET_FORMAT = /^v1,whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_SECRET_BYTES = 16;

/** Parses `v1,whsec_<base64>` secrets, separated by `|` during rotation. @throws Error for an invalid secret */
function readSecrets(text: string): Buffer[] {
  return text.split('|').map((secret) => {
    const key = Buffer.from(SECRET_FORMAT.exec(secret.trim())?.[1] ?? '', 'base64');
    if (key.length < MIN_SECRET_BYTES)
      throw new Error(
        `supabase/config.toml: auth.hook.send_sms.secrets must be v1,whsec_ and at least ${MIN_SECRET_BYTES} bytes in base64.`,
      );
    return key;
  });
}

const TIMEOUT_MS = 3_000;
/** Before the second and third try; with timeouts, all tries take less than 10 s. */
const RETRY_DELAYS_MS = [200, 500];

/** Supabase’s `send_sms` hook: up to three tries with the same `webhook-id`, unless the refusal is permanent. */
export function openHook(uri: string, secrets: string, log: Logger) {
  const address = URL.parse(uri);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new Error('supabase/config.toml: auth.hook.send_sms.uri must be an http(s) address.');
  const keys = readSecrets(secrets);

  async function attempt(id: string, body: string): Promise<{ reason: string; final: boolean } | null> {
    try {
      const headers = signedHeaders(keys, id, body);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      // Security: a signed code must not follow redirects.
      const response = await fetch(address!, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      if (response.ok) return null;
      const final =
        response.status >= 300 && response.status < 500 && response.status !== 408 && response.status !== 429;
      return { reason: `it returned ${response.status}`, final };
    } catch (error) {
      return { reason: error instanceof Error ? error.name : 'it could not be reached', final: false };
    }
  }

  return {
    /** Resolves when the hook has accepted the message. @throws Error after three tries */
    async send({ id, user, code, phone, kind }: SmsMessage): Promise<void> {
      const sms = { otp: code, phone, ...(kind === 'mfa' ? { sms_type: 'mfa' } : {}) };
      const body = JSON.stringify({ user, sms });
      for (let tries = 0; ; tries++) {
        const failure = await attempt(id, body);
        if (!failure) return;
        log.warn({ id, kind, tries: tries + 1, reason: failure.reason }, 'SMS hook refused a code');
        const delay = failure.final ? undefined : RETRY_DELAYS_MS[tries];
        if (delay === undefined) throw new Error(`The SMS hook refused a code: ${failure.reason}`);
        await sleep(delay);
      }
    },
  };
}

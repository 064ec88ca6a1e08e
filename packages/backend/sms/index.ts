import type { Logger } from 'pino';
import type { UserRow } from '../auth/users/user.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { openHook } from './hook.ts';

export interface SmsMessage {
  /** Message id (UUID), stable across retries. */
  id?: string;
  phone: string;
  code: string;
  user: UserRow;
  kind: 'otp' | 'phone_change' | 'mfa' | 'reauthentication';
}

export interface Sms {
  /** Resolves when the hook has accepted the message. @throws Error after three tries */
  send(message: SmsMessage): Promise<void>;
}

/** Null when no `send_sms` hook is configured. @throws Error when its URL or secret is invalid */
export function createSms({ auth }: SupabaseProject, log: Logger): Sms | null {
  const hook = auth.hook.send_sms;
  return hook.enabled ? openHook(hook.uri, hook.secrets, log) : null;
}

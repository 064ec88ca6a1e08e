import type { Logger } from 'pino';
import type { UserRow } from '../auth/users/user.ts';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { openHook } from './hook.ts';

/** One code to one number. */
export interface SmsMessage {
  /** The same for the same message, also when it is sent again; a UUID. */
  id?: string;
  /** Digits, without the leading `+`. */
  phone: string;
  code: string;
  user: UserRow;
  kind: 'otp' | 'phone_change' | 'mfa' | 'reauthentication';
}

export interface Sms {
  /**
   * Resolves when the sender has taken the message.
   * @throws Error after three tries
   */
  send(message: SmsMessage): Promise<void>;
}

/**
 * Whoever sends messages for this project: the `send_sms` hook of config.toml, or nobody.
 * @throws Error with one line when the hook is switched on and its address or secret is not usable
 */
export function createSms({ auth }: SupabaseProject, log: Logger): Sms | null {
  const hook = auth.hook.send_sms;
  return hook.enabled ? openHook(hook.uri, hook.secrets, log) : null;
}

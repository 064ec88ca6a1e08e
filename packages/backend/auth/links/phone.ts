import type { SupabaseProject } from '../../config/supabase-config.ts';
import { errors } from '../errors.ts';

const E164 = /^[1-9]\d{4,14}$/;
const CHANNELS = new Set(['sms', 'whatsapp']);

/** Normalizes a number: `+49 (171) 123-45` and `4917112345` are one account. */
export const digitsOf = (text: string) =>
  text
    .trim()
    .replace(/^\+/, '')
    .replace(/[\s().-]/g, '');

/** Parses a number into E.164 digits without the leading `+`. @throws ApiError 400 */
export function phoneNumber(text: string): string {
  const digits = digitsOf(text);
  if (!E164.test(digits)) throw errors.invalid('Invalid phone number format (E.164 required)');
  return digits;
}

/** The SMS provider chooses the channel; the client's value is only validated. @throws ApiError 400 */
export function checkChannel(channel: string | null): void {
  if (channel && !CHANNELS.has(channel))
    throw errors.invalid("Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is not always offered");
}

export function testCodeOf({ auth }: SupabaseProject, phone: string): string | null {
  const found = Object.entries(auth.sms.test_otp).find(([number]) => digitsOf(number) === phone);
  return found ? found[1] : null;
}

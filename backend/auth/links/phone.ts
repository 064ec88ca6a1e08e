import type { SupabaseProject } from '../../config/supabase-config.ts';
import { errors } from '../errors.ts';

const E164 = /^[1-9]\d{4,14}$/;
const CHANNELS = new Set(['sms', 'whatsapp']);

/** The digits of a number, however it was typed: `+49 (171) 123-45` and `4917112345` are one account. */
export const digitsOf = (text: string) =>
  text
    .trim()
    .replace(/^\+/, '')
    .replace(/[\s().-]/g, '');

/**
 * Reads a telephone number as it is stored: E.164 digits without the leading `+`.
 * @throws ApiError 400 when it cannot be one
 */
export function phoneNumber(text: string): string {
  const digits = digitsOf(text);
  if (!E164.test(digits)) throw errors.invalid('Invalid phone number format (E.164 required)');
  return digits;
}

/** Which way a code goes is the sender's decision; the client's wish only has to be one. @throws ApiError 400 */
export function checkChannel(channel: string | null): void {
  if (channel && !CHANNELS.has(channel))
    throw errors.invalid("Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is not always offered");
}

/** The fixed code of a number that gets no messages; null for every other number. */
export function testCodeOf({ auth }: SupabaseProject, phone: string): string | null {
  const found = Object.entries(auth.sms.test_otp).find(([number]) => digitsOf(number) === phone);
  return found ? found[1] : null;
}

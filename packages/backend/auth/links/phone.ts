import { randomUUID } from 'node:crypto';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import type { Connection } from '../../database/database.ts';
import type { SmsMessage } from '../../hooks/sms-hook.ts';
import type { AuthContext } from '../context.ts';
import { errors, ignoreRefusal } from '../errors.ts';
import { showUser, type UserRow } from '../users/user.ts';
import { issueToken, type Purpose } from './one-time-token.ts';

const E164 = /^[1-9]\d{4,14}$/;
const CHANNELS = new Set(['sms', 'whatsapp']);

/** Normalizes a number: `+49 (171) 123-45` and `4917112345` are one account. */
export const digitsOf = (text: string) => text.trim().replace(/^\+|[\s().-]/g, '');

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

const DIGITS = 6;
const SECONDS = 600;

const KINDS = {
  sms: 'otp',
  magiclink: 'otp',
  phone_change: 'phone_change',
  reauthentication: 'reauthentication',
} as const satisfies Partial<Record<Purpose, SmsMessage['kind']>>;

/** @throws ApiError 422 when the number cannot be reached, independent of any account */
export function checkReachable({ sms, project }: AuthContext, phone: string): void {
  if (!sms && testCodeOf(project, phone) === null) throw errors.messageNotSent();
}

export async function messageFor(
  tx: Connection,
  { keys, project }: AuthContext,
  user: UserRow,
  purpose: keyof typeof KINDS,
  phone: string,
  id: string = randomUUID(),
): Promise<SmsMessage> {
  const testCode = testCodeOf(project, phone);
  const token = { userId: user.id, sentTo: phone, purpose, digits: DIGITS, seconds: SECONDS, code: testCode };
  const { code } = await issueToken(tx, keys, token);
  return { id, phone, code, user: showUser(user), kind: KINDS[purpose] };
}

/** Sends during the request. Test numbers get no message. @throws ApiError 422 sms_send_failed, 429 */
export async function sendMessage({ sms, project, rates, log }: AuthContext, message: SmsMessage): Promise<void> {
  if (testCodeOf(project, message.phone) !== null) return;
  const wait = await rates.allMessages.use('all');
  if (wait > 0) {
    log.warn({ kind: message.kind }, 'text message not sent: hourly limit reached');
    throw errors.tooManyMessages(wait);
  }
  try {
    await sms!.send(message);
  } catch (err) {
    log.error({ err, id: message.id, kind: message.kind }, 'sending a text message failed');
    throw errors.messageNotSent();
  }
}

/** Sends after the response, so that its duration does not reveal whether the account exists. */
export const postMessage = (identity: AuthContext, message: SmsMessage): void =>
  identity.later(() => sendMessage(identity, message).catch(ignoreRefusal));

import { randomUUID } from 'node:crypto';
import type { Connection } from '../../database/database.ts';
import type { SmsMessage } from '../../sms/index.ts';
import type { AuthContext } from '../context.ts';
import { ApiError, errors } from '../errors.ts';
import type { UserRow } from '../users/user.ts';
import { issueToken, type Purpose } from './one-time-token.ts';
import { testCodeOf } from './phone.ts';

const DIGITS = 6;
const SECONDS = 600;

/** What each purpose that goes by message is called towards the sender. */
const KINDS = {
  sms: 'otp',
  magiclink: 'otp',
  phone_change: 'phone_change',
  reauthentication: 'reauthentication',
} as const satisfies Partial<Record<Purpose, SmsMessage['kind']>>;

/** A message with a code, ready to be sent once the transaction that made the code has committed. */
export type TextMessage = Required<SmsMessage>;

/** @throws ApiError 422 when nothing can be sent to a number, whoever it belongs to */
export function checkReachable({ sms, project }: AuthContext, phone: string): void {
  if (!sms && testCodeOf(project, phone) === null) throw errors.messageNotSent();
}

/**
 * Makes the code of a message to a user.
 * @param phone digits; `id` a UUID that the caller may already have answered with
 */
export async function messageFor(
  tx: Connection,
  { keys, project }: AuthContext,
  user: UserRow,
  purpose: keyof typeof KINDS,
  phone: string,
  id: string = randomUUID(),
): Promise<TextMessage> {
  const { code } = await issueToken(tx, keys, {
    userId: user.id,
    sentTo: phone,
    purpose,
    digits: DIGITS,
    seconds: SECONDS,
    code: testCodeOf(project, phone),
  });
  return { id, phone, code, user, kind: KINDS[purpose] };
}

/**
 * Sends a message while its owner waits for the answer. Test numbers get none.
 * @throws ApiError 422 sms_send_failed, 429 over_sms_send_rate_limit
 */
export async function sendMessage({ sms, project, rates, log }: AuthContext, message: TextMessage): Promise<void> {
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

/** Sends a message outside the request's time, so that it does not show whether there was anybody to send one to. */
export const postMessage = (identity: AuthContext, message: TextMessage): void =>
  identity.later(() =>
    sendMessage(identity, message).catch((refusal: unknown) => {
      // Already in the log, and nobody waits to be told.
      if (!(refusal instanceof ApiError)) throw refusal;
    }),
  );

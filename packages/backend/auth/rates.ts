import type { SupabaseProject } from '../config/supabase-config.ts';
import type { Connection, Database } from '../database/database.ts';
import { networkOf } from '../http/network.ts';
import { type Rate, RateLimit } from '../http/rate-limit.ts';
import { errors, ignoreRefusal } from './errors.ts';

const FIVE_MINUTES_SECONDS = 300;
const HOUR_SECONDS = 3600;

export type Rates = ReturnType<typeof createRates>;

export function createRates({ auth }: SupabaseProject, db: Database) {
  const limit = auth.rate_limit;
  const rate = (name: string, points: Rate) => new RateLimit(points, { db, name: `auth ${name}` });
  return {
    signIn: rate('signIn', { points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES_SECONDS }),
    signUp: rate('signUp', { points: limit.sign_in_sign_ups, seconds: HOUR_SECONDS }),
    anonymous: rate('anonymous', { points: limit.anonymous_users, seconds: HOUR_SECONDS }),
    refresh: rate('refresh', { points: limit.token_refresh, seconds: FIVE_MINUTES_SECONDS }),
    verify: rate('verify', { points: limit.token_verifications, seconds: FIVE_MINUTES_SECONDS }),
    factor: rate('factor', { points: limit.token_verifications, seconds: FIVE_MINUTES_SECONDS }),
    requestEmail: rate('requestEmail', { points: limit.sign_in_sign_ups, seconds: HOUR_SECONDS }),
    changeUser: rate('changeUser', { points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES_SECONDS }),
    provider: rate('provider', { points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES_SECONDS }),
    sso: rate('sso', { points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES_SECONDS }),
    samlAcs: rate('samlAcs', { points: Math.ceil(limit.sign_in_sign_ups / 2), seconds: FIVE_MINUTES_SECONDS }),
    mailbox: auth.email.max_frequency > 0 ? rate('mailbox', { points: 1, seconds: auth.email.max_frequency }) : null,
    allMails: rate('allMails', { points: limit.email_sent, seconds: HOUR_SECONDS }),
    /** Share of `allMails` for unconfirmed mailboxes; the rest is reserved for users with an account. */
    newMailboxes: rate('newMailboxes', { points: Math.ceil(limit.email_sent / 2), seconds: HOUR_SECONDS }),
    number: auth.sms.max_frequency > 0 ? rate('number', { points: 1, seconds: auth.sms.max_frequency }) : null,
    /** Across the installation: each message costs money. */
    allMessages: rate('allMessages', { points: limit.sms_sent, seconds: HOUR_SECONDS }),
    refusalRecords: rate('refusalRecords', { points: 1, seconds: FIVE_MINUTES_SECONDS }),
  };
}

export type RequestRate = Exclude<
  keyof Rates,
  'mailbox' | 'number' | 'allMails' | 'newMailboxes' | 'allMessages' | 'refusalRecords'
>;

// Requests that send e-mail or create accounts are counted per network, not per address.
const BY_NETWORK = new Set<RequestRate>(['signUp', 'anonymous', 'requestEmail']);

export async function countRequest(
  { env: { address }, var: { identity } }: { env: { address: string }; var: { identity: { rates: Rates } } },
  name: RequestRate,
) {
  const wait = await identity.rates[name].use(BY_NETWORK.has(name) ? networkOf(address) : address);
  if (wait > 0) throw errors.tooManyRequests(wait);
}

/** Known and unknown addresses are counted alike, so that a refusal reveals nothing. @throws ApiError 429 */
export async function countMail(rates: Rates, kind: string, email: string, tx?: Connection): Promise<void> {
  // Only sign-ups are always for new mailboxes; other kinds must behave alike for known and unknown ones.
  const newMailboxWait = kind === 'signup' ? await rates.newMailboxes.wait('all', tx) : 0;
  const installationWait = Math.max(await rates.allMails.wait('all', tx), newMailboxWait);
  if (installationWait > 0) throw errors.tooManyMails(installationWait);
  const wait = (await rates.mailbox?.use(`${kind} ${email}`, tx)) ?? 0;
  if (wait > 0) throw errors.mailTooSoon(wait);
}

/** @param counted by `countMail` or `countMessage` @returns false above the limit */
export const isWithinLimit = (counted: Promise<void>): Promise<boolean> => counted.then(() => true, ignoreRefusal);

/** @param phone digits @throws ApiError 429 */
export async function countMessage(rates: Rates, kind: string, phone: string, tx?: Connection): Promise<void> {
  const installationWait = await rates.allMessages.wait('all', tx);
  if (installationWait > 0) throw errors.tooManyMessages(installationWait);
  const wait = (await rates.number?.use(`${kind} ${phone}`, tx)) ?? 0;
  if (wait > 0) throw errors.messageTooSoon(wait);
}

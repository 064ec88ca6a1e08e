import type { Context, MiddlewareHandler } from 'hono';
import type { SupabaseProject } from '../config/supabase-config.ts';
import { RateLimit } from '../http/limits.ts';
import { networkOf } from '../http/network.ts';
import type { Env } from './context.ts';
import { errors } from './errors.ts';

const FIVE_MINUTES = 300;
const HOUR = 3600;

/** Every limit of this service; all numbers come from config.toml. */
export interface Rates {
  /** Per address. */
  signIn: RateLimit;
  signUp: RateLimit;
  anonymous: RateLimit;
  refresh: RateLimit;
  verify: RateLimit;
  /** Challenges of second factors, and answers to them. */
  factor: RateLimit;
  askForMail: RateLimit;
  changeUser: RateLimit;
  sso: RateLimit;
  provider: RateLimit;
  samlAcs: RateLimit;
  /** Per mailbox and kind of mail, whether or not anybody has an account there. */
  mailbox: RateLimit | null;
  /** Mails of the whole house. */
  allMails: RateLimit;
  /** Those of them to mailboxes that nobody has confirmed: the rest is kept for people who have an account. */
  newMailboxes: RateLimit;
  /** Per number and kind of message, whether or not anybody has an account there. */
  number: RateLimit | null;
  /** Messages of the whole house: each one costs money. */
  allMessages: RateLimit;
  /** Lines of the audit log about one cause of refusal, per address. */
  refusalLines: RateLimit;
}

export function createRates({ auth }: SupabaseProject): Rates {
  const limit = auth.rate_limit;
  return {
    signIn: new RateLimit({ points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES }),
    signUp: new RateLimit({ points: limit.sign_in_sign_ups, seconds: HOUR }),
    anonymous: new RateLimit({ points: limit.anonymous_users, seconds: HOUR }),
    refresh: new RateLimit({ points: limit.token_refresh, seconds: FIVE_MINUTES }),
    verify: new RateLimit({ points: limit.token_verifications, seconds: FIVE_MINUTES }),
    factor: new RateLimit({ points: limit.token_verifications, seconds: FIVE_MINUTES }),
    askForMail: new RateLimit({ points: limit.sign_in_sign_ups, seconds: HOUR }),
    changeUser: new RateLimit({ points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES }),
    provider: new RateLimit({ points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES }),
    sso: new RateLimit({ points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES }),
    samlAcs: new RateLimit({ points: Math.ceil(limit.sign_in_sign_ups / 2), seconds: FIVE_MINUTES }),
    mailbox: auth.email.max_frequency > 0 ? new RateLimit({ points: 1, seconds: auth.email.max_frequency }) : null,
    allMails: new RateLimit({ points: limit.email_sent, seconds: HOUR }),
    newMailboxes: new RateLimit({ points: Math.ceil(limit.email_sent / 2), seconds: HOUR }),
    number: auth.sms.max_frequency > 0 ? new RateLimit({ points: 1, seconds: auth.sms.max_frequency }) : null,
    allMessages: new RateLimit({ points: limit.sms_sent, seconds: HOUR }),
    refusalLines: new RateLimit({ points: 1, seconds: FIVE_MINUTES }),
  };
}

type PerAddress =
  | 'signIn'
  | 'signUp'
  | 'anonymous'
  | 'refresh'
  | 'verify'
  | 'factor'
  | 'askForMail'
  | 'changeUser'
  | 'sso'
  | 'provider'
  | 'samlAcs';

/** What makes mails go is counted for a whole customer. */
const BY_NETWORK = new Set<PerAddress>(['signUp', 'askForMail']);

/** Uses up one of the visitor's points. @throws ApiError 429 */
export async function countRequest(c: Context<Env>, name: PerAddress): Promise<void> {
  const { address } = c.env;
  const wait = await c.var.identity.rates[name].use(BY_NETWORK.has(name) ? networkOf(address) : address);
  if (wait > 0) throw errors.tooManyRequests(wait);
}

export const limited =
  (name: PerAddress): MiddlewareHandler<Env> =>
  async (c, next) => {
    await countRequest(c, name);
    await next();
  };

/**
 * Asks for one mail to one mailbox. Counted alike for known and unknown addresses, so the refusal tells nothing.
 * @throws ApiError 429 over_email_send_rate_limit
 */
export async function countMail(rates: Rates, kind: string, email: string): Promise<void> {
  const houseWait = await rates.allMails.wait('all');
  // Signing up is for new mailboxes, whoever has this one; everything else is asked for by both, and answered alike.
  const newWait = kind === 'signup' ? await rates.newMailboxes.wait('all') : 0;
  if (Math.max(houseWait, newWait) > 0) throw errors.tooManyMails(Math.max(houseWait, newWait));
  const wait = (await rates.mailbox?.use(`${kind} ${email}`)) ?? 0;
  if (wait > 0) throw errors.mailTooSoon(wait);
}

/** As `countMail`, for a mail that is left out when it may not go. */
export const mayMail = (rates: Rates, kind: string, email: string): Promise<boolean> =>
  countMail(rates, kind, email).then(
    () => true,
    () => false,
  );

/**
 * Asks for one message to one number, as `countMail` does for mails.
 * @param phone digits
 * @throws ApiError 429 over_sms_send_rate_limit
 */
export async function countMessage(rates: Rates, kind: string, phone: string): Promise<void> {
  const houseWait = await rates.allMessages.wait('all');
  if (houseWait > 0) throw errors.tooManyMessages(houseWait);
  const wait = (await rates.number?.use(`${kind} ${phone}`)) ?? 0;
  if (wait > 0) throw errors.messageTooSoon(wait);
}

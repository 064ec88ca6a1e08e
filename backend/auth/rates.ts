import type { Context, MiddlewareHandler } from 'hono';
import { RateLimit } from '../http/limits.ts';
import type { SupabaseProject } from '../project.ts';
import { errors } from './errors.ts';
import type { Env } from './identity.ts';

const FIVE_MINUTES = 300;
const HOUR = 3600;

/** Every limit of this service; all numbers come from config.toml. */
export interface Rates {
  /** Per address. */
  signIn: RateLimit;
  signUp: RateLimit;
  refresh: RateLimit;
  verify: RateLimit;
  askForMail: RateLimit;
  changeUser: RateLimit;
  /** Per mailbox and kind of mail, whether or not anybody has an account there. */
  mailbox: RateLimit | null;
  /** Mails of the whole house. */
  allMails: RateLimit;
}

export function createRates({ auth }: SupabaseProject): Rates {
  const limit = auth.rate_limit;
  return {
    signIn: new RateLimit({ points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES }),
    signUp: new RateLimit({ points: limit.sign_in_sign_ups, seconds: HOUR }),
    refresh: new RateLimit({ points: limit.token_refresh, seconds: FIVE_MINUTES }),
    verify: new RateLimit({ points: limit.token_verifications, seconds: FIVE_MINUTES }),
    askForMail: new RateLimit({ points: limit.sign_in_sign_ups, seconds: HOUR }),
    changeUser: new RateLimit({ points: limit.sign_in_sign_ups, seconds: FIVE_MINUTES }),
    mailbox: auth.email.max_frequency > 0 ? new RateLimit({ points: 1, seconds: auth.email.max_frequency }) : null,
    allMails: new RateLimit({ points: limit.email_sent, seconds: HOUR }),
  };
}

type PerAddress = 'signIn' | 'signUp' | 'refresh' | 'verify' | 'askForMail' | 'changeUser';

/** Uses up one of the visitor's points. @throws ApiError 429 */
export async function countRequest(c: Context<Env>, name: PerAddress): Promise<void> {
  const wait = await c.var.identity.rates[name].use(c.env.address);
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
  const houseWait = await rates.allMails.use('all', 0);
  if (houseWait > 0) throw errors.tooManyMails(houseWait);
  const wait = (await rates.mailbox?.use(`${kind} ${email}`)) ?? 0;
  if (wait > 0) throw errors.mailTooSoon(wait);
}

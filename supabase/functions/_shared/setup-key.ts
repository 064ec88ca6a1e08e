import { asService, messageOf } from './backend.ts';
import type { Context } from './context.ts';

export const WRONG_KEY = 'Invalid admin key. Please enter the correct key to create an admin account.';

/**
 * Asks the database whether the one-time key counts right now. Wrong keys are counted, slowed down and recorded there.
 * @returns null when it does, else what to say
 */
export async function refusalOfKey(context: Context, key: string | null): Promise<string | null> {
  if (!key || key.length > 512) return WRONG_KEY;
  const reply = await asService(context, 'POST', '/rest/v1/rpc/check_setup_key', { setup_key: key });
  if (reply.ok) return reply.body === true ? null : WRONG_KEY;
  if (reply.status === 403) return WRONG_KEY;
  if (reply.status === 429) return messageOf(reply);
  throw new Error(`check_setup_key was answered ${reply.status}`);
}

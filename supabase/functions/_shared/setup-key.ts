import { asService, messageOf } from './backend.ts';
import type { Caller } from './caller.ts';
import type { Context } from './context.ts';

export const WRONG_KEY = 'Invalid admin key. Please enter the correct key to create an admin account.';

/** Checks the setup key in the database, which throttles and logs failures. @returns null when valid, else why not */
export async function checkSetupKey(context: Context, key: string | null, { id, kind }: Caller) {
  if (!key || key.length > 512) return WRONG_KEY;
  const reply = await asService(context, 'POST', '/rest/v1/rpc/check_setup_key', { setup_key: key, actor: id, kind });
  if (reply.ok) return reply.body === true ? null : WRONG_KEY;
  if (reply.status === 403) return WRONG_KEY;
  if (reply.status === 429) return messageOf(reply);
  throw new Error(`check_setup_key returned ${reply.status}`);
}

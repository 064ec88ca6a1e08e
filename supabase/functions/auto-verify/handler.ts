import { asService } from '../_shared/backend.ts';
import { type Caller, callerOf, recordAct } from '../_shared/caller.ts';
import type { Context } from '../_shared/context.ts';
import { emailIn, onPost, readObject, refuse, respond } from '../_shared/respond.ts';
import { checkSetupKey } from '../_shared/setup-key.ts';

const PER_PAGE = 200;
const NO_ACCOUNT = 'No account has this address';

/**
 * Confirms an address without an email, for admins, or with the setup key while there is no admin. Other callers get
 * the same refusal whether or not the account exists. Accounts of companies are always confirmed.
 */
export default onPost(async (request, context) => {
  const body = await readObject(request);
  const email = emailIn(body?.['email']);
  if (!email) return refuse('Please enter a valid email address');
  const caller = await callerOf(request, context);
  const recordRefusal = async (reason: string, object: string | null = null) => {
    await recordAct(context, caller, { action: 'user.verify', object, outcome: 'refused', reason });
    return refuse(reason);
  };
  const refusal = await checkCaller(request, context, caller);
  if (refusal) return recordRefusal(refusal);
  const id = await findUserId(context, email);
  if (!id) return recordRefusal(NO_ACCOUNT);
  const confirmed = await asService(context, 'PUT', `/auth/v1/admin/users/${id}`, { email_confirm: true });
  if (!confirmed.ok) return recordRefusal('Failed to verify email', id);
  await recordAct(context, caller, { action: 'user.verify', object: id, outcome: 'done', reason: null });
  return respond({ success: true, error: null });
});

async function checkCaller(request: Request, context: Context, caller: Caller): Promise<string | null> {
  if (caller.kind === 'admin') return null;
  const key = request.headers.get('x-setup-key');
  return key ? checkSetupKey(context, key, caller) : 'Only an admin can verify an account.';
}

async function findUserId(context: Context, email: string): Promise<string | null> {
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ page: String(page), per_page: String(PER_PAGE), filter: email });
    const list = await asService(context, 'GET', `/auth/v1/admin/users?${query}`);
    if (!list.ok) throw new Error(`listing accounts returned ${list.status}`);
    const { users } = list.body as { users: { id: string; email: string; app_metadata: { provider?: string } }[] };
    const found = users.find((user) => user.email === email && !user.app_metadata.provider?.startsWith('sso:'));
    if (found || users.length < PER_PAGE) return found?.id ?? null;
  }
}

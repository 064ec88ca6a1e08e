import { answer, answerOtherMethods, emailIn, readObject, refuse } from '../_shared/answer.ts';
import { asService, asVisitor } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';
import { refusalOfKey } from '../_shared/setup-key.ts';

const PER_PAGE = 200;

/**
 * Confirms the address of an account without a mail: for admins, and for the holder of the setup key while there is
 * no admin. Whoever may do it gets the same answer whether or not there is such an account; nobody else gets any.
 */
export default async function autoVerify(request: Request, context: Context): Promise<Response> {
  const other = answerOtherMethods(request);
  if (other) return other;
  const body = await readObject(request);
  const email = emailIn(body?.['email']);
  if (!email) return refuse('Please enter a valid email address');
  const refusal = await refusalOf(request, context);
  if (refusal) {
    await recordEvent(context, null, 'refused', refusal);
    return refuse(refusal);
  }
  const id = await idOf(context, email);
  if (id) {
    const confirmed = await asService(context, 'PUT', `/auth/v1/admin/users/${id}`, { email_confirm: true });
    if (!confirmed.ok) return refuse('Failed to verify email');
  }
  await recordEvent(context, id, 'done', null);
  return answer({ success: true, error: null });
}

async function refusalOf(request: Request, context: Context): Promise<string | null> {
  const key = request.headers.get('x-setup-key');
  if (key) return refusalOfKey(context, key);
  const admin = await asVisitor(context, request, 'POST', '/rest/v1/rpc/is_admin', {});
  return admin.ok && admin.body === true ? null : 'Only an admin can verify an account.';
}

async function idOf(context: Context, email: string): Promise<string | null> {
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ page: String(page), per_page: String(PER_PAGE), filter: email });
    const list = await asService(context, 'GET', `/auth/v1/admin/users?${query}`);
    const { users = [] } = list.body as { users?: { id: string; email: string }[] };
    const found = users.find((user) => user.email === email);
    if (found || users.length < PER_PAGE) return found?.id ?? null;
  }
}

const recordEvent = (context: Context, object: string | null, outcome: 'done' | 'refused', reason: string | null) =>
  asService(context, 'POST', '/rest/v1/rpc/record_event', { action: 'user.verify', object, outcome, reason });

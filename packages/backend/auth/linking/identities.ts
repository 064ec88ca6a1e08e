import type { Transaction } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { record } from '../audit.ts';
import type { AuthRequest } from '../context.ts';
import { errors } from '../errors.ts';
import { authorizationUrl } from '../providers/authorize.ts';
import { setUserColumns } from '../rows.ts';
import { refreshProviders } from '../users/account.ts';
import { type IdentityRow, lockUser, type UserRow } from '../users/user.ts';
import { clearAddress, setVerifiedEmail } from './resolve-account.ts';

/** @throws ApiError 404 when linking is off, 422 for an account of SSO, 401 below aal2 with a verified factor */
export function requireLinking(c: AuthRequest): void {
  const { user, aal, identity } = c.var;
  if (!identity.project.auth.enable_manual_linking) throw errors.linkingDisabled();
  if (user.is_sso_user) throw errors.managedElsewhere();
  if (aal !== 'aal2' && user.factors.some(({ status }) => status === 'verified'))
    throw errors.insufficientAal(401, 'change the ways to sign in');
}

export async function unlinkIdentity(c: AuthRequest) {
  const id = c.req.param('id')!;
  if (!isUuid(id)) throw errors.notUuid('identity_id');
  requireLinking(c);
  await c.var.identity.db.transaction(async (tx) => {
    // Of two concurrent requests, the second must see that it would remove the last identity.
    const user = await lockUser(tx, c.var.user.id);
    if (!user) throw errors.userOfTokenGone();
    const removed = user.identities.find((identity) => identity.id === id.toLowerCase());
    if (!removed) throw errors.identityNotFound();
    if (user.identities.length < 2) throw errors.lastIdentity();
    await tx.query('delete from auth.identities where id = $1', [removed.id]);
    await removeCredentials(tx, user, removed);
    await refreshProviders(tx, user.id);
    await record(tx, c, { action: 'identity_unlinked', reason: removed.provider });
  });
  return c.json({});
}

async function removeCredentials(tx: Transaction, user: UserRow, removed: IdentityRow): Promise<void> {
  if (removed.provider === 'phone') return setUserColumns(tx, user.id, { phone: null, phone_confirmed_at: null });
  if (removed.provider === 'email') {
    await setUserColumns(tx, user.id, { encrypted_password: null });
    await tx.query('delete from auth.one_time_tokens where user_id = $1', [user.id]);
  }
  const remaining = user.identities.filter((identity) => identity.id !== removed.id && identity.email !== null);
  if (removed.email !== user.email || remaining.some(({ email }) => email === user.email)) return;
  const next = remaining.find(({ identity_data: data }) => data['email_verified'] === true);
  if (next && !(await setVerifiedEmail(tx, user.id, next.email!))) throw errors.identityEmailConflict();
  if (!next) await clearAddress(tx, user.id);
}

export async function authorizeIdentity(c: AuthRequest) {
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET');
  requireLinking(c);
  const url = await authorizationUrl(c, c.var.user.id);
  return c.req.query('skip_http_redirect') === 'true' ? c.json({ url }) : c.redirect(url, 302);
}

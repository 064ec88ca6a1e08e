import type { PostgrestClient } from '@supabase/postgrest-js';
import type { AccountRole } from '#lib/account-role.ts';
import { requireChange, rows } from '#lib/data/rows.ts';

/** Uses `is_admin` and `can_edit_content`, and if a call fails the caller's roles. @throws ApiError when both fail */
export async function findRole(data: PostgrestClient, userId: string): Promise<AccountRole | null> {
  const isAdmin = await data.rpc('is_admin');
  if (isAdmin.data === true) return 'admin';
  const canEdit = isAdmin.error ? isAdmin : await data.rpc('can_edit_content');
  if (!canEdit.error) return canEdit.data === true ? 'editor' : null;
  const own = data.from('user_roles').select('*,roles(*)').eq('user_id', userId);
  const userRoles = await rows<{ roles: { name: string } | null }>(own);
  const holds = (name: AccountRole) => userRoles.some(({ roles: role }) => role?.name === name);
  return isAdmin.error && holds('admin') ? 'admin' : holds('editor') ? 'editor' : null;
}

/** Whether an admin or editor lacks a required second factor. Installations that never require one lack this procedure. */
export async function askNeedsSecondFactor(data: PostgrestClient): Promise<boolean> {
  const { data: needs, error } = await data.rpc('admin_needs_second_factor');
  return !error && needs === true;
}

/** Granted only to admins and to callers with `x-setup-key`. @throws ApiError with the server's reason */
export async function assignAdminRole(data: PostgrestClient, email: string): Promise<void> {
  await requireChange(data.rpc('assign_admin_role', { admin_email: email }));
}

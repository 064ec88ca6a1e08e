import type { PostgrestClient } from '@supabase/postgrest-js';
import { requireChange, rows } from '#lib/data/rows.ts';

const ADMIN = 'admin';

/** Uses `is_admin`, and if that call fails the caller's roles. @throws ApiError when both fail */
export async function askIsAdmin(data: PostgrestClient, userId: string): Promise<boolean> {
  const answer = await data.rpc('is_admin');
  if (!answer.error) return answer.data === true;
  const userRoles = await rows<{ roles: { name: string } | null }>(
    data.from('user_roles').select('*,roles(*)').eq('user_id', userId),
  );
  return userRoles.some(({ roles: role }) => role?.name === ADMIN);
}

/** Whether an admin lacks a required second factor. Installations that never require one lack this procedure. */
export async function askNeedsSecondFactor(data: PostgrestClient): Promise<boolean> {
  const { data: needs, error } = await data.rpc('admin_needs_second_factor');
  return !error && needs === true;
}

/** Granted only to admins and to callers with `x-setup-key`. @throws ApiError with the server's reason */
export async function assignAdminRole(data: PostgrestClient, email: string): Promise<void> {
  await requireChange(data.rpc('assign_admin_role', { admin_email: email }));
}

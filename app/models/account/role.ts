import type { PostgrestClient } from '@supabase/postgrest-js';
import { affected, rows } from '../data/rows.ts';

const ADMIN = 'admin';

/**
 * Asks the database whether the caller is an admin: by `is_admin`, and if that call fails by the caller's roles.
 * @throws ApiError when both fail
 */
export async function askIsAdmin(data: PostgrestClient, userId: string): Promise<boolean> {
  const asked = await data.rpc('is_admin');
  if (!asked.error) return asked.data === true;
  const held = await rows<{ roles: { name: string } | null }>(
    data.from('user_roles').select('*,roles(*)').eq('user_id', userId),
  );
  return held.some(({ roles: role }) => role?.name === ADMIN);
}

/**
 * Whether the caller holds the admin role and is kept from it only because this house asks its admins for a second
 * factor. Houses that never ask do not know the question.
 */
export async function askNeedsSecondFactor(data: PostgrestClient): Promise<boolean> {
  const { data: needs, error } = await data.rpc('admin_needs_second_factor');
  return !error && needs === true;
}

/**
 * Asks for the admin role for an address. The server grants it to admins and to holders of the setup key only.
 * @param data carries `x-setup-key` when the caller has one
 * @throws ApiError with the server's reason
 */
export async function assignAdminRole(data: PostgrestClient, email: string): Promise<void> {
  await affected(data.rpc('assign_admin_role', { admin_email: email }));
}

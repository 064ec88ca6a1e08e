import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from './api-error.ts';
import { type Embedded, one } from './project.ts';

/** What admins may see of an account. */
export interface Profile {
  id: string;
  email: string | null;
  name: string | null;
  /** A wish made at sign-up; it grants nothing. */
  requestedAdmin: boolean;
  confirmedAt: string | null;
  createdAt: string;
  roles: string[];
}

// The most the data service answers at once.
const ALL = 1000;

interface Row {
  user_id: string;
  email: string | null;
  name: string | null;
  requested_admin: boolean;
  email_confirmed_at: string | null;
  created_at: string;
  user_roles: { roles: Embedded<{ name: string }> }[];
}

/** Every account, newest first. Only admins get more than their own. */
export async function listProfiles(data: PostgrestClient): Promise<Profile[]> {
  const { data: rows, error } = await data
    .from('profiles')
    .select('user_id,email,name,requested_admin,email_confirmed_at,created_at,user_roles(roles(name))')
    .order('created_at', { ascending: false })
    .limit(ALL)
    .overrideTypes<Row[], { merge: false }>();
  if (error) throw new ApiError(error.message, error.code);
  return rows.map((row) => ({
    id: row.user_id,
    email: row.email,
    name: row.name,
    requestedAdmin: row.requested_admin,
    confirmedAt: row.email_confirmed_at,
    createdAt: row.created_at,
    roles: row.user_roles.flatMap(({ roles }) => one(roles)?.name ?? []),
  }));
}

import type { FunctionsClient } from '@supabase/functions-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import { listParams, pageParam, type QuestionOf, textParam } from '#lib/data/list-params.ts';
import { PAGE_SIZE, pagesOf, type TablePage } from '#lib/data/page.ts';
import { added, affected, counted, type Embedded, embedded, one, rows } from '#lib/data/rows.ts';
import { callFunction } from '#lib/data/server-function.ts';
import { users as words } from '../words.ts';

export interface UserAccount {
  id: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  signedUp: string;
  verified: string | null;
  invited: string | null;
  roles: string[];
  factors: number;
  lastSignIn: string | null;
  /** Null when the account is not banned, or no longer. */
  bannedUntil: string | null;
}

export type PeoplePage = TablePage<UserAccount>;

export const userParams = listParams({ search: textParam, page: pageParam });
export type PeopleQuestion = QuestionOf<typeof userParams>;

const ADMIN = 'admin';

interface Account {
  id: string;
  email: string | null;
  phone: string | null;
  name: string;
  factors: number;
  created_at: string;
  email_confirmed_at: string | null;
  phone_confirmed_at: string | null;
  invited_at: string | null;
  last_sign_in_at: string | null;
  banned_until: string | null;
}

interface Row {
  user_id: string;
  user_roles: { roles: Embedded<{ name: string }> }[];
}

/** Newest first, found by address, number or name. @throws Error with the server's message; ApiError */
export async function readPeople(
  functions: FunctionsClient,
  data: PostgrestClient,
  { search, page }: PeopleQuestion,
): Promise<PeoplePage> {
  const { users, total } = await manage<{ users: Account[]; total: number }>(functions, {
    action: 'list',
    page,
    per_page: PAGE_SIZE,
    search,
  });
  if (users.length === 0 && page > 1) {
    return readPeople(functions, data, { search, page: Math.min(page - 1, Math.max(1, pagesOf(total))) });
  }
  const profiles = await readProfiles(
    data,
    users.map(({ id }) => id),
  );
  return { rows: users.map((account) => personOf(account, profiles.get(account.id))), total, page };
}

async function readProfiles(data: PostgrestClient, ids: string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map();
  const profiles = await rows<Row>(data.from('profiles').select('user_id,user_roles(roles(name))').in('user_id', ids));
  return new Map(profiles.map((row) => [row.user_id, row]));
}

const personOf = (account: Account, profile: Row | undefined): UserAccount => ({
  id: account.id,
  email: account.email || null,
  phone: account.phone || null,
  name: account.name || null,
  signedUp: account.created_at,
  verified: account.email_confirmed_at ?? account.phone_confirmed_at,
  invited: account.invited_at,
  roles: profile?.user_roles.flatMap(({ roles }) => embedded(roles)?.name ?? []) ?? [],
  factors: account.factors,
  lastSignIn: account.last_sign_in_at,
  bannedUntil: account.banned_until && Date.parse(account.banned_until) > Date.now() ? account.banned_until : null,
});

export const nameOf = ({ email, name, phone }: Pick<UserAccount, 'email' | 'name' | 'phone'>): string =>
  email ?? name ?? (phone ? `+${phone}` : words.nobody);

export const isAdminPerson = ({ roles }: UserAccount): boolean => roles.includes(ADMIN);

const FOR_GOOD_MS = 20 * 365 * 86_400_000;
export const isForGood = (bannedUntil: string, now = Date.now()): boolean =>
  Date.parse(bannedUntil) - now > FOR_GOOD_MS;

export type Order =
  | { action: 'confirm' | 'reset_password' | 'remove_factors' | 'unban' | 'delete'; id: string }
  | { action: 'ban'; id: string; duration?: string }
  | { action: 'invite'; email: string; name: string };

/** @throws Error with the server's message */
export const giveOrder = (functions: FunctionsClient, order: Order): Promise<unknown> =>
  manage(functions, { ...order });

async function manage<Answer>(functions: FunctionsClient, body: Record<string, unknown>): Promise<Answer> {
  const { success, error, ...answer } = await callFunction<Answer & object>(functions, 'manage-users', body);
  if (!success) throw new Error(error ?? words.refused);
  return answer as Answer;
}

/** The database refuses to remove the last admin. @throws ApiError with the database's message */
export async function setAdmin(data: PostgrestClient, userId: string, is: boolean): Promise<void> {
  const { id } = await one<{ id: string }>(data.from('roles').select('id').eq('name', ADMIN).single());
  if (is) await added(data.from('user_roles').insert({ user_id: userId, role_id: id }));
  else await affected(data.from('user_roles').delete().eq('user_id', userId).eq('role_id', id));
}

/** Projects created by an account; they remain when it is deleted. @throws ApiError */
export async function countProjectsOf(data: PostgrestClient, userId: string): Promise<number> {
  return counted(data.from('projects').select('id', { count: 'exact', head: true }).eq('created_by', userId));
}
